"""The edges of a graph equal the links that the store returns one by one."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.rows import LinkRow, to_columns

from gossamer.errors import BadInput
from gossamer.graph.graph import LoadedGraph
from gossamer.graph.link_selection import LinkSelection, parse_selection, select_graph
from gossamer.net import url as urls
from gossamer.records import LinkType, Page
from gossamer.store.batch import Batch
from gossamer.store.links import page_names
from gossamer.store.links.load_graph import read_edges
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.web import Web

PAGES = [f"http://{host}.example/{page}" for host in ("a", "www.b", "c.b") for page in range(4)]
FETCHED, REDIRECTING, ELSEWHERE = PAGES[:7], PAGES[7:10], PAGES[10:]
TYPES: list[LinkType] = ["a", "area", "frame", "link"]


def page(url: str, depth: int = 0, **marks: str) -> Page:
    host = urls.host(url)
    title = f"Title of {url}"
    return Page(urls.page_id(url), url, host, 1, depth, 1.0, 200, "html", title, marks=marks)


def link(source: str, target: str, kind: LinkType = "a") -> LinkRow:
    flags = (False, urls.spans_hosts(source, target), urls.spans_sites(source, target))
    return urls.page_id(source), urls.page_id(target), kind, "text", *flags


def fill(store: SqliteStore, links: list[LinkRow], pages: list[Page]) -> None:
    store.commit(
        Batch(pages=pages, links=to_columns(links), known=[(urls.page_id(url), url) for url in PAGES])
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    yield opened
    opened.close()


def list_links(loaded: LoadedGraph) -> set[tuple[str, str]]:
    graph = loaded.graph
    names = graph.names.of(np.arange(graph.nodes))
    return {(names[a], names[b]) for a, b in zip(graph.link_sources(), graph.targets, strict=True)}


def test_a_web_with_redirects_rim_and_hosts(store: SqliteStore) -> None:
    a, b, c, d = PAGES[0], PAGES[1], PAGES[4], PAGES[5]
    moved, ring, rim = PAGES[7], PAGES[8], PAGES[10]
    links = [
        link(a, b),
        link(a, b, "area"),
        link(a, a),
        link(a, moved),
        link(b, rim),
        link(b, ring),
        link(c, d, "frame"),
        link(moved, d, "redirect"),
        link(ring, ring, "redirect"),
        (0, urls.page_id(a), "seed", "", False, False, False),
    ]
    fill(store, links, [page(a), page(b, 1), page(c, 2), page(d, 3)])
    plain = load_chosen(store)
    assert plain.graph.names.of([0, 1, 2, 3]) == [a, b, c, d]
    assert plain.graph.names.titles([0]) == [f"Title of {a}"]
    assert list_links(plain) == {(a, b), (a, d), (c, d)}
    assert (plain.loops, plain.repeated, plain.unknown) == (1, 1, 2)
    assert plain.facts is not None
    assert plain.facts.depths.tolist() == [0, 1, 2, 3]
    counts = plain.facts.counts
    assert (counts.all, counts.spanning_hosts, counts.types) == (7, 3, {"a": 5, "area": 1, "frame": 1})
    assert list_links(load_chosen(store, rim=True)) == {(a, b), (a, d), (c, d), (b, rim), (b, ring)}
    assert list_links(load_chosen(store, links="hosts")) == {(a, d)}
    assert list_links(load_chosen(store, links="hosts", rim=True)) == {(a, d), (b, rim), (b, ring)}
    assert list_links(load_chosen(store, unit="sites")) == {("a.example", "b.example")}
    assert list_links(load_chosen(store, unit="hosts")) == {("a.example", "www.b.example")}
    assert list_links(load_chosen(store, types=("frame",))) == {(c, d)}
    assert list_links(load_chosen(store, depth=(1, 3))) == {(c, d)}


def load_chosen(store: SqliteStore, **options: object) -> LoadedGraph:
    choice = LinkSelection(**options)  # type: ignore[arg-type]
    return select_graph(read_edges(store, choice), choice)


EDGES = st.lists(
    st.tuples(st.sampled_from(FETCHED), st.sampled_from(PAGES), st.sampled_from(TYPES)), max_size=40
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    edges=EDGES, moved=st.dictionaries(st.sampled_from(REDIRECTING), st.sampled_from(PAGES)), data=st.data()
)
def test_edges_equal_the_links_read_one_by_one(
    tmp_path_factory: pytest.TempPathFactory,
    edges: list[tuple[str, str, LinkType]],
    moved: dict[str, str],
    data: st.DataObject,
) -> None:
    rim, types = data.draw(st.booleans()), data.draw(st.sampled_from([(), ("a", "area")]))
    store = SqliteStore(tmp_path_factory.mktemp("web") / "state.sqlite", create=True)
    redirects = [link(origin, end, "redirect") for origin, end in moved.items()]
    fill(store, [*(link(*edge) for edge in edges), *redirects], [page(url) for url in FETCHED])
    found = list_links(load_chosen(store, rim=rim, types=types))
    choice = parse_selection({"rim": rim, "types": types})
    plain = select_graph(read_edges(store, choice, with_facts=False), choice)
    assert (list_links(plain), plain.facts) == (found, None)
    assert plain.graph.names.of(range(len(FETCHED))) == FETCHED
    wanted = {(a, follow_redirects(b, moved)) for a, b, kind in edges if not types or kind in types}
    in_ring = {url for url in REDIRECTING if follow_redirects(url, moved) in moved}
    assert {edge for edge in found if edge[1] not in in_ring} == {
        (a, b) for a, b in wanted if a != b and (rim or b in FETCHED) and b not in in_ring
    }
    store.close()


def follow_redirects(url: str, moved: dict[str, str]) -> str:
    for _ in range(5):
        url = url if url in FETCHED else moved.get(url, url)
    return url


def test_more_links_than_the_stored_count_are_read(store: SqliteStore) -> None:
    fill(store, [link(a, b) for a in FETCHED for b in FETCHED], [page(url) for url in FETCHED])
    writer = store._writer
    assert writer is not None
    writer.execute("update total set value = 1 where name = 'links'")
    assert list_links(load_chosen(store)) == {(a, b) for a in FETCHED for b in FETCHED if a != b}


def test_relevance(store: SqliteStore) -> None:
    a, b, c = PAGES[:3]
    fill(store, [link(a, b), link(b, c)], [page(a, relevance="0.95"), page(b, relevance="0.5"), page(c)])
    assert list_links(load_chosen(store, relevance=0.5)) == {(a, b)}
    loaded = load_chosen(store, relevance=0.0)
    assert loaded.facts is not None
    assert loaded.facts.relevance.tolist() == [0.95, 0.5]
    with pytest.raises(BadInput, match="empty"):
        load_chosen(store, relevance=0.99)


def test_an_empty_web_is_refused(store: SqliteStore) -> None:
    with pytest.raises(BadInput, match="the graph is empty"):
        load_chosen(store)


def test_many_names_are_read_by_scanning_tables(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, [link(PAGES[0], PAGES[10])], [page(PAGES[0])])
    names = load_chosen(store, rim=True).graph.names
    few = names.of([1, 0]), names.titles([1, 0])
    monkeypatch.setattr(page_names, "_MANY", 0)
    assert (
        (names.of([1, 0]), names.titles([1, 0]))
        == few
        == ([PAGES[10], PAGES[0]], ["", f"Title of {PAGES[0]}"])
    )


def test_from_python(tmp_path: Path) -> None:
    with Web(tmp_path) as web:
        assert isinstance(web.store, SqliteStore)
        fill(web.store, [link(PAGES[0], PAGES[4])], [page(PAGES[0]), page(PAGES[4])])
        graph = web.graph(links="sites", unit="hosts")
        assert graph.names.of(graph.targets) == ["www.b.example"]
        with pytest.raises(BadInput, match="links cannot be"):
            web.graph(links="sideways")
        with pytest.raises(BadInput, match="unknown field `link`"):
            web.graph(link="all")
