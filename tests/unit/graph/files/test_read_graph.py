"""Node and edge files are read correctly, and errors name the line."""

import csv
from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from gossamer.errors import BadInput
from gossamer.graph.edges import Edges
from gossamer.graph.files import text_files
from gossamer.graph.files.read_graph import read
from gossamer.graph.link_selection import LinkSelection, select_graph

IDS = st.one_of(st.integers(-5, 40), st.integers(-(2**63), 2**63 - 1), st.integers(2**31 - 3, 2**31 + 3))
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
HEADINGS = ["", "from,to\n", '"source","target"\n', "# a comment\nfrom to\n", "\ufefffrom;to\r\n"]
# Pieces of a few bytes have borders at every place that there is.
PIECES = st.sampled_from([1, 7, 50, 1 << 22])
FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def write_text(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8", newline="")
    return path


def read_in_pieces(at_once_bytes: int, edges: Path, nodes: Path | None = None) -> Edges:
    with mock.patch.object(text_files, "_AT_ONCE_BYTES", at_once_bytes):
        return read(edges, nodes)


def all_names(edges: Edges) -> list[str]:
    return edges.names.of(np.arange(len(edges.names)))


def pairs(edges: Edges) -> list[tuple[str, str]]:
    """Return the links by the names of their ends, as they appear in the file."""
    return list(zip(edges.names.of(edges.sources), edges.names.of(edges.targets), strict=True))


@FOLDER
@given(
    edges=st.lists(st.tuples(IDS, IDS), max_size=30),
    heading=st.sampled_from(HEADINGS),
    between=st.sampled_from([",", ";", "\t", " ", " , ", "  "]),
    newline=st.sampled_from(["\n", "\r\n", "\n\n", " \n", "\n# passed over\n"]),
    ending=st.sampled_from(["", "\n", "\n\n"]),
    at_once_bytes=PIECES,
)
def test_edges_are_read_with_any_separator(
    tmp_path: Path,
    edges: list[tuple[int, int]],
    heading: str,
    between: str,
    newline: str,
    ending: str,
    at_once_bytes: int,
) -> None:
    lines = newline.join(f"{a}{between}{b}" for a, b in edges)
    loaded = read_in_pieces(at_once_bytes, write_text(tmp_path, "edges.csv", heading + lines + ending))
    assert pairs(loaded) == [(str(a), str(b)) for a, b in edges]
    assert all_names(loaded) == [str(one) for one in sorted({end for edge in edges for end in edge})]


@FOLDER
@given(name_nodes=st.dictionaries(IDS, NAMES, min_size=1, max_size=20), at_once_bytes=PIECES, data=st.data())
def test_nodes_written_by_the_csv_module_are_read(
    tmp_path: Path, name_nodes: dict[int, str], at_once_bytes: int, data: st.DataObject
) -> None:
    edges = data.draw(st.lists(st.tuples(*[st.sampled_from(sorted(name_nodes))] * 2), max_size=20))
    with (tmp_path / "nodes.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerows(name_nodes.items())
    text = "".join(f"{a},{b}\n" for a, b in edges)
    loaded = read_in_pieces(at_once_bytes, write_text(tmp_path, "edges.csv", text), tmp_path / "nodes.csv")
    assert all_names(loaded) == list(name_nodes.values())
    assert pairs(loaded) == [(name_nodes[a], name_nodes[b]) for a, b in edges]


def test_the_format_of_schmitz_is_read(tmp_path: Path) -> None:
    host = "http://www.informatik.uni-trier.de:80/"
    nodes = write_text(tmp_path, "webpages.del", f'9349,"{host}"\n39117,"{host}Reports/"\n')
    loaded = read(write_text(tmp_path, "hyperlinks.del", "9349,39117\n"), nodes)
    assert pairs(loaded) == [(host, f"{host}Reports/")]


def test_a_name_without_quotes_is_the_rest_of_its_line(tmp_path: Path) -> None:
    nodes = write_text(tmp_path, "nodes.csv", "id,name\r\n1,http://a.example/?x=1,2\r\n2,\r\n")
    assert all_names(read(write_text(tmp_path, "edges.csv", "1,2\n"), nodes)) == [
        "http://a.example/?x=1,2",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n3;x\n", "line 2: '3;x'"),
        ("1,2\n\n# c\n3,nan\n", "line 4: '3,nan'"),
        ("nan,nan\n1,2\n", "line 1: 'nan,nan'"),
        ("from,to\n1.5,2\n", "line 2: '1.5,2'"),
        ("1,2,3\n", "line 1: '1,2,3'"),
        ("1\n", "line 1: '1'"),
        ("1,2\n,\n", "line 2: ','"),
        ("1,9223372036854775808\n", "line 1: '1,9223372036854775808'"),
        ("1,-9223372036854775809\n", "line 1"),
        ("1,99999999999999999999\n", "line 1"),
        ("1,2\n3000000000,2\nx\n", "line 3: 'x'"),
        ("from,to\nfrom,to\n", "line 2: 'from,to'"),
        ("\x00\x01\x02" * 50, "line 1"),
        ("x" * 100_000, "line 1: 'xxxx"),
    ],
)
@pytest.mark.parametrize("at_once_bytes", [3, 1 << 22])
def test_an_error_names_the_line_of_a_malformed_edge(
    tmp_path: Path, text: str, message: str, at_once_bytes: int
) -> None:
    with pytest.raises(BadInput) as told:
        read_in_pieces(at_once_bytes, write_text(tmp_path, "edges.csv", text))
    assert message in str(told.value)
    assert "edges.csv" in str(told.value)
    assert len(str(told.value)) < 600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('1,"a"\n1;"b" c\n', "line 2: '1;\"b\" c'"),
        ('1,"a\nb"\nx,"c"\n', "line 3: 'x,\"c\"'"),
        ('id,name\n1,"a\n2,"b\n', "line 2"),
        ("1\n", "line 1"),
        ('1,"a"\n2,"b"\n1,"c"\n', "two nodes 1; the second is named 'c'"),
        ('1,"a"\n9000000000,"b"\n1,"c"\n', "two nodes 1; the second is named 'c'"),
    ],
)
@pytest.mark.parametrize("at_once_bytes", [3, 1 << 22])
def test_a_malformed_node_is_refused(tmp_path: Path, text: str, message: str, at_once_bytes: int) -> None:
    nodes = write_text(tmp_path, "nodes.csv", text)
    with pytest.raises(BadInput) as told:
        read_in_pieces(at_once_bytes, write_text(tmp_path, "edges.csv", "1,1\n"), nodes)
    assert message in str(told.value)


