"""Every trouble of a world shows in its answers as its truth says."""

import gzip
import re
from collections import Counter
from urllib.parse import urlsplit

import msgspec
import pytest
from tests.unit.lab.world_reader import ask, header, links_in, truth, words

from gossamer.lab.layout.page_urls import SECTIONS
from gossamer.lab.options import PAGE_TROUBLES, Shape, Trouble
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.world.world import World
from gossamer.net.url import canonical


@pytest.fixture(scope="module")
def troubled() -> World:
    trouble = msgspec.structs.replace(Trouble.all(0.04), large_bytes=50_000, bomb_bytes=100_000)
    return World(seed=2, hosts=12, pages=200, trouble=trouble, shape=Shape(groups=()))


@pytest.mark.slow
def test_pages_in_trouble_agree_with_their_truth(troubled: World) -> None:
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


def test_pages_with_frames_have_frames_or_an_inline_frame() -> None:
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
        way = troubled._truth.resolve(troubled.url(number))
        assert way is not None
        plan = troubled._truth._planner.plan_page(way, 0.0).plan
        for link in plan.links:
            assert canonical(link.href, plan.base or plan.url) == link.url == canonical(link.url)
            spellings["session"] += bool(re.search("sessi|sid=", link.href, re.IGNORECASE))
            spellings["relative"] += not link.href.lower().startswith(("http:", "/"))
            spellings["fragment"] += "#" in link.href
            spellings["dots"] += ".." in link.href
            spellings["percent"] += "%" in link.href
            spellings["loud"] += link.href.startswith("HTTP:")
    assert all(spellings[kind] for kind in ("session", "relative", "fragment", "dots", "percent", "loud"))


def follow(world: World, url: str, now_s: float = 0.0, most: int = 20) -> tuple[str, LabAnswer, int]:
    for hops in range(most):
        answer = ask(world, url, now_s)
        if not 300 <= answer.status < 400 or answer.status == 304:
            return url, answer, hops
        url = canonical(header(answer, "Location"), url)
    return "", answer, most


@pytest.mark.slow
def test_redirects_end_at_the_final_url_of_the_truth_or_never() -> None:
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


@pytest.mark.slow
def test_links_to_moved_pages_lead_through_all_redirects() -> None:
    world = World(hosts=5, pages=200, trouble=Trouble(redirect=1.0), shape=Shape(groups=()))
    for number in range(0, 200, 10):
        for link in truth(world, world.url(number)).links:
            target = truth(world, link.url)
            assert target.trouble == "redirect" or urlsplit(link.url).path == "/" or not target.aliases
            assert truth(world, target.final_url).status == 200
    assert set(world.reachable()) > set(world.reachable(redirects=False))


@pytest.mark.slow
def test_a_naive_crawler_finds_exactly_the_reachable_pages(troubled: World) -> None:
    """A simple crawler that ignores robots.txt must find all reachable pages, and only doubtful ones besides."""
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


@pytest.mark.slow
def test_the_truth_knows_disallowed_directories_and_failing_robots_files() -> None:
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


def test_traps_are_endless() -> None:
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


@pytest.mark.slow
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
        # The anchors of links in the text differ.
        assert (ours & theirs).total() > 0.5 * max(ours.total(), theirs.total())


def test_hosts_with_soft_404_answer_200_for_missing_pages() -> None:
    world = World(hosts=2, pages=60, trouble=Trouble(soft_404=0.5), shape=Shape(groups=()))
    statuses = {ask(world, f"http://{host}:8100/no/such/page.html").status for host in world.hosts()}
    assert statuses == {200, 404}
    assert world.page(f"http://{world.hosts()[0]}:8100/no/such/page.html") is None


def test_refusals_have_a_retry_after_that_is_true() -> None:
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


@pytest.mark.slow
def test_troubles_of_sending_become_faults() -> None:
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


@pytest.mark.slow
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


def test_slow_hosts_delay_every_answer() -> None:
    world = World(hosts=4, pages=40, trouble=Trouble(slow=0.25, slow_s=0.7), shape=Shape(groups=()))
    delays: Counter[float] = Counter()
    for host in world.hosts():
        fault = ask(world, f"http://{host}:8100/").fault
        delays[fault.delay_s if fault else 0.0] += 1
    assert delays == {0.7: 1, 0.0: 3}
