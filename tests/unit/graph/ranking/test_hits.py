"""HITS equals its equations, networkx and igraph, from any start, on the whole graph or a neighbourhood."""

import math
import warnings
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from tests.unit.graph.random_graphs import MANY, Links, draw_graphs, graphs, make_graph
from tests.unit.graph.ranking import twin_weights

from gossamer.errors import BadInput
from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.ranking.hits import find_neighbourhood, hits


@pytest.fixture(scope="module")
def web() -> Graph:
    dice = np.random.default_rng(12)
    return from_edges(dice.zipf(1.6, 9_000) % 1_500, dice.zipf(1.4, 9_000) % 2_000, 2_000)


def list_pairs(graph: Graph) -> list[tuple[int, int]]:
    return list(zip(graph.link_sources().tolist(), graph.targets.tolist(), strict=True))


@pytest.mark.slow
@drawn_from(graphs(8))
@settings(max_examples=MANY)
def test_the_standard_variant_is_kleinbergs_iteration(case: tuple[int, Links]) -> None:
    found = hits(make_graph(*case), most_rounds=200)
    hubs, authorities = twin_weights.kleinberg_hits(*case, found.rounds)
    assert found.hubs == pytest.approx(hubs, abs=1e-11)
    assert found.authorities == pytest.approx(authorities, abs=1e-11)


@pytest.mark.parametrize("damping", [0.05, 0.4])
@pytest.mark.parametrize("given", ["hubs", "authorities", "both"])
def test_the_variant_seed_is_the_iteration_of_schmitz(damping: float, given: str) -> None:
    dice = np.random.default_rng(7)
    for nodes, links in draw_graphs(150, most_nodes=10, seed=21):
        start = (dice.random(nodes) < 0.4).astype(float)
        start[dice.integers(nodes)] = 1.0
        hubs, authorities = (start if given in (side, "both") else None for side in ("hubs", "authorities"))
        found = hits(make_graph(nodes, links), hubs, authorities, damping, 0.01, "seed", most_rounds=300)
        zeros = [0.0] * nodes
        expected = twin_weights.schmitz_hits(
            nodes,
            links,
            zeros if hubs is None else hubs.tolist(),
            zeros if authorities is None else authorities.tolist(),
            damping,
            found.rounds,
        )
        assert found.hubs == pytest.approx(expected[0], abs=1e-11), (nodes, links)
        assert found.authorities == pytest.approx(expected[1], abs=1e-11), (nodes, links)
        assert found.difference == pytest.approx(expected[2], abs=1e-11)
        assert found.converged == (expected[2] <= 0.01)


def test_variants_and_dampings_converge_to_the_same_weights(web: Graph) -> None:
    found = hits(web, epsilon=1e-12)
    for damping, variant in ((0.05, "standard"), (0.5, "standard"), (0.0, "seed"), (0.05, "seed")):
        other = hits(web, damping=damping, epsilon=1e-12, variant=variant)  # type: ignore[arg-type]
        assert math.dist(other.hubs, found.hubs) < 1e-10
        assert math.dist(other.authorities, found.authorities) < 1e-10
    assert found.hubs @ found.hubs == pytest.approx(1)
    assert found.authorities @ found.authorities == pytest.approx(1)