@pytest.mark.parametrize("far", [0, 10**12])
def test_an_error_names_the_line_of_an_edge_to_a_missing_node(tmp_path: Path, far: int) -> None:
    nodes = write_text(tmp_path, "nodes.csv", f'1,"a"\n{2 + far},"b"\n')
    edges = write_text(tmp_path, "edges.csv", f"from,to\n1,{2 + far}\n\n# c\n{7 + far},1\n8,1\n")
    with pytest.raises(BadInput, match=rf"edges.csv, line 5: .*nodes.csv has no node {7 + far}$"):
        read(edges, nodes)


@pytest.mark.parametrize("text", ["", "from,to\n", "# nothing\n"])
def test_an_empty_graph_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match="empty"):
        select_graph(read(write_text(tmp_path, "edges.csv", text)), LinkSelection())


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        read(tmp_path / "nowhere.csv")


# Parquet


def write_table(folder: Path, name: str, **columns: object) -> Path:
    parquet.write_table(pyarrow.table(columns), folder / name)
    return folder / name


def test_parquet_with_ids_and_nodes(tmp_path: Path) -> None:
    edges = write_table(tmp_path, "edges.parquet", to=[7, 7], **{"from": [5, 2**40]})
    nodes = write_table(tmp_path, "nodes.parquet", url=["a", "b", "c"], id=[5, 7, 2**40])
    assert pairs(read(edges)) == [("5", "7"), (str(2**40), "7")]
    assert pairs(read(edges, nodes)) == [("a", "b"), ("c", "b")]


