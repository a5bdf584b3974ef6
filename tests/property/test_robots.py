"""Any robots.txt and robots tags can be read, and the fast matcher agrees with a slow, readable one."""

from datetime import datetime
from functools import cache
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from gossamer.net.robots import MAX_DELAY_S, directives, parse
from gossamer.net.robots.path_rules import Rule, Rulebook, normalize_path

names = st.sampled_from(
    ["User-agent", "Disallow", "Allow", "Crawl-delay", "Request-rate", "Sitemap", "dissalow", "Foo", "", "#"]
)
values = st.sampled_from(
    ["*", "foobot", "foobot/1", "/", "/a", "/*a$", "/%61", "5", "1/5", "\0", "\ufeff"]
) | st.text(max_size=12)
colons = st.sampled_from([":", " ", " : ", "::", ""])
lines = st.tuples(names, colons, values).map("".join)
ends = st.sampled_from(["\n", "\r", "\r\n"])
files = st.lists(st.tuples(lines, ends).map("".join), max_size=30).map("".join)
patterns = st.text(alphabet="/ab*$", max_size=8).map(lambda rest: "/" + rest)
paths = st.text(alphabet="/ab$", max_size=12).map(lambda rest: "/" + rest)


@given(body=st.binary(max_size=400), url=st.text(max_size=60), agent=st.text(max_size=60))
def test_any_bytes_url_and_agent_get_an_answer(body: bytes, url: str, agent: str) -> None:
    robots = parse(body)
    assert robots.allows(url, agent) in (True, False)
    delay_s = robots.delay_s(agent)
    assert delay_s is None or 0 <= delay_s <= MAX_DELAY_S


@given(text=files, url=paths, agent=st.sampled_from(["foobot", "Foobot/2.0", "other", ""]))
def test_repeated_checks_give_the_same_answer(text: str, url: str, agent: str) -> None:
    robots, again = parse(text.encode("utf-8", "replace")), parse(text.encode("utf-8", "replace"))
    assert robots.allows(url, agent) == robots.allows(url, agent) == again.allows(f"https://h{url}", agent)
    assert robots.sitemaps == again.sitemaps


def matches(pattern: str, path: str) -> bool:
    """Match letter by letter, by RFC 9309."""

    @cache
    def rest(at: int, of: int) -> bool:
        if at == len(pattern):
            return True
        if pattern[at] == "$" and at == len(pattern) - 1:
            return of == len(path)
        if pattern[at] == "*":
            return any(rest(at + 1, further) for further in range(of, len(path) + 1))
        return of < len(path) and path[of] == pattern[at] and rest(at + 1, of + 1)

    return rest(0, 0)


@given(rules=st.lists(st.tuples(st.booleans(), patterns), max_size=8), path=paths)
def test_the_rulebook_agrees_with_the_slow_matcher(rules: list[tuple[bool, str]], path: str) -> None:
    verdicts = [(len(pattern), allow) for allow, pattern in rules if matches(pattern, path)]
    expected = max(verdicts, default=(0, True))[1]
    assert Rulebook(Rule(allow, pattern.encode()) for allow, pattern in rules).allows(path) is expected


@given(rules=st.lists(st.tuples(st.booleans(), patterns), max_size=8), path=paths, dice=st.randoms())
def test_the_order_of_rules_does_not_matter(rules: list[tuple[bool, str]], path: str, dice: Random) -> None:
    as_listed = [Rule(allow, pattern.encode()) for allow, pattern in rules]
    shuffled = dice.sample(as_listed, len(as_listed))
    assert Rulebook(as_listed).allows(path) is Rulebook(shuffled).allows(path)


@given(path=st.text(min_size=1, max_size=20))
def test_a_rule_for_a_path_matches_every_spelling_of_it(path: str) -> None:
    octets = path.encode("utf-8", "replace")
    spelt = "/" + "".join(f"%{octet:02x}" for octet in octets)
    rule = parse(b"User-agent: *\nDisallow: " + spelt.encode() + b"$")
    assert not rule.allows(spelt, "foobot")
    assert not rule.allows("https://h" + spelt.upper(), "foobot")
    assert normalize_path(normalize_path(spelt)) == normalize_path(spelt)


@given(
    meta=st.lists(
        st.tuples(st.sampled_from(["robots", "gossamer", "revisit-after"]) | st.text(max_size=9), st.text())
    ),
    tags=st.lists(st.text() | st.text(alphabet="noindexf, :unavailable_after25JGMT0", max_size=60)),
    agent=st.sampled_from(["gossamer", ""]) | st.text(),
)
def test_any_tags_get_directives(meta: list[tuple[str, str]], tags: list[str], agent: str) -> None:
    found = directives(meta, [("X-Robots-Tag", tag) for tag in tags], agent)
    date = found.unavailable_after
    assert date is None or (isinstance(date, datetime) and date.tzinfo is not None)
    assert found.revisit_after_s is None or found.revisit_after_s > 0


words = st.lists(st.sampled_from(["noindex", "nofollow", "none", "all", "index", "noarchive"]), max_size=4)


@given(general=words, own=words, header=words)
def test_more_tags_never_allow_more(general: list[str], own: list[str], header: list[str]) -> None:
    alone = directives([("robots", ", ".join(general))], (), "gossamer")
    tags = [("robots", ", ".join(general)), ("gossamer", ",".join(own))]
    together = directives(tags, [("X-Robots-Tag", ",".join(header))], "gossamer")
    assert alone.index or not together.index
    assert alone.follow or not together.follow
    assert alone.archive or not together.archive
    assert together.index is not ({"noindex", "none"} & {*general, *own, *header} != set())
