"""A world answers what its truth says: read by a reader that knows nothing of how it was made."""

import gzip
import math
import pickle
import re
import time
from collections import Counter
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

import msgspec
import pytest
from selectolax.lexbor import LexborHTMLParser

import gossamer.lab
from gossamer.errors import BadInput
from gossamer.lab.address import SECTIONS
from gossamer.lab.answer import Answer, Answering, Asked, Located
from gossamer.lab.changes import DAY_S, EPOCH_S
from gossamer.lab.options import PAGE_TROUBLES, Changes, Shape, Trouble
from gossamer.lab.truth import PageTruth
from gossamer.lab.world import World
from gossamer.net.url import canonical

LINK_ATTRIBUTES = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}


def ask(
    world: World, url: str, now_s: float = 0.0, method: str = "GET", headers: dict[str, str] | None = None
) -> Answer:
    parts = urlsplit(url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    return world.answer(Asked(method, parts.netloc, target, headers or {}), now_s)


def header(answer: Answer, name: str) -> str:
    return dict(answer.headers).get(name, "")


def truth(world: World, url: str, now_s: float = 0.0) -> PageTruth:
    page = world.page(url, now_s)
    assert page is not None
    return page


def links_in(html: str, url: str) -> set[tuple[str, str]]:
    """Read the links of a page in the plainest way: type and canonical URL."""
    tree = LexborHTMLParser(html)
    base = url
    if (node := tree.css_first("base")) is not None:
        base = urljoin(url, node.attributes["href"] or "")
    found = set()
    for tag, attribute in LINK_ATTRIBUTES.items():
        for node in tree.css(tag):
            if href := node.attributes.get(attribute):
                found.add((tag, canonical(href, base)))
    for node in tree.css("meta"):
        if (node.attributes.get("http-equiv") or "").lower() == "refresh":
            target = (node.attributes.get("content") or "").partition("url=")[2]
            found.add(("refresh", canonical(target, base)))
    return found


def words(text: str) -> list[str]:
    return text.split()


@pytest.fixture(scope="module")
def plain() -> World:
    return World(seed=5, hosts=6, pages=120, shape=Shape(groups=()))


@pytest.fixture(scope="module")
def troubled() -> World:
    trouble = msgspec.structs.replace(Trouble.all(0.04), large_bytes=50_000, bomb_bytes=100_000)
    return World(seed=2, hosts=12, pages=200, trouble=trouble, shape=Shape(groups=()))


def test_a_world_can_be_served_and_located(plain: World) -> None:
    answering: Answering = plain
    assert isinstance(answering, Located)
    assert len(plain.hosts()) == 6
    assert plain.hosts()[0] == "127.1.0.1"
    assert plain.host_map() == {}


def test_every_page_of_a_plain_world_reads_as_its_truth_says(plain: World) -> None:
    graph = plain.graph()
    out: dict[str, set[str]] = {url: set() for url in graph.urls}
    for source, target in graph.edges:
        out[source].add(target)
    for url in graph.urls:
        answer, page = ask(plain, url), truth(plain, url)
        assert answer.status == page.status == 200
        assert answer.fault is None
        html = answer.body.decode()
        tree = LexborHTMLParser(html)
        title = tree.css_first("title")
        assert title is not None
        assert words(title.text()) == words(page.title)
        assert links_in(html, url) == {(link.type, link.url) for link in page.links}
        assert {link.url for link in page.links} == out[url]
        body = tree.body
        assert body is not None
        assert words(page.main_text)[0] in words(body.text(separator=" "))
        assert (page.trouble, page.host_trouble, page.outcome) == ("", (), "page")


def test_troubled_pages_read_as_their_truth_says(troubled: World) -> None:
    seen: Counter[str] = Counter()
    for number in range(200):
        url = troubled.url(number)
        page, answer = truth(troubled, url, 1.0), ask(troubled, url, 1.0)
        seen[page.trouble] += 1
        assert answer.status == page.status
        if page.outcome == "broken" or page.trouble == "wrong_type" or page.status != 200:
            continue
        html = answer.body.decode(page.encoding)
        assert links_in(html, url) == {(link.type, link.url) for link in page.links}, page.trouble
        seen.update({link.type for link in page.links})
    assert {*PAGE_TROUBLES, "frame", "area", "refresh"} <= set(seen)


def test_framed_pages_have_frames_or_an_inline_frame() -> None:
    world = World(hosts=3, pages=60, trouble=Trouble(frames=1.0), shape=Shape(groups=()))
    kinds: Counter[frozenset[str]] = Counter()
    for number in range(60):
        page = truth(world, world.url(number))
        kinds[frozenset(link.type for link in page.links)] += page.trouble == "frames"
    assert kinds[frozenset(("frame",))]
    assert kinds[frozenset(("iframe", "a"))]
    assert not kinds[frozenset(("frame", "a"))]


def test_links_are_spelt_in_many_ways_but_have_one_canonical_form(troubled: World) -> None:
    spellings: Counter[str] = Counter()
    for number in range(0, 200, 2):
        way = troubled._truth.way(troubled.url(number))
        assert way is not None
        plan = troubled._truth._planner.page(way, 0.0).plan
        for link in plan.links:
            assert canonical(link.href, plan.base or plan.url) == link.url == canonical(link.url)
            spellings["session"] += bool(re.search("sessi|sid=", link.href, re.IGNORECASE))
            spellings["relative"] += not link.href.lower().startswith(("http:", "/"))
            spellings["fragment"] += "#" in link.href
            spellings["dots"] += ".." in link.href
            spellings["percent"] += "%" in link.href
            spellings["loud"] += link.href.startswith("HTTP:")
    assert all(spellings[kind] for kind in ("session", "relative", "fragment", "dots", "percent", "loud"))


def follow(world: World, url: str, now_s: float = 0.0, most: int = 20) -> tuple[str, Answer, int]:
    for hops in range(most):
        answer = ask(world, url, now_s)
        if not 300 <= answer.status < 400 or answer.status == 304:
            return url, answer, hops
        url = canonical(header(answer, "Location"), url)
    return "", answer, most


def test_redirects_end_where_truth_says_or_never() -> None:
    world = World(
        hosts=5, pages=200, trouble=Trouble(redirect=0.3, redirect_loop=0.2), shape=Shape(groups=())
    )
    lengths: Counter[int] = Counter()
    statuses: Counter[int] = Counter()
    elsewhere = 0
    for number in range(200):
        page = truth(world, world.url(number))
        if page.trouble == "redirect_loop":
            assert follow(world, page.url)[0] == page.final_url == ""
        for hop, alias in enumerate(page.aliases):
            end, answer, hops = follow(world, alias)
            assert (end, answer.status, hops) == (page.url, 200, len(page.aliases) - hop)
            assert truth(world, alias).final_url == page.url
            assert truth(world, alias).status == ask(world, alias).status
            statuses[ask(world, alias).status] += 1
            elsewhere += urlsplit(alias).netloc != urlsplit(page.url).netloc
        lengths[len(page.aliases)] += 1
    assert set(lengths) == {0, 1, 2, 3, 4}
    assert set(statuses) == {301, 302, 303, 307, 308}
    assert elsewhere


def test_links_to_moved_pages_lead_through_all_redirects() -> None:
    world = World(hosts=5, pages=200, trouble=Trouble(redirect=1.0), shape=Shape(groups=()))
    for number in range(0, 200, 10):
        for link in truth(world, world.url(number)).links:
            target = truth(world, link.url)
            assert target.trouble == "redirect" or urlsplit(link.url).path == "/" or not target.aliases
            assert truth(world, target.final_url).status == 200
    assert set(world.reachable()) > set(world.reachable(redirects=False))


def test_what_is_reachable_is_what_a_naive_crawler_reaches(troubled: World) -> None:
    """Crawl with the plain reader, robots unheeded; it must find all, and nothing beyond the doubtful."""
    now_s, found, waiting = 1.0, set(), list(troubled.seeds())
    while waiting:
        url, answer, _ = follow(troubled, waiting.pop(), now_s)
        if answer.status in (429, 503):
            url, answer, _ = follow(troubled, url, now_s + float(header(answer, "Retry-After")))
        trap = urlsplit(url).path.startswith(("/calendar/", "/files/"))
        if url in found or trap or answer.status != 200 or not url:
            continue
        page = truth(troubled, url)
        if page.outcome == "broken":
            continue
        found.add(url)
        encoding = page.encoding
        waiting += [target for _, target in links_in(answer.body.decode(encoding, "replace"), url)]
    sure = set(troubled.reachable(now_s=now_s, robots=False))
    possible = set(troubled.reachable(now_s=now_s, robots=False, doubtful=True))
    assert sure <= found <= possible
    assert len(sure) > 40


def test_closed_directories_and_failing_robots_are_known_to_truth() -> None:
    trouble = Trouble(disallowed=0.3, robots_failing=0.1, robots_missing=0.1, crawl_delay=0.5, nofollow=0.1)
    world = World(hosts=10, pages=400, trouble=trouble, sitemaps=True)
    kinds: Counter[str] = Counter()
    for host in world.hosts():
        answer = ask(world, f"http://{host}:8100/robots.txt")
        kinds[str(answer.status)] += 1
        rules = answer.body.decode()
        kinds["delay"] += "Crawl-delay: 1" in rules
        closed = re.findall(r"^Disallow: (/\S+)$", rules, re.MULTILINE) if answer.status == 200 else []
        kinds["closed"] += len(closed)
        for section in SECTIONS:
            url = f"http://{host}:8100/{section}/0/p1.html"
            assert world.allows(url) == (answer.status != 503 and f"/{section}/" not in closed)
        assert world.allows(f"http://{host}:8100/") == (answer.status != 503), "no rule closes the root"
    assert kinds["200"] == 8
    assert kinds["404"] == kinds["503"] == 1
    assert kinds["delay"] >= 3
    assert 20 < kinds["closed"] < 60
    assert set(world.reachable()) < set(world.reachable(robots=False))
    assert all(truth(world, url).allowed for url in world.reachable())


@pytest.mark.parametrize("kind", ["robots_slow", "robots_huge", "robots_hostile"])
def test_robots_files_in_trouble(kind: str) -> None:
    world = World(
        hosts=12, pages=60, trouble=msgspec.structs.replace(Trouble(), **{kind: 1.0}), shape=Shape(groups=())
    )
    answers = [ask(world, f"http://{host}:8100/robots.txt") for host in world.hosts()]
    if kind == "robots_slow":
        assert all(answer.fault and answer.fault.delay_s > 0 for answer in answers)
    elif kind == "robots_huge":
        assert all(len(answer.body) > 500 * 1024 for answer in answers)
    else:
        forms = {(answer.status, answer.fault is not None) for answer in answers}
        assert forms == {(200, False), (200, True), (302, False)}
        moved = next(
            host for host, answer in zip(world.hosts(), answers, strict=True) if answer.status == 302
        )
        assert follow(world, f"http://{moved}:8100/robots.txt")[2] == 20


def test_traps_have_no_end() -> None:
    world = World(hosts=3, pages=60, trouble=Trouble(calendar=1.0, directories=1.0), shape=Shape(groups=()))
    links = {link.url for link in truth(world, world.seeds()[0]).links}
    for kind in ("calendar", "files"):
        url = next(link for link in links if urlsplit(link).path.startswith(f"/{kind}/"))
        seen = {url}
        for _ in range(60):
            page, answer = truth(world, url), ask(world, url)
            assert answer.status == page.status == 200
            assert page.trouble == ("directories" if kind == "files" else kind)
            assert page.number == -1
            assert links_in(answer.body.decode(), url) == {(link.type, link.url) for link in page.links}
            url = (
                page.links[-1].url
                if kind == "files"
                else max(page.links, key=lambda link: month(link.url)).url
            )
            assert url not in seen
            seen.add(url)
    assert not any("/calendar/" in url or "/files/" in url for url in world.reachable())


def month(url: str) -> int:
    _, _, year, number = urlsplit(url).path.split("/")
    return int(year) * 12 + int(number)


def test_a_mirror_copies_its_host() -> None:
    world = World(hosts=6, pages=120, trouble=Trouble(mirrors=0.3), shape=Shape(groups=()))
    hosts = world.hosts()
    assert len(hosts) == 8
    reached = world.reachable()
    mirrored = [url for url in reached if urlsplit(url).hostname in hosts[6:]]
    assert mirrored
    for url in mirrored[:10]:
        page = truth(world, url)
        original = truth(world, page.copy_of)
        assert page.trouble == "mirror"
        assert (page.title, page.main_text) == (original.title, original.main_text)
        assert urlsplit(url).path == urlsplit(original.url).path
        answer = ask(world, url)
        assert links_in(answer.body.decode(), url) == {(link.type, link.url) for link in page.links}


def test_near_copies_share_most_words_with_another_page() -> None:
    world = World(
        hosts=4, pages=300, trouble=Trouble(near_copy=0.2), languages=("en",), topics=("music", "law")
    )
    copies = [page for number in range(300) if (page := truth(world, world.url(number))).copy_of]
    assert len(copies) > 20
    for page in copies[:10]:
        original = truth(world, page.copy_of)
        ours, theirs = Counter(words(page.main_text)), Counter(words(original.main_text))
        assert page.title == original.title
        assert page.language == original.language
        # Where links stand in the text, their anchors differ.
        assert (ours & theirs).total() > 0.5 * max(ours.total(), theirs.total())


def test_soft_404_hosts_deny_that_anything_is_missing() -> None:
    world = World(hosts=2, pages=60, trouble=Trouble(soft_404=0.5), shape=Shape(groups=()))
    statuses = {ask(world, f"http://{host}:8100/no/such/page.html").status for host in world.hosts()}
    assert statuses == {200, 404}
    assert world.page(f"http://{world.hosts()[0]}:8100/no/such/page.html") is None


def test_refusals_tell_when_to_come_back() -> None:
    world = World(hosts=3, pages=100, trouble=Trouble(too_many=0.5, unavailable=0.5), shape=Shape(groups=()))
    statuses: Counter[int] = Counter()
    for number in range(100):
        url = world.url(number)
        answer = ask(world, url, 7.25)
        statuses[answer.status] += 1
        if answer.status != 200:
            wait_s = int(header(answer, "Retry-After"))
            assert ask(world, url, 7.25 + wait_s).status == 200
            assert truth(world, url, 7.25).outcome == "temporary"
            assert answer.fresh_until_s == 0
    assert min(statuses[429], statuses[503], statuses[200]) > 10
    assert len(world.reachable()) > 50


def test_faults_of_sending() -> None:
    kinds = ("stall", "reset", "truncated", "wrong_length", "malformed", "endless_headers", "endless_body")
    world = World(
        hosts=3,
        pages=300,
        trouble=msgspec.structs.replace(Trouble(), **dict.fromkeys(kinds, 0.14)),
        shape=Shape(groups=()),
    )
    seen: dict[str, set[str]] = {kind: set() for kind in kinds}
    for number in range(160):
        page, answer = truth(world, world.url(number)), ask(world, world.url(number))
        if page.trouble:
            assert answer.fault is not None
            seen[page.trouble].add(repr(answer.fault))
    assert all(seen.values())
    assert len(seen["malformed"]) == 5


def test_wrong_types_large_pages_and_gzip_bombs() -> None:
    trouble = Trouble(wrong_type=0.3, large=0.02, gzip_bomb=0.1, large_bytes=300_000, bomb_bytes=3_000_000)
    world = World(hosts=3, pages=150, trouble=trouble, shape=Shape(groups=()), compress=0)
    types = set()
    for number in range(150):
        page, answer = truth(world, world.url(number)), ask(world, world.url(number))
        if page.trouble == "large":
            assert len(answer.body) >= 300_000
        if page.trouble == "gzip_bomb":
            assert len(gzip.decompress(answer.body)) == 3_000_000 > 100 * len(answer.body)
        if page.trouble == "wrong_type":
            types.add((header(answer, "Content-Type").partition(";")[0], answer.body.startswith(b"\x89PNG")))
    assert ("text/html", True) in types
    assert ("text/plain", False) in types
    assert len(types) == 5


def test_slow_hosts_are_slow_with_everything() -> None:
    world = World(hosts=4, pages=40, trouble=Trouble(slow=0.25, slow_s=0.7), shape=Shape(groups=()))
    delays: Counter[float] = Counter()
    for host in world.hosts():
        fault = ask(world, f"http://{host}:8100/").fault
        delays[fault.delay_s if fault else 0.0] += 1
    assert delays == {0.7: 1, 0.0: 3}


def test_gzip_is_sent_only_to_those_who_take_it() -> None:
    world = World(hosts=3, pages=30, compress=1.0, shape=Shape(groups=()))
    url = world.seeds()[0]
    plain_answer = ask(world, url)
    packed = ask(world, url, headers={"accept-encoding": "gzip, br"})
    assert header(plain_answer, "Content-Encoding") == ""
    assert header(packed, "Content-Encoding") == "gzip"
    assert header(packed, "Vary") == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain_answer.body


MOVING = Changes(changes_per_day=1.0, appearing=0.3, appear_days=10, vanishing=0.2, vanish_days=10)


@pytest.fixture(scope="module")
def moving() -> World:
    return World(seed=4, hosts=4, pages=120, changes=MOVING, shape=Shape(groups=()))


def test_tags_and_dates_are_honest(moving: World) -> None:
    """The body changes exactly when the tag does, and Last-Modified is the last change that truth tells."""
    for number in range(0, 120, 4):
        url = moving.url(number)
        before: tuple[bytes, str] | None = None
        for day in (0.0, 0.5, 3.0, 3.0001, 12.0, 40.0):
            answer = ask(moving, url, day * DAY_S)
            assert answer.status == truth(moving, url, day * DAY_S).status
            if answer.status != 200:
                before = None
                continue
            now = (answer.body, header(answer, "ETag"))
            if before:
                assert (before[0] == now[0]) == (before[1] == now[1])
            before = now
            page = truth(moving, url, day * DAY_S)
            modified_s = parsedate_to_datetime(header(answer, "Last-Modified")).timestamp() - EPOCH_S
            assert modified_s == (page.change_times[-1] if page.change_times else page.born_s)


def test_conditional_requests_save_the_body_until_the_page_changes(moving: World) -> None:
    checked = 0
    for number in range(120):
        url = moving.url(number)
        first = ask(moving, url, 0.0)
        changes = truth(moving, url, 30 * DAY_S).change_times
        if first.status != 200 or not changes or truth(moving, url, changes[0]).status != 200:
            continue
        checked += 1
        by_tag = {"if-none-match": f'W/"x", {header(first, "ETag")}'}
        by_date = {"if-modified-since": header(first, "Last-Modified")}
        for condition in (by_tag, by_date):
            unchanged = ask(moving, url, changes[0] - 1, headers=condition)
            assert (unchanged.status, unchanged.body) == (304, b"")
            assert ask(moving, url, changes[0], headers=condition).status == 200
        if checked == 15:
            break
    assert checked == 15


def test_pages_appear_and_vanish_and_are_linked_when_they_appear(moving: World) -> None:
    early, late = moving.graph(0.0), moving.graph(100 * DAY_S)
    assert len(early.urls) < 120
    assert set(early.urls) != set(late.urls)
    gone = set(early.urls) - set(late.urls)
    assert {ask(moving, url, 100 * DAY_S).status for url in gone} == {404, 410}
    unborn = [moving.url(number) for number in range(120) if truth(moving, moving.url(number)).born_s > 0]
    assert {ask(moving, url, 0.0).status for url in unborn} == {404}
    for url in early.urls[::7]:
        linked = {link.url for link in truth(moving, url).links}
        assert not linked & set(unborn)


def test_liars_lie() -> None:
    world = World(
        hosts=3,
        pages=60,
        changes=Changes(changes_per_day=2.0, rate_spread=0, lying=1.0),
        shape=Shape(groups=()),
    )
    kinds = set()
    for number in range(60):
        url = world.url(number)
        lie = truth(world, url).lie
        kinds.add(lie)
        first, later = ask(world, url, 5.0), ask(world, url, 30 * DAY_S)
        assert first.body != later.body
        assert (header(first, "ETag") == header(later, "ETag")) == (lie == "never new")
        soon = ask(world, url, 6.0)
        assert (header(first, "ETag") == header(soon, "ETag")) == (lie == "never new")
    assert kinds == {"always new", "never new"}


def test_main_text_changes_with_the_version_and_title_stays(moving: World) -> None:
    url = moving.seeds()[0]
    first, later = truth(moving, url), truth(moving, url, 60 * DAY_S)
    assert later.version > first.version == 0
    assert first.title == later.title
    assert first.main_text != later.main_text


def test_sitemaps_list_every_page_of_a_host() -> None:
    world = World(hosts=5, pages=100, sitemaps=True, shape=Shape(groups=()))
    listed = []
    for host in world.hosts():
        assert b"Sitemap: http://" in ask(world, f"http://{host}:8100/robots.txt").body
        answer = ask(world, f"http://{host}:8100/sitemap.xml")
        assert header(answer, "Content-Type") == "application/xml"
        listed += re.findall(r"<loc>(.*?)</loc><lastmod>\d{4}-\d\d-\d\dT", answer.body.decode())
    assert sorted(listed) == sorted(world.graph().urls)
    assert ask(World(hosts=5, pages=100), f"http://{world.hosts()[0]}:8100/sitemap.xml").status == 404


@pytest.mark.slow
def test_large_hosts_have_an_index_of_sitemaps() -> None:
    world = World(hosts=1, pages=120_000, sitemaps=True)
    origin = f"http://{world.hosts()[0]}:8100"
    parts = re.findall(r"<loc>(.*?)</loc>", ask(world, f"{origin}/sitemap.xml").body.decode())
    assert len(parts) == 3
    assert ask(world, parts[2]).body.count(b"<url>") == 20_000
    assert ask(world, f"{origin}/sitemap3.xml").status == 404
    assert ask(world, f"{origin}/sitemap00.xml").status == 404


def test_a_web_of_a_hundred_million_pages_needs_no_memory() -> None:
    start = time.perf_counter()
    huge = World(hosts=20_000, pages=10**8, trouble=Trouble.all(0.01))
    assert time.perf_counter() - start < 0.05
    small = World(hosts=20, pages=1000, trouble=Trouble.all(0.01))

    def cost(world: World) -> float:
        urls = [world.url(number * (world.options.pages // 40)) for number in range(40)]
        best = math.inf
        for _ in range(4):
            begin = time.perf_counter()
            for url in urls:
                ask(world, url)
            best = min(best, time.perf_counter() - begin)
        return best

    cost(small)  # loads the words
    assert cost(huge) < 4 * cost(small)
    for number in (0, 1, 12_345_678, 10**8 - 1):
        assert truth(huge, huge.url(number)).number == number


def test_the_same_options_make_the_same_world_and_the_port_changes_nothing(plain: World) -> None:
    again = World(seed=5, hosts=6, pages=120, shape=Shape(groups=()))
    elsewhere = plain.with_port(9000)
    copied = pickle.loads(pickle.dumps(plain))  # noqa: S301 - our own bytes
    for number in range(0, 120, 11):
        body = ask(plain, plain.url(number)).body
        assert ask(again, again.url(number)).body == body
        assert ask(copied, copied.url(number)).body == body
        moved = ask(elsewhere, elsewhere.url(number)).body
        assert moved.replace(b":9000", b":8100") == body
    assert ask(World(seed=6, hosts=6, pages=120), plain.url(0)).body != ask(plain, plain.url(0)).body


def test_hosts_can_have_names() -> None:
    world = World(hosts=7, pages=70, naming="names", trouble=Trouble(mirrors=0.1), port=80)
    mapped = world.host_map()
    assert list(mapped) == world.hosts()
    assert mapped["h4.site1.example"] == "127.1.0.5"
    assert world.url(0) == "http://h0.site0.example/"
    assert len(set(mapped.values())) == 8
    for url in world.graph().urls:
        assert ask(world, url).status == 200
    assert world.site("http://h4.site1.example/") == world.site("http://h3.site1.example/") == 1
    assert world.page("http://h4.site2.example/") is None


def test_languages_go_by_site_and_topics_by_page() -> None:
    world = World(hosts=6, pages=300, languages=("de", "fr"), topics=("music",), shape=Shape(groups=()))
    pages = [truth(world, url) for url in world.graph().urls[::5]]
    by_site: dict[int | None, set[str]] = {}
    for page in pages:
        by_site.setdefault(world.site(page.url), set()).add(page.language)
    assert all(len(languages) == 1 for languages in by_site.values())
    assert {page.language for page in pages} == {"de", "fr"}
    assert {page.topic for page in pages} == {"music", ""}


@pytest.mark.parametrize("seed", [0, -1, 2**64, 10**30])
def test_any_seed_will_do(seed: int) -> None:
    world = World(seed=seed, hosts=2, pages=20)
    assert ask(world, world.seeds()[0]).status == 200


def test_the_lab_offers_the_world_and_its_orders() -> None:
    assert gossamer.lab.World is World
    assert gossamer.lab.Trouble is Trouble
    with pytest.raises(AttributeError, match="Wrld"):
        gossamer.lab.Wrld  # noqa: B018


def test_head_other_methods_and_strange_requests(plain: World) -> None:
    url = plain.seeds()[0]
    assert ask(plain, url, method="HEAD").headers == ask(plain, url).headers
    post = ask(plain, url, method="POST")
    assert (post.status, header(post, "Allow")) == (405, "GET, HEAD")
    assert plain.answer(Asked("GET", "www.example.org", "/"), 0.0).status == 421
    host = plain.hosts()[0]
    for target in ("*", "", "http://other/", "/a\x00b", "/" + "a/" * 5000):
        assert plain.answer(Asked("GET", host, target), 0.0).status == 400
    for target in (
        "/no",
        "/notes/0/p99999999999999999999.html",
        "/moved/1/5",
        "/calendar/2024/1",
        "/files/",
        "/?x=1",
    ):
        assert plain.answer(Asked("GET", host, target), 0.0).status == 404
    assert plain.answer(Asked("GET", host, "/?sid=1&utm_source=x"), 0.0).status == 200
    assert ask(plain, f"http://{host}:8100/images/0001.jpg").body.startswith(b"GIF89a")


@pytest.mark.parametrize(
    "url", ["", "http:", "http://", "http://x", "mailto:a@b", "http://127.1.0.1:8100", "/", "\x00"]
)
def test_urls_of_other_worlds_have_no_truth(plain: World, url: str) -> None:
    assert plain.page(url) is None


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"pages": 0}, "pages"),
        ({"hosts": 0}, "hosts"),
        ({"hosts": 50, "pages": 10}, "hosts"),
        ({"languages": ("xx",)}, "xx"),
        ({"languages": ()}, "language"),
        ({"topics": ("quidditch",)}, "quidditch"),
        ({"topic_locality": 2}, "topic_locality"),
        ({"naming": "numbers"}, "naming"),
        ({"port": 0}, "port"),
        ({"colour": "red"}, "colour"),
        ({"compress": -1}, "compress"),
        ({"pages": "many"}, "pages"),
        ({"hosts": 2.5}, "hosts"),
        ({"languages": "en"}, "languages"),
        ({"trouble": 0.1}, "trouble"),
        ({"compress": "much"}, "type"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(options: dict[str, object], word: str) -> None:
    with pytest.raises(BadInput, match=word) as refusal:
        World(**options)  # type: ignore[arg-type]
    assert str(refusal.value).endswith(".")
