"""Components equal those of the twins, networkx and igraph, and do not overflow the stack."""

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from tests.unit.graph.random_graphs import MANY, Links, draw_graphs, graphs, make_graph
from tests.unit.graph.structure import twin_walks

from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.structure.components import (
    BOTH,
    Components,
    mark_around_largest,
    strong_components,
    weak_components,
)


def to_sets(found: Components) -> list[set[int]]:
    """Return the components by number, and check their sizes."""
    sets: list[set[int]] = [set() for _ in found.sizes]
    for node, label in enumerate(found.labels.tolist()):
        sets[label].add(node)
    assert [len(one) for one in sets] == found.sizes.tolist()
    return sets


def make_circle(nodes: int) -> Graph:
    return from_edges(np.arange(nodes), (np.arange(nodes) + 1) % nodes, nodes)


def assert_equal_to_twins(nodes: int, links: Links) -> None:
    graph = make_graph(nodes, links)
    strong = twin_walks.strong_components(nodes, links)
    assert to_sets(strong_components(graph)) == strong, (nodes, links)
    assert to_sets(weak_components(graph)) == twin_walks.weak_components(nodes, links), (nodes, links)
    core = set(np.flatnonzero(mark_around_largest(graph) == BOTH).tolist())
    assert core == max(strong, key=len), (nodes, links)


@pytest.mark.slow
@given(graphs())
@settings(max_examples=MANY)
def test_components_equal_their_twins(case: tuple[int, Links]) -> None:
    assert_equal_to_twins(*case)


def test_components_of_sparse_graphs_equal_their_twins() -> None:
    for case in draw_graphs(500):
        assert_equal_to_twins(*case)


@pytest.mark.parametrize("links_each", [0.5, 1.0, 1.5, 3.0])
def test_components_equal_those_of_networkx_and_igraph(links_each: float) -> None:
    nodes = 3_000
    dice = np.random.default_rng(int(links_each * 10))
    sources, targets = dice.integers(0, nodes, (2, int(nodes * links_each)))
    graph = from_edges(sources, targets, nodes)
    pairs = list(zip(graph.link_sources().tolist(), graph.targets.tolist(), strict=True))
    other = nx.DiGraph(pairs)
    other.add_nodes_from(range(nodes))
    third = igraph.Graph(n=nodes, edges=pairs, directed=True)
    strong, weak = to_sets(strong_components(graph)), to_sets(weak_components(graph))
    assert strong == sorted(nx.strongly_connected_components(other), key=min)
    assert weak == sorted(nx.weakly_connected_components(other), key=min)
    assert strong == sorted(map(set, third.connected_components("strong")), key=min)
    assert weak == sorted(map(set, third.connected_components("weak")), key=min)


def test_long_paths_do_not_overflow_the_stack() -> None:
    nodes = 300_000
    circle = make_circle(nodes)
    assert strong_components(circle).sizes.tolist() == [nodes]
    # The busiest node is the first, which no other node reaches: the depth-first search follows the whole path.
    line = from_edges(np.arange(nodes - 1), np.arange(1, nodes), nodes)
    assert len(strong_components(line).sizes) == nodes
    assert weak_components(line).sizes.tolist() == [nodes]


def test_of_two_equal_circles_the_one_with_the_smallest_page_is_largest() -> None:
    graph = make_graph(7, {(1, 2), (2, 1), (0, 6), (6, 0), (3, 4), (4, 5), (5, 4), (3, 5), (1, 5), (2, 5)})
    assert strong_components(graph).largest == 0
    assert np.flatnonzero(mark_around_largest(graph) == BOTH).tolist() == [0, 6]


def test_an_empty_graph_has_no_components() -> None:
    for found in (strong_components(make_graph(0, set())), weak_components(make_graph(0, set()))):
        assert found.labels.size == 0
        assert found.sizes.size == 0
