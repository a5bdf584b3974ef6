"""For any options: numbers and URLs match, links respect the regions, every request gets an answer."""

from urllib.parse import urlsplit

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from gossamer.lab.behaviour.page_changes import Timetable
from gossamer.lab.options import BowTie, Changes, Shape, Trouble
from gossamer.lab.server.answer import LabRequest
from gossamer.lab.world.world import World
from gossamer.net.url import canonical

GENTLE = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TROUBLED = World(hosts=9, pages=200, trouble=Trouble.all(0.04), shape=Shape(groups=()), sitemaps=True)


@st.composite
def bow_ties(draw: st.DrawFn) -> BowTie:
    core, into, out, tendrils, tubes, apart = draw(
        st.tuples(st.integers(3, 9), *(st.integers(0, 9) for _ in range(5)))
    )
    tubes = tubes if into and out else 0
    tendrils = tendrils if into or out else 0
    total = core + into + out + tendrils + tubes + apart
    return BowTie(
        core=core / total,
        in_=into / total,
        out=out / total,
        tendrils=tendrils / total,
        tubes=tubes / total,
        disconnected=apart / total,
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    pages = draw(st.integers(15, 90))
    shape = Shape(
        bowtie=draw(bow_ties()),
        groups=(),
        host_skew=draw(st.floats(0, 1)),
        hosts_per_site=draw(st.integers(1, 5)),
        island_pages=draw(st.integers(1, 30)),
        inside_host=draw(st.floats(0, 0.9)),
    )
    return World(
        seed=draw(st.integers(0, 2**64)),
        hosts=draw(st.integers(1, pages)),
        pages=pages,
        shape=shape,
        naming=draw(st.sampled_from(("address", "names", "countries"))),
        topics=draw(st.sampled_from(((), ("music",), ("music", "law", "sailing")))),
    )


@GENTLE
@given(worlds())
def test_every_number_has_a_url_and_every_host_a_page(world: World) -> None:
    urls = world.graph().urls
    assert len(set(urls)) == world.options.pages
    assert {urlsplit(url).hostname for url in urls} == set(world.hosts())
    for number, url in enumerate(urls):
        assert world.url(number) == url == canonical(url)
        way = world._truth.resolve(url)
        assert way is not None
        assert way.number == number


@GENTLE
@given(worlds())
def test_links_lead_only_where_a_bow_tie_allows(world: World) -> None:
    ways = {
        "core": {"core", "out"},
        "in": {"in", "core", "out", "tubes", "tendrils"},
        "out": {"out"},
        "tubes": {"tubes", "out"},
        "tendrils": {"tendrils", "out"},
        "disconnected": {"disconnected"},
    }
    graph = world.graph()
    for source, target in zip(graph.sources, graph.targets, strict=True):
        assert graph.regions[target] in ways[graph.regions[source]]
    assert set(world.reachable(world.seeds(everywhere=True))) == set(graph.urls)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(("GET", "HEAD", "POST", "")),
    st.sampled_from((*TROUBLED.hosts(), "127.1.0.1:8100", "x", "127.999.1.1")),
    st.one_of(
        st.text(max_size=60).map(lambda text: "/" + text),
        st.text(max_size=20),
        st.from_regex(r"/(moved|loop|calendar|files|notes|sitemap)[0-9/a-z.?=]{0,30}", fullmatch=True),
        st.integers(0, 199).map(lambda number: "/" + TROUBLED.url(number).split("/", 3)[3]),
    ),
    st.dictionaries(
        st.sampled_from(("if-none-match", "if-modified-since", "accept-encoding")), st.text(max_size=20)
    ),
    st.floats(0, 1e10),
)
def test_every_request_gets_an_answer(
    method: str, host: str, target: str, headers: dict[str, str], now_s: float
) -> None:
    asked = LabRequest(method, host, target, headers)
    answer = TROUBLED.answer(asked, now_s)
    assert 200 <= answer.status < 600
    assert TROUBLED.answer(asked, now_s) == answer
    for name, value in answer.headers:
        assert name.isascii()
        assert value.isascii()
        assert not set("\r\n\x00") & set(name + value)


@given(st.text(max_size=60))
def test_any_url_has_a_truth_or_none(url: str) -> None:
    assert TROUBLED.page(url) is None or url.startswith("http://127.1.")


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**64 - 1),
    st.floats(0.001, 50),
    st.lists(st.floats(0, 3e6), min_size=2, max_size=6),
)
def test_time_only_adds_changes(key: int, per_day: float, moments: list[float]) -> None:
    timetable = Timetable(Changes(changes_per_day=per_day))
    moments.sort()
    versions = [timetable.find_version(key, now_s)[0] for now_s in moments]
    assert versions == sorted(versions)
    assert versions[-1] == len(list(timetable.list_changes(key, moments[-1])))
