"""Groups that the lab planted in its web are found."""

from collections.abc import Callable

import numpy as np
import pytest

from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.groups.bipartite_cores import cores
from gossamer.graph.groups.cliques import cliques
from gossamer.graph.groups.clusters import clusters
from gossamer.graph.groups.density import CLUSTER_PRESETS, CORE_PRESETS, CoreRules, Thresholds
from gossamer.lab.options import GroupKind
from gossamer.lab.world.ground_truth import TrueGraph
from gossamer.lab.world.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return World(seed=7, hosts=30, pages=5000)


@pytest.fixture(scope="module")
def truth(world: World) -> TrueGraph:
    return world.graph()


@pytest.fixture(scope="module")
def graph(truth: TrueGraph) -> Graph:
    return from_edges(np.array(truth.sources), np.array(truth.targets), len(truth.urls))


Planted = Callable[[GroupKind], list[tuple[set[int], set[int]]]]


@pytest.fixture(scope="module")
def planted(world: World, truth: TrueGraph) -> Planted:
    """A function that returns the planted groups of a kind."""
    number = {url: at for at, url in enumerate(truth.urls)}
    communities = list(world.communities())
    return lambda kind: [
        ({number[url] for url in community.left}, {number[url] for url in community.right})
        for community in communities
        if community.kind == kind
    ]


@pytest.mark.slow
def test_every_planted_clique_is_found(planted: Planted, graph: Graph) -> None:
    found = [set(members.tolist()) for members in cliques(graph, 5)]
    wanted = [members for members, _ in planted("clique")]
    assert len(wanted) == 5
    assert all(any(members <= clique for clique in found) for members in wanted)


@pytest.mark.slow
def test_most_of_every_planted_cluster_is_found(planted: Planted, graph: Graph) -> None:
    found = [set(members.tolist()) for members in clusters(graph, CLUSTER_PRESETS["6-0.2-0.5"])]
    wanted = [members for members, _ in planted("dense")]
    assert len(wanted) == 5
    assert all(max(len(members & cluster) for cluster in found) >= 6 for members in wanted)


@pytest.mark.slow
def test_every_planted_core_is_found(planted: Planted, graph: Graph) -> None:
    found = [
        (set(fans.tolist()), set(centres.tolist())) for fans, centres in cores(graph, CORE_PRESETS["3-3-1-1"])
    ]
    wanted = planted("bipartite")
    assert len(wanted) == 5
    for fans, centres in wanted:
        assert any(fans <= core[0] and centres <= core[1] for core in found)


@pytest.mark.slow
def test_most_of_every_planted_group_of_hubs_is_found(planted: Planted, graph: Graph) -> None:
    """Some hubs link to only half of their authorities, so the variant that grows from every link is needed."""
    rules = CoreRules(3, 4, Thresholds(0.5, 0.8))
    found = [
        (set(fans.tolist()), set(centres.tolist())) for fans, centres in cores(graph, rules, variant="seed")
    ]
    wanted = planted("hubs")
    assert len(wanted) == 5
    for hubs, authorities in wanted:
        shared = max(len(authorities & core[1]) for core in found if hubs <= core[0])
        assert shared >= len(authorities) / 2
