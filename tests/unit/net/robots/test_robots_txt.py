"""robots.txt: Google's published cases, RFC 9309 by section, and hostile files."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from gossamer.net.robots import MAX_BYTES, MAX_DELAY_S, parse
from gossamer.net.robots import robots_txt as robots

# Google's matcher takes the URL as it is given and leaves %62 in a rule as it stands. RFC 9309, section 2.2.2,
# encodes what is not ASCII in the URL as well and decodes what need not be encoded, so these are allowed.
AGAINST_THE_RFC = {
    ("ID_Encoding:419", "http://foo.bar/foo/bar/ツ"),
    ("ID_Encoding:430", "http://foo.bar/foo/bar/ツ"),
    ("ID_Encoding:441", "http://foo.bar/foo/bar/baz"),
    ("correctness/non-ascii-paths.textproto:1", "http://foo.bar/foo/bar/ツ"),
    ("correctness/non-ascii-paths.textproto:2", "http://foo.bar/foo/bar/ツ"),
    ("correctness/non-ascii-paths.textproto:3", "http://foo.bar/foo/bar/baz"),
}
# Google ignores a group that names an agent with digits, and asks its rules about /robots.txt. A site that writes
# `User-agent: AB42bot` means AB42bot, and RFC 9309, section 2.2.2, always allows /robots.txt.
AGAINST_PLAIN_WORDS = {
    ("stress/369883.textproto:0", "AB42bot", "http://example.com/foo/bar"),
    ("stress/369883.textproto:0", "AB42bot", "http://example.com/"),
    ("stress/327748.textproto:0", "asdfbot", "http://m.example.com/robots.txt"),
    ("stress/369883.textproto:0", "BarBot", "http://example.com/robots.txt"),
    ("stress/369883.textproto:0", "AB", "http://example.com/robots.txt"),
    ("stress/860237.textproto:0", "XYZ", "http://example.com/robots.txt"),
}


def cases(data: Path) -> list[dict[str, Any]]:
    lines = (data / "robots" / "cases.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_all_cases_agree_except_those_against_the_rfc(data: Path) -> None:
    wrong = {
        (case["test"], case["agent"], case["url"])
        for case in cases(data)
        if parse(case["robots"].encode()).allows(case["url"], case["agent"]) != case["allowed"]
    }
    assert wrong == {(test, "FooBot", url) for test, url in AGAINST_THE_RFC} | AGAINST_PLAIN_WORDS


def allowed(text: str | bytes, url: str = "/x", agent: str = "foobot") -> bool:
    return parse(text.encode() if isinstance(text, str) else text).allows(url, agent)


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("FooBot", False),
        ("FOOBOT", False),
        ("FooBot/2.1", False),
        ("FooBot/2.1 (+https://example.org/bot)", False),
        ("FooBot (+https://example.org/bot)", False),
        ("Mozilla/5.0 (compatible; FooBot/2.1; +https://example.org/bot)", False),
        ("Mozilla/5.0 (X11; Linux) AppleWebKit/537 (KHTML, like Gecko; compatible; FooBot/2.1)", False),
        ("FooBotNews", True),
        ("Foo", True),
        ("FooBot News", True),
        ("", True),
        ("*", True),
    ],
)
def test_an_agent_is_recognised_by_its_product_token(agent: str, expected: bool) -> None:
    assert allowed("User-agent: foobot\nDisallow: /", agent=agent) is expected


@pytest.mark.parametrize("line", ["FooBot/1.2", "foobot*", "FOOBOT bar", "FooBot # ours", "  FooBot\t"])
def test_a_user_agent_line_counts_up_to_the_end_of_its_token(line: str) -> None:
    assert not allowed(f"User-agent: {line}\nDisallow: /")


@pytest.mark.parametrize("line", ["*", "* all of them", "*\tall"])
def test_a_star_with_more_words_applies_to_all_agents(line: str) -> None:
    assert not allowed(f"User-agent: {line}\nDisallow: /")


@pytest.mark.parametrize("line", ["*bot", "", "ünbot", "\udce9"])
def test_a_line_without_a_token_applies_to_no_agent(line: str) -> None:
    body = f"User-agent: {line}\nDisallow: /".encode("utf-8", "surrogateescape")
    assert all(parse(body).allows("/x", agent) for agent in ("foobot", "42bot", "", "*"))


@pytest.mark.parametrize(
    "agent", ["MJ12bot", "mj12bot/1.4", "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://a/)"]
)
def test_an_agent_with_digits_obeys_the_group_that_names_it(agent: str) -> None:
    assert not allowed("User-agent: *\nAllow: /\n\nUser-agent: MJ12bot\nDisallow: /", agent=agent)
    assert allowed("User-agent: *\nDisallow: /\n\nUser-agent: MJ12bot\nDisallow: /y", agent=agent)
    assert parse(b"User-agent: MJ12bot\nCrawl-delay: 20").delay_s(agent) == 20


@pytest.mark.parametrize("line", ["MJ", "MJ13bot", "MJ12", "MJ12bots"])
def test_an_agent_with_digits_ignores_groups_that_name_others(line: str) -> None:
    assert allowed(f"User-agent: {line}\nDisallow: /", agent="MJ12bot")


@pytest.mark.parametrize(
    "url", ["/robots.txt", "http://a.example/robots.txt", "http://a.example/robots%2Etxt#top"]
)
def test_robots_txt_itself_is_always_allowed(url: str) -> None:
    body = "User-agent: *\nDisallow: /\nDisallow: /robots.txt\nDisallow: /*.txt$"
    assert allowed(body, url)
    assert not allowed(body, "/a/robots.txt")
    assert not allowed(body, "/robots.txt?x=1")


def test_groups_for_one_agent_are_merged_and_replace_those_for_all() -> None:
    text = "User-agent: foobot\nDisallow: /a\n\nUser-agent: *\nDisallow: /c\n\nUser-agent: foobot\nDisallow: /b\n"
    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]
    assert [allowed(text, path, "other") for path in ("/a", "/b", "/c")] == [True, True, False]


def test_several_agents_share_a_group_despite_other_lines_between_them() -> None:
    text = "User-agent: a\nSitemap: /s.xml\nNoindex: /\nUser-agent: b\n\n# comment\nDisallow: /x\nUser-agent: c\n"
    assert [allowed(text, agent=agent) for agent in "abc"] == [False, False, True]


def test_rules_before_the_first_agent_have_no_effect() -> None:
    assert allowed("Disallow: /\nUser-agent: foobot\nAllow: /y")


@pytest.mark.parametrize(
    "name", ["Disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "DISALLOWED"]
)
def test_frequent_misspellings_are_understood(name: str) -> None:
    assert not allowed(f"useragent: foobot\n{name}: /")
    assert not allowed(f"user agent: foobot\n{name} : /")


def test_a_blank_replaces_a_colon_only_between_two_words() -> None:
    assert not allowed("user-agent foobot\ndisallow /x")
    assert allowed("user-agent: foobot\ndisallow /x y")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\n", "\r\r\n"])
def test_lines_end_in_any_way(end: str) -> None:
    text = end.join(["User-agent: foobot", "Disallow: /x", "Allow: /x/y", ""])
    assert [allowed(text, path) for path in ("/x", "/x/y")] == [False, True]


TEXT = "User-agent: foobot\nDisallow: /é\n"


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + TEXT.encode(),
        b"\xef\xbb" + TEXT.encode(),
        b"\xef" + TEXT.encode(),
        "\ufffd".encode() + TEXT.encode(),
        b"\xff\xfe" + TEXT.encode("utf-16-le"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        "".join(f"{char}\0" for char in TEXT).encode(),
    ],
)
def test_byte_order_marks_and_nuls_are_ignored(body: bytes) -> None:
    assert not allowed(body, "/é")
    assert allowed(body, "/e")


def test_bytes_that_are_not_utf_8_are_matched_as_bytes() -> None:
    body = b"User-agent: *\nDisallow: /caf\xe9"
    assert not allowed(body, "/caf%E9")
    assert allowed(body, "/café")


def test_everything_after_500_kib_is_ignored_with_the_line_that_is_cut() -> None:
    head = b"User-agent: *\nDisallow: /a\n"
    fill = b"#" * (MAX_BYTES - len(head) - len(b"\nDisallow: /x")) + b"\n"
    whole = head + fill + b"Disallow: /x"
    assert len(whole) == MAX_BYTES
    assert not allowed(whole)
    assert not allowed(whole + b"\nDisallow: /late")
    assert allowed(whole + b"\nDisallow: /late", "/late")
    assert allowed(whole + b"yz")
    assert not allowed(whole + b"yz", "/a")


def test_the_rest_of_a_very_long_line_is_ignored() -> None:
    line = b"Disallow: /" + b"a" * 20_000
    assert not allowed(b"User-agent: *\n" + line, "/" + "a" * (robots.MAX_LINE_BYTES - len(b"Disallow: /")))


def test_google_reads_an_index_page_as_its_directory_for_allow_alone() -> None:
    text = "User-agent: *\nDisallow: /\nAllow: /d/index.html\n"
    assert [allowed(text, path) for path in ("/d/", "/d/index.html", "/d/x")] == [True, True, False]
    assert allowed("User-agent: *\nDisallow: /d/index.html", "/d/")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("Crawl-delay: 10", 10.0),
        ("crawl-delay: 2.5", 2.5),
        ("Crawl-delay : 2,5", 2.5),
        ("crawl-delay 3", 3.0),
        ("Crawl-delay: 10 seconds", 10.0),
        ("Crawl-delay: 0", 0.0),
        ("Crawl-delay: 999999999999", MAX_DELAY_S),
        ("Crawl-delay: " + "9" * 5_000, MAX_DELAY_S),
        ("Crawl-delay: -1", None),
        ("Crawl-delay: nan", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: 1e3", None),
        ("Crawl-delay: soon", None),
        ("Crawl-delay:", None),
        ("Request-rate: 1/10s", 10.0),
        ("Request-rate: 1/5", 5.0),
        ("Request-rate: 30/1m", 2.0),
        ("Request-rate: 1/1h 0600-0845", 3600.0),
        ("Request-rate: 0/10", None),
        ("Request-rate: " + "9" * 400 + "/" + "9" * 400, None),
        ("Request-rate: often", None),
        ("Visit-time: 0600-0845", None),
        ("Crawl-delay: 2\nRequest-rate: 1/10s\nCrawl-delay: 4", 10.0),
    ],
)
def test_delays(lines: str, expected: float | None) -> None:
    assert parse(f"User-agent: *\n{lines}\nDisallow: /x\n".encode()).delay_s("foobot") == expected


def test_a_delay_applies_to_the_agents_named_before_it() -> None:
    text = b"User-agent: slow\nUser-agent: slower\nCrawl-delay: 9\n\nUser-agent: *\nDisallow: /x\nCrawl-delay: 1\n"
    rules = parse(text)
    assert [rules.delay_s(agent) for agent in ("slow", "Slower/1.0", "foobot")] == [9.0, 9.0, 1.0]
    # As in Google's matcher, a delay does not part agents from the rules that follow.
    assert not rules.allows("/x", "slow")


def test_an_agent_with_a_group_of_its_own_has_no_delay_from_the_group_for_all() -> None:
    assert parse(b"User-agent: *\nCrawl-delay: 9\n\nUser-agent: foobot\nAllow: /\n").delay_s("foobot") is None


def test_sitemaps_apply_to_all_agents_in_order_and_once() -> None:
    text = "Sitemap: http://a/é.xml\nUser-agent: x\nsite-map: /b.xml\nSITEMAP: http://a/é.xml\nSitemap:\n"
    assert parse(text.encode()).sitemaps == ("http://a/é.xml", "/b.xml")


def test_the_cache_of_rules_is_bounded() -> None:
    rules = parse(b"User-agent: foobot\nDisallow: /x")
    for number in range(1_000):
        assert rules.allows("/x", f"agent-{number}")
    assert not rules.allows("/x", "foobot")
    assert len(rules._rulebooks) <= 64


LETTERS = "abcdefghijklmnopqrstuvwxyz"

HOSTILE = {
    "stars": b"User-agent: *\nDisallow: /" + b"*a" * 8_000 + b"*b\n",
    "wildcards": b"User-agent: *\n" + b"".join(b"Disallow: *a*%d*b\n" % n for n in range(10_000)),
    "nested": b"User-agent: *\n" + b"".join(b"Disallow: /%s\n" % (b"a" * n) for n in range(900)),
    "lines": b"User-agent: *\n" + b"a:b\n" * 120_000,
    "agents": b"".join(
        f"User-agent: a{a}{b}{c}\n".encode() for a in LETTERS for b in LETTERS for c in "abcdefghijk"
    )
    + b"Disallow: /x\n" * 20_000,
    "groups": b"User-agent: foobot\nCrawl-delay: 1\n" * 10_000 + b"Disallow: /x\n" * 9_000,
    "one line": b"User-agent:" + b" " * 480_000,
    "colons": b":" * 500_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_robots_files_do_not_hang(name: str) -> None:
    start_s = time.process_time()
    rules = parse(HOSTILE[name])
    for url in ("http://h/" + "a" * 2_000, "/" + "a*" * 1_000, "/" + "%61" * 600):
        rules.allows(url, "foobot")
    assert time.process_time() - start_s < 30  # 0.01 to 0.5 s; backtracking would take years
