"""Shortest paths from both ends are those that networkx finds, none twice and none missing."""

import networkx
import numpy as np
import pytest

from gossamer.graph.graph import from_edges
from gossamer.graph.structure.shortest_paths import find_nearest_start, find_shortest_paths


@pytest.mark.parametrize("seed", range(20))
def test_the_same_paths_as_networkx(seed: int) -> None:
    dice = np.random.default_rng(seed)
    nodes, links = 40, 30 + 6 * seed
    sources, targets = dice.integers(0, nodes, (2, links)).astype(np.int32)
    graph = from_edges(sources, targets, nodes)
    twin = networkx.DiGraph()
    twin.add_nodes_from(range(nodes))
    twin.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    for source, target in dice.integers(0, nodes, (30, 2)).tolist():
        found = find_shortest_paths(graph, source, target, most=10_000)
        if not networkx.has_path(twin, source, target):
            assert found == []
        else:
            expected = list(networkx.all_shortest_paths(twin, source, target))
            assert sorted(found) == sorted(expected)
            assert len(find_shortest_paths(graph, source, target, most=1)) == 1


def test_the_nearest_start_leads_there_in_the_fewest_steps() -> None:
    graph = from_edges([0, 1, 2, 4, 5], [1, 2, 3, 3, 0], 6)
    starts = np.zeros(6, np.bool_)
    assert find_nearest_start(graph, 3, starts) == -1
    starts[0] = True
    assert find_nearest_start(graph, 3, starts) == 0
    starts[4] = True
    assert find_nearest_start(graph, 3, starts) == 4
    assert find_nearest_start(graph, 4, starts) == 4
