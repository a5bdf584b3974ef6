"""Pictures of a web as data: columns, filters, the bytes that browsers read, and places that are kept."""

import json
from pathlib import Path

import numpy as np
import pytest

from gossamer.errors import BadInput
from gossamer.graph.graph import from_edges
from gossamer.ui.workbench.graph_picture import draw_svg
from gossamer.ui.workbench.selections import decode_selection, make_patterns
from gossamer.ui.workbench.views.graph_payload import encode_growth, encode_view
from gossamer.ui.workbench.views.graph_view import (
    MOST_LINKS,
    GraphView,
    ViewKey,
    choose_level,
    choose_links,
    grow_view,
    make_view,
)
from gossamer.ui.workbench.views.kept_places import FOLDER, load_places, match_places, save_places
from gossamer.ui.workbench.views.node_columns import (
    NodeColumn,
    make_category,
    make_mark,
    make_numbered_category,
)
from gossamer.ui.workbench.views.node_filter import NodeFilter, filter_nodes
from gossamer.ui.workbench.views.web_graph import WebGraph, extend_communities

HOSTS = ["a.example", "a.example", "b.example", "b.example", "b.example"]


def _make_web_graph(pages: int = 5) -> WebGraph:
    """Return pages that link in a ring: two of one host, the others of another."""
    graph = from_edges(np.arange(pages), (np.arange(pages) + 1) % pages, pages)
    hosts = [HOSTS[min(page, 4)] for page in range(pages)]
    communities = np.array([0, 0, 1, 1, 1, *[1] * pages][:pages])
    columns = {
        "depth": NodeColumn("depth", np.arange(pages, dtype=np.float64), merge="least"),
        "language": make_category("language", ["en", "en", "de", "", "de", *[""] * pages][:pages]),
        "status": make_category("status", ["200"] * pages),
        "host": make_category("host", hosts),
        "words": NodeColumn("words", np.full(pages, 10.0), merge="sum"),
        "community": make_numbered_category("community", communities, ["1: stone", "2: sand"]),
        "mark:relevance": make_mark("relevance", ["0.9", "0.1", "", "0.5", "0.7", *[""] * pages][:pages]),
        "mark:kind": make_mark("kind", ["Shop, Blog", "News", "", "shop, blog", "", *[""] * pages][:pages]),
    }
    host_of = np.array([["a.example", "b.example"].index(host) for host in hosts])
    names = ["a.example", "b.example"]
    return WebGraph(
        graph, np.arange(pages) + 100, host_of, names, columns, communities, ["1: stone", "2: sand"], 1
    )


