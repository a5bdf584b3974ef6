import numpy as np
import pytest
from numpy.typing import NDArray

from gossamer.search.clusters.average_linkage import cut_merges, list_merges


def join_slowly(similarity: NDArray[np.float32], least: float) -> set[frozenset[int]]:
    """Join the two groups with the highest mean similarity again and again: what the chain must equal."""
    groups = [[item] for item in range(len(similarity))]
    while len(groups) > 1:
        mean, first, second = max(
            (float(similarity[np.ix_(one, other)].mean()), at, to)
            for at, one in enumerate(groups)
            for to, other in enumerate(groups[:at])
        )
        if mean < least:
            break
        groups[second] += groups.pop(first)
    return {frozenset(group) for group in groups}


@pytest.mark.parametrize("seed", range(8))
def test_the_chain_joins_what_the_best_pair_each_time_joins(seed: int) -> None:
    rows = np.random.default_rng(seed).random((24, 6)) ** 3
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    similarity = (rows @ rows.T).astype(np.float32)
    merges = list_merges(similarity, 0.2)
    for least in (0.2, 0.5, 0.8):
        group = cut_merges(24, merges, least)
        found = {frozenset(np.flatnonzero(group == number).tolist()) for number in set(group.tolist())}
        assert found == join_slowly(similarity, least)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_items_without_similarity_stay_alone(count: int) -> None:
    assert list_merges(np.eye(count, dtype=np.float32), 0.1) == []


def test_equal_similarities_come_to_an_end() -> None:
    group = cut_merges(300, list_merges(np.ones((300, 300), np.float32), 0.1), 0.1)
    assert len(set(group.tolist())) == 1
