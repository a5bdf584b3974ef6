"""PageRank equals its twin, networkx, igraph, and the iteration of Schmitz 2001 round by round."""

import math
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.unit.graph.random_graphs import MANY, Links, draw_graphs, graphs, make_graph
from tests.unit.graph.ranking import twin_weights

from gossamer.errors import BadInput
from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.ranking.pagerank import pagerank


def draw_preference(nodes: int, dice: np.random.Generator) -> list[float]:
    """Draw a preference in which some pages have weight 0, and at least one a higher weight."""
    weights = dice.random(nodes) * (dice.random(nodes) < 0.5)
    weights[dice.integers(nodes)] += 0.1
    return [float(weight) for weight in weights]


@pytest.fixture(scope="module")
def web() -> Graph:
    dice = np.random.default_rng(11)
    sources = dice.zipf(1.6, 9_000) % 1_500
    targets = dice.zipf(1.4, 9_000) % 2_000
    return from_edges(sources, targets, 2_000)


def list_pairs(graph: Graph) -> list[tuple[int, int]]:
    return list(zip(graph.link_sources().tolist(), graph.targets.tolist(), strict=True))


def distance(one: NDArray[np.float64], other: Any) -> float:
    return float(np.abs(one - np.asarray(other)).sum())


@pytest.mark.slow
@drawn_from(graphs(7), st.sampled_from([0.0, 0.5, 0.85, 0.95]), st.integers(0, 2**32))
@settings(max_examples=MANY)
def test_weights_equal_their_twins(case: tuple[int, Links], damping: float, seed: int) -> None:
    given = draw_preference(case[0], np.random.default_rng(seed))
    found = pagerank(make_graph(*case), given, damping, epsilon=1e-13)
    assert found.converged
    assert distance(found.scores, twin_weights.pagerank(*case, given, damping, still=1e-13)) < 1e-10


def test_the_difference_bounds_the_error_of_the_weights() -> None:
    for nodes, links in draw_graphs(300, most_nodes=10, seed=1):
        found = pagerank(make_graph(nodes, links), epsilon=1e-4)
        exact = twin_weights.pagerank(nodes, links, [1.0] * nodes, 0.85)
        assert found.difference <= 1e-4
        # What follows sums to damping / (1 - damping) times the last difference at most.
        assert distance(found.scores, exact) <= found.difference * 0.85 / 0.15 + 1e-12, (nodes, links)


@pytest.mark.parametrize("epsilon", [0.02, 1e-9])
def test_the_variant_seed_is_the_iteration_of_schmitz(epsilon: float) -> None:
    dice = np.random.default_rng(4)
    for nodes, links in draw_graphs(300, most_nodes=10, seed=2):
        given = draw_preference(nodes, dice)
        expected, rounds = twin_weights.schmitz_pagerank(nodes, links, given, epsilon)
        found = pagerank(make_graph(nodes, links), given, epsilon=epsilon, variant="seed")
        assert distance(found.scores, expected) < 1e-12, (nodes, links, given)
        assert found.rounds == rounds


def test_weights_equal_those_of_networkx_and_igraph(web: Graph) -> None:
    other = nx.DiGraph(list_pairs(web))
    other.add_nodes_from(range(web.nodes))
    theirs = nx.pagerank(other, tol=1e-15, max_iter=1_000)
    found = pagerank(web, epsilon=1e-12).scores
    assert distance(found, [theirs[node] for node in range(web.nodes)]) < 1e-10
    third = igraph.Graph(n=web.nodes, edges=list_pairs(web), directed=True)
    assert distance(found, third.pagerank()) < 1e-8
    given = {node: float(node % 7 == 0) for node in range(web.nodes)}
    theirs = nx.pagerank(other, personalization=given, tol=1e-15, max_iter=1_000)
    found = pagerank(web, list(given.values()), epsilon=1e-12).scores
    assert distance(found, [theirs[node] for node in range(web.nodes)]) < 1e-10


def test_a_dangling_page_passes_its_weight_to_the_preference() -> None:
    graph = make_graph(3, {(0, 1)})
    found = pagerank(graph, [1, 0, 0], damping=0.5, epsilon=1e-14).scores
    assert found == pytest.approx([2 / 3, 1 / 3, 0])


def test_pages_that_the_preference_does_not_reach_weigh_nothing() -> None:
    found = pagerank(make_graph(4, {(0, 1), (1, 0), (2, 3), (3, 2), (2, 0)}), [1, 1, 0, 0])
    assert found.scores[2:].tolist() == [0, 0]
    assert found.scores.sum() == pytest.approx(1)


@pytest.mark.parametrize("variant", ["standard", "seed"])
def test_an_iteration_cut_short_is_not_converged(web: Graph, variant: Any) -> None:
    found = pagerank(web, epsilon=1e-300, variant=variant, most_rounds=4)
    assert not found.converged
    assert found.difference > 1e-12
    assert found.rounds <= 5


@pytest.mark.parametrize("variant", ["standard", "seed"])
def test_progress_rises_to_one(web: Graph, variant: Any) -> None:
    told: list[float] = []
    pagerank(web, variant=variant, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


def test_huge_preferences_do_not_overflow() -> None:
    graph = make_graph(3, {(0, 1), (1, 2), (2, 0)})
    assert distance(pagerank(graph, [1e308, 1e308, 1e308]).scores, [1 / 3] * 3) < 1e-9


@pytest.mark.parametrize(
    "wrong",
    [
        {"damping": 1.0},
        {"damping": -0.1},
        {"damping": math.nan},
        {"epsilon": 0.0},
        {"epsilon": math.nan},
        {"most_rounds": 0},
        {"variant": "other"},
        {"preference": [1.0]},
        {"preference": [1.0, math.nan]},
        {"preference": [1.0, math.inf]},
        {"preference": [1.0, -1.0]},
        {"preference": [0.0, 0.0]},
    ],
)
def test_invalid_arguments_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        pagerank(make_graph(2, {(0, 1)}), **wrong)


def test_an_empty_graph_has_no_weights() -> None:
    assert pagerank(make_graph(0, set())).scores.size == 0