def _no_places(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((len(keys), 2)), np.zeros(len(keys), np.bool_)


def _make_view(key: ViewKey | None = None, pages: int = 5) -> GraphView:
    return make_view(_make_web_graph(pages), key or ViewKey(), "stamp", _no_places, lambda _, __: None)


def test_a_picture_is_decoded_to_what_it_was() -> None:
    view = _make_view()
    raw = encode_view(view, {0: "</script>"})
    length = int.from_bytes(raw[:4], "little")
    assert (4 + length) % 8 == 0
    head = json.loads(raw[4 : 4 + length])
    assert (head["nodes"], head["links"], head["labels"]) == (5, 5, {"0": "</script>"})
    arrays = {
        one["name"]: np.frombuffer(raw, f"<{one['type']}", one["count"], 4 + length + one["at"])
        for one in head["arrays"]
    }
    places = head["low"] + arrays["places"].reshape(-1, 2) / 65_535 * head["side"]
    assert np.allclose(places, view.places, atol=head["side"] / 60_000)
    assert arrays["sources"].tolist() == view.sources.tolist()
    assert arrays["targets"].tolist() == view.targets.tolist()
    assert (
        arrays["column language"].tolist() == [1, 1, 0, 255, 0]
        or head["columns"]["language"]["names"][0] == "de"
    )
    assert arrays["column depth"].tolist() == [0, 62, 125, 188, 250]


def test_an_empty_web_is_a_picture_without_nodes() -> None:
    web_graph = WebGraph(
        from_edges([], [], 0),
        np.empty(0, np.int64),
        np.empty(0, np.int64),
        [],
        {},
        np.empty(0, np.int64),
        [],
        0,
    )
    view = make_view(web_graph, ViewKey(), "stamp", _no_places, lambda _, __: None)
    assert view.nodes == 0
    assert encode_view(view, {})
    assert "<svg" in draw_svg(view, np.empty(0, np.bool_), ("community", "pagerank"), {})


def test_hosts_have_the_most_frequent_language_the_least_depth_and_the_sum_of_words() -> None:
    view = _make_view(ViewKey("hosts"))
    assert view.names == ["a.example", "b.example"]
    assert view.columns["depth"].values.tolist() == [0, 2]
    assert [view.columns["language"].names[int(code)] for code in view.columns["language"].values] == [
        "en",
        "de",
    ]
    assert view.columns["words"].values.tolist() == [20, 30]
    assert view.columns["pages"].values.tolist() == [2, 3]
    assert view.columns["mark:relevance"].values == pytest.approx([0.5, 0.6])
    assert view.graph.links == 2
    assert view.list_pages(np.array([False, True])).tolist() == [102, 103, 104]


def test_pages_can_be_those_of_one_host_or_community() -> None:
    inside = _make_view(ViewKey("pages", "content", "host:b.example"))
    assert inside.keys.tolist() == [102, 103, 104]
    assert inside.graph.links == 2
    assert _make_view(ViewKey("pages", "content", "community:1")).keys.tolist() == [100, 101]
    with pytest.raises(BadInput, match="there is no host"):
        _make_view(ViewKey("pages", "content", "host:c.example"))


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        (NodeFilter(depth_from="1", depth_to="3"), [1, 2, 3]),
        (NodeFilter(language="DE"), [2, 4]),
        (NodeFilter(host="b.*"), [2, 3, 4]),
        (NodeFilter(host="A.EX"), [0, 1]),
        (NodeFilter(community="1"), [0, 1]),
        (NodeFilter(mark="mark:relevance", least="0.6"), [0, 4]),
        (NodeFilter(mark="mark:relevance", greatest="0.5"), [1, 3]),
        (NodeFilter(mark="mark:relevance", least="0.2", greatest="0.6"), [3]),
        (NodeFilter(mark="mark:relevance", category="language"), [0, 1, 2, 3, 4]),
        (NodeFilter(category="language", values="DE, en"), [0, 1, 2, 4]),
        (NodeFilter(category="mark:kind", values="Shop, Blog"), [0, 3]),
        (NodeFilter(category="mark:kind", values="news"), [1]),
        (NodeFilter(region="scc", status="200"), [0, 1, 2, 3, 4]),
        (NodeFilter(host="("), []),
    ],
)
def test_a_filter_lets_the_nodes_through_that_it_names(wanted: NodeFilter, shown: list[int]) -> None:
    assert np.flatnonzero(filter_nodes(_make_view(), wanted)).tolist() == shown


def test_a_filter_that_cannot_be_read_says_what_to_do() -> None:
    for wanted, sentence in (
        (NodeFilter(category="language", values="fr"), "no node has 'fr' as language; there are de, en"),
        (NodeFilter(category="words", values="10"), "words is a number"),
        (NodeFilter(values="de"), "choose the mark"),
        (NodeFilter(mark="language", greatest="1"), "language is not a number"),
        (NodeFilter(mark="words", greatest="many"), "at most must be a number"),
    ):
        with pytest.raises(BadInput, match=sentence):
            filter_nodes(_make_view(), wanted)
    with pytest.raises(BadInput, match="depth must be a number"):
        filter_nodes(_make_view(), NodeFilter(depth_from="deep"))
    with pytest.raises(BadInput, match="these nodes have no 'beauty'"):
        filter_nodes(_make_view(), NodeFilter(mark="mark:beauty", least="1"))


