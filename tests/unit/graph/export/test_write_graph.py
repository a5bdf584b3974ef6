"""Written graphs are read again as the same graph, here and by other programs, with any page titles."""

import random
from pathlib import Path

import igraph
import networkx
import numpy as np
import pytest
from pyarrow import parquet

from gossamer.errors import BadInput
from gossamer.graph.export.node_layout import lay_out_nodes
from gossamer.graph.export.write_graph import NodeCommunities, write_graph
from gossamer.graph.files.read_graph import read
from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.link_selection import LinkSelection, select_graph
from gossamer.graph.node_names import NameList, Rows, name_nodes

HOSTILE = [
    "http://a.example/?a=1&b=<2>",
    'http://a.example/"quoted"',
    "http://a.example/\x00\x0b\x1f\x7f\x85",
    "line\nbreak\rand\ttab",
    "漢字 🕸 ]]> <![CDATA[",
    "\ufffe\uffff\u202eturned",
    "",
    "&amp; -- ' ;",
]
PAIRS = {(0, 1), (1, 0), (2, 1), (1, 3), (3, 4), (5, 6), (4, 7)}


def graph() -> Graph:
    sources, targets = zip(*sorted(PAIRS), strict=True)
    return from_edges(sources, targets, len(HOSTILE), name_nodes(NameList(HOSTILE), len(HOSTILE)))


def export(form: str, out: Path) -> list[Path]:
    return write_graph(form, out, graph(), lambda _: None)


def pairs(found: Graph) -> set[tuple[int, int]]:
    return set(zip(found.link_sources().tolist(), found.targets.tolist(), strict=True))


@pytest.mark.parametrize("form", ["lines", "parquet"])
def test_exported_node_and_edge_files_can_be_read(form: str, tmp_path: Path) -> None:
    nodes, edges = export(form, tmp_path / "out")
    found = select_graph(read(edges, nodes), LinkSelection()).graph
    assert pairs(found) == PAIRS
    assert found.names.of(range(found.nodes)) == HOSTILE


def test_lines_have_the_format_of_schmitz(tmp_path: Path) -> None:
    nodes, edges = export("lines", tmp_path / "out")
    assert nodes.read_text("utf-8").startswith(
        '0,"http://a.example/?a=1&b=<2>"\n1,"http://a.example/""quoted"""\n'
    )
    assert edges.read_text().startswith("0,1\n1,0\n")


def test_parquet_includes_attributes_of_nodes(tmp_path: Path) -> None:
    rows = parquet.read_table(export("parquet", tmp_path / "out")[0]).to_pylist()
    assert [row["region"] for row in rows[:4]] == ["SCC", "SCC", "IN", "OUT"]
    assert rows[1]["links in"] == 2
    assert sum(row["pagerank"] for row in rows) == pytest.approx(1)


def test_networkx_reads_gexf(tmp_path: Path) -> None:
    found = networkx.read_gexf(export("gexf", tmp_path / "map.gexf")[0], version="1.3")
    assert {(int(a[1:]), int(b[1:])) for a, b in found.edges} == PAIRS
    nodes = dict(found.nodes(data=True))
    assert nodes["n0"]["label"] == HOSTILE[0]
    assert nodes["n2"]["label"] == "http://a.example/"
    assert nodes["n4"]["label"] == HOSTILE[4]
    assert nodes["n0"]["region"] == "SCC"
    assert set(nodes["n0"]["viz"]) == {"size", "position", "color"}
    assert nodes["n0"]["viz"]["color"] == {"r": 0, "g": 114, "b": 178, "a": 1.0}
    assert nodes["n1"]["viz"]["size"] > nodes["n2"]["viz"]["size"]


def test_graphml_is_read_by_networkx_igraph_and_gossamer(tmp_path: Path) -> None:
    (path,) = export("graphml", tmp_path / "map.graphml")
    found = networkx.read_graphml(path)
    assert {(int(a[1:]), int(b[1:])) for a, b in found.edges} == PAIRS
    assert found.nodes["n4"]["label"] == HOSTILE[4]
    told = {"label": str, "x": float, "y": float, "size": float, "r": int, "g": int, "b": int}
    assert {name: type(found.nodes["n0"][name]) for name in told} == told
    assert [found.nodes["n0"][name] for name in "rgb"] == [0, 114, 178]
    assert {"title", "region", "pagerank", "links in", "links out"} <= set(found.nodes["n0"])
    other = igraph.Graph.Read_GraphML(str(path))
    assert set(other.get_edgelist()) == PAIRS
    assert other.vs["label"][0] == HOSTILE[0]
    own = select_graph(read(path), LinkSelection()).graph
    assert pairs(own) == PAIRS
    assert own.names[7] == HOSTILE[7]