def test_parquet_with_text_ids_from_an_export(tmp_path: Path) -> None:
    edges = write_table(
        tmp_path, "links.parquet", source=["a", "b", "a"], target=["b", "c", "a"], type=["a"] * 3
    )
    assert pairs(read(edges)) == [("a", "b"), ("b", "c"), ("a", "a")]
    with pytest.raises(BadInput, match="leave out --nodes"):
        read(edges, edges)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": [1.0, float("nan")], "target": [1, 2]}, "whole numbers"),
        ({"source": [1, None], "target": [1, 2]}, "row 2: the column 'source' has no value"),
        ({"source": [1, 2]}, "fewer than two columns"),
        ({"source": [1, 2], "target": ["a", "b"]}, "different types"),
        ({"source": pyarrow.array([2**63], pyarrow.uint64()), "target": [1]}, "64-bit integer"),
    ],
)
def test_invalid_parquet_columns_are_refused(
    tmp_path: Path, columns: dict[str, object], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        read(write_table(tmp_path, "edges.parquet", **columns))


def test_a_file_that_is_not_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot read .* as Parquet"):
        read(write_text(tmp_path, "edges.parquet", "1,2\n"))


def test_an_error_names_the_parquet_row_of_an_edge_to_a_missing_node(tmp_path: Path) -> None:
    edges = write_table(tmp_path, "edges.parquet", source=[1, 9], target=[1, 1])
    with pytest.raises(BadInput, match=r"row 2: .* has no node 9"):
        read(edges, write_table(tmp_path, "nodes.parquet", id=[1]))


# GraphML

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <key id="d1" for="node" attr.name="URL" attr.type="string"/>
  <key id="d2" for="edge" attr.name="name" attr.type="string"/>
  <graph edgedefault="{kind}">
    <edge source="n0" target="n1"><data key="d2">x</data></edge>
    <node id="n0"><data key="d1">http://a.example/?a=1&amp;b</data><data key="d0">A</data></node>
    <node id="n1"><data key="d0">B</data></node>
    <node id="n2"/>
    <edge source="n1" target="n2" directed="true"/>{more}
  </graph>
</graphml>
"""
A = "http://a.example/?a=1&b"


@pytest.mark.parametrize(
    ("kind", "links"),
    [
        ("directed", [(A, "B"), ("B", "n2")]),
        ("undirected", [(A, "B"), ("B", A), ("B", "n2")]),
    ],
)
def test_graphml(tmp_path: Path, kind: str, links: list[tuple[str, str]]) -> None:
    loaded = read(write_text(tmp_path, "web.graphml", GRAPHML.format(kind=kind, more="")))
    assert all_names(loaded) == [A, "B", "n2"]
    assert pairs(loaded) == links


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('\n    <edge source="n0" target="n9"/>', "line 12: there is no node 'n9'"),
        ('\n    <edge source="n0"/>', "line 12: <edge> has no target"),
        ('\n    <node id="n0"/>', "line 12: there are two nodes 'n0'"),
        ("\n    <", "not well-formed"),
    ],
)
def test_an_error_names_the_line_of_invalid_graphml(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(BadInput) as told:
        read(write_text(tmp_path, "web.graphml", GRAPHML.format(kind="directed", more=more)))
    assert message in str(told.value)


def test_entities_are_refused(tmp_path: Path) -> None:
    text = '<!DOCTYPE graphml [<!ENTITY a "aaaa">]><graphml><graph/></graphml>'
    with pytest.raises(BadInput, match="declares the entity"):
        read(write_text(tmp_path, "web.graphml", text))
