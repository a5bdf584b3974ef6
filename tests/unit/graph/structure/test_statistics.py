"""The numbers of a graph are those that a slow count gives."""

import msgspec
import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.graph.edges import LinkCounts, NodeFacts
from gossamer.graph.graph import LoadedGraph, build_graph
from gossamer.graph.structure.statistics import compute_stats, count_by_relevance


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    nodes = draw(st.integers(1, 12))
    one = st.integers(0, nodes - 1)
    return nodes, draw(st.lists(st.tuples(one, one), max_size=60))


def loaded_of(nodes: int, edges: list[tuple[int, int]]) -> LoadedGraph:
    return build_graph([a for a, _ in edges], [b for _, b in edges], nodes)


@given(edge_lists())
def test_numbers_are_those_of_networkx(given_edges: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, edges = given_edges
    slow = networkx.DiGraph()
    slow.add_nodes_from(range(nodes))
    slow.add_edges_from((a, b) for a, b in edges if a != b)
    told = compute_stats(loaded_of(nodes, edges))
    assert (told.nodes, told.links) == (nodes, slow.number_of_edges())
    assert told.density == pytest.approx(networkx.density(slow) if nodes > 1 else 1.0)
    assert told.reciprocity == pytest.approx(networkx.reciprocity(slow) if slow.size() else 0.0)
    assert told.isolated == len(list(networkx.isolates(slow)))
    for degrees, view in ((told.in_degrees, slow.in_degree), (told.out_degrees, slow.out_degree)):
        all_degrees = [degree for _, degree in view]
        assert degrees.mean == pytest.approx(np.mean(all_degrees))
        assert degrees.median == np.median(all_degrees)
        assert (degrees.most, degrees.none) == (max(all_degrees), all_degrees.count(0))
    for parts, components in (
        (told.strong, networkx.strongly_connected_components(slow)),
        (told.weak, networkx.weakly_connected_components(slow)),
    ):
        sizes = sorted(map(len, components), reverse=True)
        assert (parts.count, parts.largest) == (len(sizes), sizes[:5])


def test_what_a_web_knows_is_told() -> None:
    counts = LinkCounts(9, 4, 2, {"a": 9})
    facts = NodeFacts(np.array([0, 1, 1, -1], np.int32), np.full(4, np.nan), counts)
    plain = loaded_of(4, [(0, 1), (1, 3)])
    told = compute_stats(LoadedGraph(plain.graph, facts=facts))
    assert (told.depths, told.rim, told.counts) == ({0: 1, 1: 2}, 1, counts)
    assert compute_stats(plain).depths is None


def test_pages_are_counted_by_relevance_as_in_table_3_2() -> None:
    marks = [0.0, 0.049, *(at / 20 for at in range(1, 20)), 0.999, 1.0, float("nan")]
    counts = count_by_relevance(np.array(marks))
    assert counts.tolist() == [2, *[1] * 18, 3]
    facts = NodeFacts(np.zeros(2, np.int32), np.array([0.3, np.nan]), LinkCounts(0, 0, 0, {}))
    told = compute_stats(msgspec.structs.replace(loaded_of(2, []), facts=facts)).relevance
    assert told is not None
    assert (told.index(1), sum(told)) == (6, 1)
