"""Statistics of a graph equal those of networkx."""

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


def build_loaded(nodes: int, edges: list[tuple[int, int]]) -> LoadedGraph:
    return build_graph([a for a, _ in edges], [b for _, b in edges], nodes)


@given(edge_lists())
def test_statistics_equal_those_of_networkx(given_edges: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, edges = given_edges
    slow = networkx.DiGraph()
    slow.add_nodes_from(range(nodes))
    slow.add_edges_from((a, b) for a, b in edges if a != b)
    found = compute_stats(build_loaded(nodes, edges))
    assert (found.nodes, found.links) == (nodes, slow.number_of_edges())
    assert found.density == pytest.approx(networkx.density(slow) if nodes > 1 else 1.0)
    assert found.reciprocity == pytest.approx(networkx.reciprocity(slow) if slow.size() else 0.0)
    assert found.isolated == len(list(networkx.isolates(slow)))
    for degrees, view in ((found.in_degrees, slow.in_degree), (found.out_degrees, slow.out_degree)):
        all_degrees = [degree for _, degree in view]
        assert degrees.mean == pytest.approx(np.mean(all_degrees))
        assert degrees.median == np.median(all_degrees)
        assert (degrees.most, degrees.none) == (max(all_degrees), all_degrees.count(0))
    for parts, components in (
        (found.strong, networkx.strongly_connected_components(slow)),
        (found.weak, networkx.weakly_connected_components(slow)),
    ):
        sizes = sorted(map(len, components), reverse=True)
        assert (parts.count, parts.largest) == (len(sizes), sizes[:5])


def test_facts_of_a_web_are_included() -> None:
    counts = LinkCounts(9, 4, 2, {"a": 9})
    facts = NodeFacts(np.array([0, 1, 1, -1], np.int32), np.full(4, np.nan), counts)
    plain = build_loaded(4, [(0, 1), (1, 3)])
    found = compute_stats(LoadedGraph(plain.graph, facts=facts))
    assert (found.depths, found.rim, found.counts) == ({0: 1, 1: 2}, 1, counts)
    assert compute_stats(plain).depths is None


def test_pages_are_counted_by_relevance_as_in_table_3_2() -> None:
    marks = [0.0, 0.049, *(at / 20 for at in range(1, 20)), 0.999, 1.0, float("nan")]
    counts = count_by_relevance(np.array(marks))
    assert counts.tolist() == [2, *[1] * 18, 3]
    facts = NodeFacts(np.zeros(2, np.int32), np.array([0.3, np.nan]), LinkCounts(0, 0, 0, {}))
    found = compute_stats(msgspec.structs.replace(build_loaded(2, []), facts=facts)).relevance
    assert found is not None
    assert (found.index(1), sum(found)) == (6, 1)
