"""Communities: what belongs together is found together, and is called by what is typical of it."""

import numpy as np
import pytest
from hypothesis import given
from tests.unit.graph.random_graphs import Links, graphs, made

from gossamer.errors import BadInput
from gossamer.graph.communities import Method, communities, typical_words


def rings(count: int, size: int) -> Links:
    """Complete groups, each with one link to the next."""
    groups = [range(start, start + size) for start in range(0, count * size, size)]
    inside = {(a, b) for group in groups for a in group for b in group if a != b}
    return inside | {(group[0], (group[0] + size) % (count * size)) for group in groups}


@pytest.mark.parametrize("method", ["leiden", "labels"])
def test_planted_communities_are_found(method: Method) -> None:
    found = communities(made(40, rings(5, 8)), method)
    assert found.sizes.tolist() == [8] * 5
    assert found.labels.tolist() == [node // 8 for node in range(40)]
    assert found.modularity > 0.7


@given(graphs())
def test_every_node_is_in_one_community_and_large_ones_come_first(graph: tuple[int, Links]) -> None:
    found = communities(made(*graph), seed=3)
    assert np.bincount(found.labels).tolist() == found.sizes.tolist()
    assert (np.diff(found.sizes) <= 0).all()
    assert found.labels.tolist() == communities(made(*graph), seed=3).labels.tolist()


def test_a_resolution_of_nothing_is_refused_and_no_nodes_are_no_communities() -> None:
    with pytest.raises(BadInput, match="resolution"):
        communities(made(3, {(0, 1)}), resolution=0)
    assert len(communities(made(0, set())).sizes) == 0


def test_communities_are_called_by_words_that_others_do_not_use() -> None:
    labels = np.array([0, 0, 0, 1, 1], np.int32)
    titles = [
        "The garden: roses",
        "The roses of Trier",
        "More roses",
        "The engine",
        "An engine of the ship 42",
    ]
    assert typical_words(labels, range(5), titles, most=1) == [["roses"], ["engine"]]
    assert typical_words(labels, [3], ["engine"], most=2) == [[], ["engine"]]
