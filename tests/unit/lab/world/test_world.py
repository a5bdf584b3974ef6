"""The answers of a world agree with its truth, as seen by an independent reader."""

import gzip
import pickle
import re
import sys

import pytest
from selectolax.lexbor import LexborHTMLParser
from tests.unit.lab.world_reader import ask, header, links_in, truth, words

import gossamer.lab
from gossamer.errors import BadInput
from gossamer.lab.options import Shape, Trouble
from gossamer.lab.server.answer import Answering, LabRequest, LocatedWorld
from gossamer.lab.world.world import World
from gossamer.lab.writing.phrases import LANGUAGES


@pytest.fixture(scope="module")
def plain() -> World:
    return World(seed=5, hosts=6, pages=120, shape=Shape(groups=()))


def test_a_world_has_hosts_and_start_pages(plain: World) -> None:
    answering: Answering = plain
    assert isinstance(answering, LocatedWorld)
    assert len(plain.hosts()) == 6
    assert plain.hosts()[0] == "127.1.0.1"
    assert plain.host_map() == {}


@pytest.mark.slow
def test_every_page_of_a_plain_world_agrees_with_its_truth(plain: World) -> None:
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


def test_gzip_is_sent_only_to_clients_that_accept_it() -> None:
    world = World(hosts=3, pages=30, compress=1.0, shape=Shape(groups=()))
    url = world.seeds()[0]
    plain_answer = ask(world, url)
    packed = ask(world, url, headers={"accept-encoding": "gzip, br"})
    assert header(plain_answer, "Content-Encoding") == ""
    assert header(packed, "Content-Encoding") == "gzip"
    assert header(packed, "Vary") == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain_answer.body


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


@pytest.mark.slow
def test_a_web_of_a_hundred_million_pages_costs_no_more_than_a_small_one() -> None:
    def count_calls(hosts: int, pages: int) -> tuple[World, int]:
        """Return a world and the number of calls that making it and answering 40 requests takes."""
        calls = 0

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(count)
        try:
            world = World(hosts=hosts, pages=pages, trouble=Trouble.all(0.01))
            for number in range(40):
                ask(world, world.url(number * (pages // 40)))
        finally:
            sys.setprofile(None)
        return world, calls

    count_calls(20, 1000)  # loads the words
    _, small_calls = count_calls(20, 1000)
    huge, huge_calls = count_calls(20_000, 10**8)
    assert huge_calls < 3 * small_calls
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


def test_a_site_has_one_language_and_pages_have_topics() -> None:
    world = World(hosts=6, pages=300, languages=("de", "fr"), topics=("music",), shape=Shape(groups=()))
    pages = [truth(world, url) for url in world.graph().urls[::5]]
    by_site: dict[int | None, set[str]] = {}
    for page in pages:
        by_site.setdefault(world.site(page.url), set()).add(page.language)
    assert all(len(languages) == 1 for languages in by_site.values())
    assert {page.language for page in pages} == {"de", "fr"}
    assert {page.topic for page in pages} == {"music", ""}


def lang(body: bytes) -> str:
    root = LexborHTMLParser(body).root
    assert root is not None
    return root.attributes.get("lang") or ""


def test_every_language_has_a_country() -> None:
    world = World(
        hosts=3 * len(LANGUAGES), pages=200, naming="countries", languages=tuple(LANGUAGES), port=80
    )
    ends = [host.rpartition(".")[2] for host in world.hosts()[::3]]
    countries = dict(zip(LANGUAGES, ends, strict=True))
    assert len(set(ends)) == len(LANGUAGES)
    assert (countries["da"], countries["en"]) == ("dk", "uk")
    assert world.url(0) == f"http://h0.lab-site0.{ends[0]}/"
    assert world.site(world.url(0)) == 0


def test_foreign_pages_are_in_the_first_language_and_misdeclared_hosts_declare_it_or_none() -> None:
    world = World(hosts=30, pages=90, languages=("en", "de"), foreign=0.3, misdeclared=0.5)
    pairs: set[tuple[str, str]] = set()
    languages: list[str] = []
    for url in world.graph().urls:
        page = truth(world, url)
        declared = lang(ask(world, url).body)
        pairs.add((page.language, declared))
        if (world.site(url) or 0) % 2:
            languages.append(page.language)
            text = words(page.main_text)
            english, german = (
                sum(map(text.count, some)) for some in (("the", "to", "of"), ("der", "die", "und"))
            )
            assert (english > german) == (page.language == "en")
    assert pairs == {("en", "en"), ("en", ""), ("de", "de"), ("de", "en"), ("de", "")}
    assert 0.1 < languages.count("en") / len(languages) < 0.5


@pytest.mark.parametrize("seed", [0, -1, 2**64, 10**30])
def test_any_integer_is_a_seed(seed: int) -> None:
    world = World(seed=seed, hosts=2, pages=20)
    assert ask(world, world.seeds()[0]).status == 200


def test_the_package_exports_the_world_and_its_options() -> None:
    assert gossamer.lab.World is World
    assert gossamer.lab.Trouble is Trouble
    with pytest.raises(AttributeError, match="Wrld"):
        gossamer.lab.Wrld  # noqa: B018


def test_head_requests_other_methods_and_invalid_requests(plain: World) -> None:
    url = plain.seeds()[0]
    assert ask(plain, url, method="HEAD").headers == ask(plain, url).headers
    post = ask(plain, url, method="POST")
    assert (post.status, header(post, "Allow")) == (405, "GET, HEAD")
    assert plain.answer(LabRequest("GET", "www.example.org", "/"), 0.0).status == 421
    host = plain.hosts()[0]
    for target in ("*", "", "http://other/", "/a\x00b", "/" + "a/" * 5000):
        assert plain.answer(LabRequest("GET", host, target), 0.0).status == 400
    for target in (
        "/no",
        "/notes/0/p99999999999999999999.html",
        "/moved/1/5",
        "/calendar/2024/1",
        "/files/",
        "/?x=1",
    ):
        assert plain.answer(LabRequest("GET", host, target), 0.0).status == 404
    assert plain.answer(LabRequest("GET", host, "/?sid=1&utm_source=x"), 0.0).status == 200
    assert ask(plain, f"http://{host}:8100/images/0001.jpg").body.startswith(b"GIF89a")


@pytest.mark.parametrize(
    "url", ["", "http:", "http://", "http://x", "mailto:a@b", "http://127.1.0.1:8100", "/", "\x00"]
)
def test_urls_outside_the_world_have_no_truth(plain: World, url: str) -> None:
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
        ({"compress": "much"}, "compress"),
    ],
)
def test_wrong_options_are_errors_of_one_sentence(options: dict[str, object], word: str) -> None:
    with pytest.raises(BadInput, match=word) as refusal:
        World(**options)  # type: ignore[arg-type]
    assert str(refusal.value).endswith(".")
