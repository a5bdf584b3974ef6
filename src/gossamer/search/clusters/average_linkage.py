"""Average linkage: join the two most similar groups again and again, by the mean similarity of their members."""

import numpy as np
from numpy.typing import NDArray

Merge = tuple[int, int, float]
"""An item of the group that remains, one of the group that it takes in, and the mean similarity of their members."""


def list_merges(similarity: NDArray[np.float32], least: float) -> list[Merge]:
    """Return which groups are joined while the mean similarity of their members is at least `least`.

    A chain leads from a group to its most similar one, and on, until two are each other's most similar: these are joined.
    Joining others never makes two groups more similar than the more similar of the parts was, so the result is that of joining the best
    pair each time, and a group below `least` to all others stays. Cost: O(items²) time and memory. Source: Murtagh 1983.
    """
    matrix = similarity.astype(np.float32, copy=True)
    np.fill_diagonal(matrix, -1.0)
    sizes = np.ones(len(matrix), np.float32)
    merges: list[Merge] = []
    chain: list[int] = []
    waiting = list(range(len(matrix)))
    gone: set[int] = set()
    while chain or waiting:
        if not chain:
            chain = [one for one in [waiting.pop()] if one not in gone]
            continue
        last = chain[-1]
        row = matrix[last]
        best = int(row.argmax())
        if row[best] < least:
            chain.pop()
        elif len(chain) > 1 and row[best] <= row[chain[-2]]:
            other = chain[-2]
            merges.append((last, other, float(row[other])))
            del chain[-2:]
            _join(matrix, sizes, last, other)
            gone.add(other)
            waiting.append(last)
        else:
            chain.append(best)
    return merges


def cut_merges(items: int, merges: list[Merge], least: float) -> NDArray[np.int64]:
    """Return the group of each item after the merges of at least this similarity."""
    group = np.arange(items)
    for kept, gone, similarity in merges:
        if similarity >= least:
            group[group == gone] = kept
    return group


def _join(matrix: NDArray[np.float32], sizes: NDArray[np.float32], kept: int, gone: int) -> None:
    """Give one group the members of another: its similarities become the means over both."""
    total = sizes[kept] + sizes[gone]
    mean = (sizes[kept] * matrix[kept] + sizes[gone] * matrix[gone]) / total
    mean[[kept, gone]] = -1.0
    matrix[kept] = matrix[:, kept] = mean
    matrix[gone] = matrix[:, gone] = -1.0
    sizes[kept] = total