def test_weights_equal_those_of_networkx_and_igraph(web: Graph) -> None:
    found = hits(web, epsilon=1e-12)
    other = nx.DiGraph(list_pairs(web))
    other.add_nodes_from(range(web.nodes))
    theirs = nx.hits(other, tol=1e-12)
    third = igraph.Graph(n=web.nodes, edges=list_pairs(web), directed=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that pages without links weigh nothing
        largest = third.hub_score(), third.authority_score()
    for ours, sums_to_1, largest_is_1 in zip((found.hubs, found.authorities), theirs, largest, strict=True):
        expected = np.array([sums_to_1[node] for node in range(web.nodes)])
        assert math.dist(ours / ours.sum(), expected) < 1e-9
        assert math.dist(ours / ours.max(), largest_is_1) < 1e-7


@pytest.mark.parametrize("variant", ["standard", "seed"])
def test_a_start_that_reaches_only_a_part_stays_in_it(variant: Any) -> None:
    # The larger part is stronger, but no link leads there from the start.
    graph = make_graph(9, {(0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (5, 7), (6, 7), (5, 8)})
    start = np.zeros(9)
    start[5] = 1
    found = hits(graph, hubs=start, damping=0.05, variant=variant)
    assert not found.hubs[:5].any()
    assert found.authorities[7] > found.authorities[8] > 0
    assert hits(graph).authorities[3] > 0.7


def test_a_start_without_links_gives_zero_weights() -> None:
    graph = make_graph(3, {(0, 1)})
    found = hits(graph, hubs=[0, 0, 1])
    assert not found.hubs.any()
    assert not found.authorities.any()
    assert found.converged


def test_authorities_alone_can_be_the_start() -> None:
    graph = make_graph(5, {(0, 1), (0, 2), (3, 4)})
    found = hits(graph, authorities=[0, 0, 0, 0, 1])
    assert found.hubs.tolist() == [0, 0, 0, 1, 0]
    assert found.authorities.tolist() == [0, 0, 0, 0, 1]


def test_the_base_set_contains_targets_and_some_sources_of_the_roots() -> None:
    links = {(0, 1), (0, 2), (1, 3)} | {(node, 0) for node in range(4, 9)} | {(9, 4)}
    graph = make_graph(10, links)
    roots = np.arange(10) == 0
    assert np.flatnonzero(find_neighbourhood(graph, roots)).tolist() == [0, 1, 2, 4, 5, 6, 7, 8]
    assert np.flatnonzero(find_neighbourhood(graph, roots, most_linking=2)).tolist() == [0, 1, 2, 4, 5]
    assert np.flatnonzero(find_neighbourhood(graph, roots, steps=2)).tolist() == list(range(10))
    assert np.flatnonzero(find_neighbourhood(graph, roots, steps=0)).tolist() == [0]


def test_a_neighbourhood_has_the_weights_of_its_subgraph(web: Graph) -> None:
    among = find_neighbourhood(web, np.arange(web.nodes) % 500 == 3)
    part, kept = web.part(among)
    found, alone = hits(web, among=among), hits(part)
    assert found.hubs[kept].tolist() == alone.hubs.tolist()
    assert found.authorities[kept].tolist() == alone.authorities.tolist()
    assert not found.hubs[~among].any()
    assert not found.authorities[~among].any()


def test_an_iteration_cut_short_is_not_converged(web: Graph) -> None:
    found = hits(web, epsilon=1e-12, most_rounds=3)
    assert not found.converged
    assert found.rounds == 3
    assert found.difference > 1e-12


def test_progress_ends_at_one(web: Graph) -> None:
    told: list[float] = []
    hits(web, progress=told.append)
    assert all(0 <= share <= 1 for share in told)
    assert told[-1] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"damping": 1.0},
        {"damping": math.nan},
        {"epsilon": -1.0},
        {"most_rounds": 0},
        {"variant": "other"},
        {"hubs": [1.0]},
        {"hubs": [1.0, math.nan]},
        {"authorities": [1.0, -1.0]},
        {"hubs": [0.0, 0.0]},
        {"hubs": [1.0, 0.0], "variant": "seed"},
        {"among": np.array([True])},
        {"among": np.array([1, 0])},
    ],
)
def test_invalid_arguments_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        hits(make_graph(2, {(0, 1)}), **wrong)


@pytest.mark.parametrize("wrong", [{"steps": -1}, {"most_linking": -1}, {"roots": np.array([True])}])
def test_invalid_base_sets_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        find_neighbourhood(make_graph(2, {(0, 1)}), **({"roots": np.array([True, False])} | wrong))


def test_an_empty_graph_has_no_weights() -> None:
    assert hits(make_graph(0, set())).hubs.size == 0
