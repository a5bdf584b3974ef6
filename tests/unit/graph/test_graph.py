"""A graph of arrays equals one of sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.graph.graph import Graph, build_graph, from_edges

Edges = list[tuple[int, int]]


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[int, Edges]:
    nodes = draw(st.integers(1, 12))
    one = st.integers(0, nodes - 1)
    return nodes, draw(st.lists(st.tuples(one, one), max_size=60))


def make_graph(nodes: int, edges: Edges) -> Graph:
    sources, targets = ([edge[end] for edge in edges] for end in (0, 1))
    return from_edges(np.array(sources, np.int32), np.array(targets, np.int32), nodes)


def out_links(graph: Graph) -> list[list[int]]:
    return [graph.targets[graph.starts[v] : graph.starts[v + 1]].tolist() for v in range(graph.nodes)]


def in_links(graph: Graph) -> list[list[int]]:
    return out_links(graph.reversed())


@given(edge_lists())
def test_both_directions_ascend_without_loops_and_repeats(given_edges: tuple[int, Edges]) -> None:
    nodes, edges = given_edges
    graph = make_graph(nodes, edges)
    wanted = {(a, b) for a, b in edges if a != b}
    assert graph.nodes == nodes
    assert graph.links == len(wanted)
    assert out_links(graph) == [sorted(b for a, b in wanted if a == v) for v in range(nodes)]
    assert in_links(graph) == [sorted(a for a, b in wanted if b == v) for v in range(nodes)]
    assert list(zip(graph.link_sources().tolist(), graph.targets.tolist(), strict=True)) == sorted(wanted)
    assert graph.out_degrees().tolist() == [len(slice_) for slice_ in out_links(graph)]
    assert graph.in_degrees().tolist() == [len(slice_) for slice_ in in_links(graph)]


@given(edge_lists())
def test_omitted_links_are_counted(given_edges: tuple[int, Edges]) -> None:
    nodes, edges = given_edges
    loaded = build_graph([a for a, _ in edges], [b for _, b in edges], nodes)
    loops = sum(a == b for a, b in edges)
    assert loaded.loops == loops
    assert loaded.repeated == len(edges) - loops - len({edge for edge in edges if edge[0] != edge[1]})


@given(edge_lists(), st.data())
def test_a_part_keeps_the_links_among_its_nodes(given_edges: tuple[int, Edges], data: st.DataObject) -> None:
    nodes, edges = given_edges
    keep = data.draw(st.lists(st.booleans(), min_size=nodes, max_size=nodes))
    part, kept = make_graph(nodes, edges).part(np.array(keep))
    assert kept.tolist() == [v for v in range(nodes) if keep[v]]
    assert part.names.of(range(part.nodes)) == [str(v) for v in kept]
    wanted = sorted({(a, b) for a, b in edges if a != b and keep[a] and keep[b]})
    number_of = {v: number for number, v in enumerate(kept.tolist())}
    assert [(v, w) for v, all_w in enumerate(out_links(part)) for w in all_w] == [
        (number_of[a], number_of[b]) for a, b in wanted
    ]
    assert in_links(part) == [
        [number_of[a] for a, b in wanted if number_of[b] == v] for v in range(part.nodes)
    ]


@pytest.mark.parametrize("wrong", [[-1], [3], [2**32], [2**32 + 1]])
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_a_link_to_a_missing_node_is_refused(wrong: list[int], kind: type[np.int32 | np.int64]) -> None:
    if wrong[0] > 2**31 and kind is np.int32:
        return
    for sources, targets in (wrong, [0]), ([0], wrong):
        with pytest.raises(ValueError, match="among the nodes"):
            from_edges(np.array(sources, kind), np.array(targets, kind), 3)


def test_node_numbers_must_be_integers() -> None:
    with pytest.raises(ValueError, match="integers"):
        from_edges(np.array([0.0, np.nan]), np.array([1, 1]), 3)


def test_sources_and_targets_must_have_equal_lengths() -> None:
    with pytest.raises(ValueError, match="source and a target"):
        from_edges([0, 1], [1], 3)


def test_nodes_keep_their_names_in_a_part() -> None:
    graph, _ = from_edges([0, 2], [2, 3], 4).part(np.array([True, False, True, True]))
    assert (graph.names[1], len(graph.names), graph.names.titles([1])) == ("2", 3, [""])