@pytest.mark.parametrize(
    ("form", "reader"), [("gexf", networkx.read_gexf), ("graphml", networkx.read_graphml)]
)
def test_any_text_gives_valid_xml(form: str, reader: object, tmp_path: Path) -> None:
    dice = random.Random(4)
    names = ["".join(chr(dice.randrange(0x11000)) for _ in range(60)) for _ in range(200)]
    one = from_edges([0], [1], len(names), name_nodes(NameList(names), len(names)))
    (path,) = write_graph(form, tmp_path / f"map.{form}", one, lambda _: None)
    assert callable(reader)
    assert len(reader(path)) == len(names)


def test_nodes_do_not_overlap_and_the_best_is_largest() -> None:
    one = graph()
    scores = np.linspace(0, 1, one.nodes)
    seen = lay_out_nodes(one, scores, np.array([0, 0, 1, 2, 3, 4, 5, 6], np.uint8))
    assert len(set(zip(seen.x.round(3), seen.y.round(3), strict=True))) == one.nodes
    assert seen.x[2] < seen.x[0] < seen.x[3]
    assert seen.sizes.argmax() == one.nodes - 1
    assert len(np.unique(seen.colours, axis=0)) == 7


def test_large_nodes_do_not_cover_others() -> None:
    dice = np.random.default_rng(5)
    scores = dice.zipf(1.7, 400).clip(max=5_000) / 5_000
    seen = lay_out_nodes(from_edges([], [], 400), scores, np.arange(400, dtype=np.uint8) % 7)
    apart = np.hypot(seen.x[:, None] - seen.x, seen.y[:, None] - seen.y)
    needed = (seen.sizes[:, None] + seen.sizes) / 2
    assert (apart + 1e9 * np.eye(400) >= needed).all()


@pytest.mark.parametrize(
    ("form", "out", "message"),
    [
        ("dot", "map.dot", "cannot be written as 'dot'"),
        ("gexf", ".", "exists already"),
        ("gexf", "no/map", "no folder"),
    ],
)
def test_impossible_exports_are_refused(form: str, out: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message):
        write_graph(form, tmp_path / out, graph(), lambda _: None)


class _Titled:
    """Names and titles of three nodes."""

    def __init__(self, urls: list[str]) -> None:
        self._urls = urls

    def names(self, rows: Rows) -> list[str]:
        return [self._urls[row] for row in rows.tolist()]

    def titles(self, rows: Rows) -> list[str]:
        return [["A  title\n", "", "Other"][row] for row in rows.tolist()]


@pytest.mark.parametrize(
    ("form", "reader"), [("gexf", networkx.read_gexf), ("graphml", networkx.read_graphml)]
)
def test_titles_are_labels_and_nodes_have_a_community(form: str, reader: object, tmp_path: Path) -> None:
    urls = ["http://a.example/0", "http://a.example/1", "http://a.example/2"]
    one = from_edges([0, 1], [1, 2], 3, name_nodes(_Titled(urls), 3))
    found = NodeCommunities(np.array([1, 1, 2]), ["roses garden", "<ships>"])
    (path,) = write_graph(form, tmp_path / f"map.{form}", one, lambda _: None, found)
    assert callable(reader)
    nodes = dict(reader(path).nodes(data=True))
    assert [nodes[node]["label"] for node in ("n0", "n1", "n2")] == ["A title", urls[1], "Other"]
    assert [nodes[node]["url"] for node in ("n0", "n1", "n2")] == urls
    assert [nodes[node]["community"] for node in ("n0", "n1", "n2")] == [1, 1, 2]
    assert nodes["n2"]["community name"] == "<ships>"


def test_graphml_with_titles_is_read_again_by_url(tmp_path: Path) -> None:
    urls = ["http://a.example/0", "http://a.example/1", "http://a.example/2"]
    one = from_edges([0, 1], [1, 2], 3, name_nodes(_Titled(urls), 3))
    (path,) = write_graph("graphml", tmp_path / "map.graphml", one, lambda _: None)
    again = select_graph(read(path), LinkSelection()).graph
    assert again.names.of(range(3)) == urls