def test_places_are_kept_and_damaged_files_keep_none(tmp_path: Path) -> None:
    keys, places = np.array([5, -7, 2**62]), np.array([[1.0, 2], [3, 4], [5, 6]])
    save_places(tmp_path, "pages/all/", keys, places)
    found, known = load_places(tmp_path, "pages/all/", np.array([2**62, 9, 5]))
    assert known.tolist() == [True, False, True]
    assert found.tolist() == [[5, 6], [0, 0], [1, 2]]
    assert not load_places(tmp_path, "hosts/all/", keys)[1].any()
    for file in (tmp_path / FOLDER).iterdir():
        file.write_bytes(b"PK\x03\x04 not a file of places")
    assert not load_places(tmp_path, "pages/all/", keys)[1].any()


def test_a_grown_picture_keeps_its_nodes_and_links_before_the_new_ones() -> None:
    view = _make_view(pages=6)

    def find_places(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return match_places(view.keys, view.places, keys)

    grown = grow_view(view, _make_web_graph(8), find_places)
    assert grown is not None
    assert np.array_equal(grown.places[:6], view.places)
    assert grown.sources[: len(view.sources)].tolist() == view.sources.tolist()
    news = encode_growth(grown, 6, len(view.sources), {})
    assert len(news["x"]) == 2
    added = set(zip(news["sources"], news["targets"], strict=True))
    assert added == {(5, 6), (6, 7), (7, 0)}
    assert grow_view(grown, _make_web_graph(4), find_places) is None


def test_new_pages_join_the_community_of_their_neighbours() -> None:
    graph = from_edges([2, 3, 4], [0, 2, 4], 5)
    assert extend_communities(graph, np.array([7, 8])).tolist() == [7, 8, 7, 7, -1]


def test_of_too_many_links_those_to_the_least_linked_nodes_are_drawn() -> None:
    nodes, each = 2_000, 200
    sources = np.repeat(np.arange(nodes), each)
    targets = (sources + np.tile(np.arange(1, each + 1), nodes)) % nodes
    famous = from_edges(
        np.concatenate([sources, np.arange(1, nodes)]),
        np.concatenate([targets, np.zeros(nodes - 1, int)]),
        nodes,
    )
    drawn_sources, drawn_targets = choose_links(famous)
    assert 0 < len(drawn_sources) <= MOST_LINKS
    assert np.count_nonzero(drawn_targets == 0) < 100


def test_large_webs_begin_with_hosts_or_communities() -> None:
    assert choose_level(100_000, 5) == "pages"
    assert choose_level(100_001, 5) == "hosts"
    assert choose_level(1_000_000, 1) == "communities"


def test_a_selection_is_a_bit_for_each_node() -> None:
    assert decode_selection("BQE=", 9).tolist() == [True, False, True, *[False] * 5, True]
    for text, nodes in (("BQE=", 17), ("BQE=", 8), ("!", 3), ("é", 3)):
        with pytest.raises(BadInput):
            decode_selection(text, nodes)


def test_patterns_exclude_a_page_a_folder_or_a_host() -> None:
    assert make_patterns(["http://a.example/x?y=(1)"]) == [r"^http://a\.example/x\?y=\(1\)"]
    assert make_patterns(["http://a.example/d/1", "http://a.example/d/12", "http://b.example/"]) == [
        r"^http://a\.example/d/",
        r"^http://b\.example/",
    ]
    assert make_patterns(["http://a.example/d", "http://a.example/e"]) == [r"^http://a\.example/"]
    with pytest.raises(BadInput, match="hosts"):
        make_patterns([f"http://h{number}.example/" for number in range(30)])


def test_texts_of_the_web_stay_texts_in_a_picture() -> None:
    svg = draw_svg(
        _make_view(),
        np.ones(5, np.bool_),
        ("community", "pagerank"),
        {0: '</text><script>x("y")</script>\x00\u202e'},
    )
    assert "<script" not in svg
    assert "&lt;/text&gt;&lt;script&gt;" in svg
    assert "\x00" not in svg
    assert "\u202e" not in svg
    assert svg.count("<circle") == 5
