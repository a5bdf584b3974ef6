"""Group places in a space by their directions: spherical k-means that gives the same groups each time."""

import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.sparse_rows import Dense, Vectors, normalise

Groups = NDArray[np.int64]

_RESTARTS = 4
_ROUNDS = 60
_STILL = 1e-4
"""Middles that move less than this have found their place."""
_LEAST_SHARE = 0.1
"""A group with less than this share of the mean size is dissolved."""
_FEWEST = 2
_SEED = 1997
_AT_ONCE = 20_000


def find_middles(vectors: Dense, number: int, start: Dense | None = None) -> Dense:
    """Return the middles of at most `number` groups of vectors of length 1; `start` gives middles to begin with.

    Groups that are much smaller than others are dissolved. The same vectors in the same order give the same middles.
    Cost: O(vectors · groups) a round. Source: Dhillon and Modha 2001; Arthur and Vassilvitskii 2007.
    """
    if start is not None:
        found = _move_middles(vectors, _add_middles(vectors, start, number, np.random.default_rng(_SEED)))[0]
    else:
        tries = (np.random.default_rng(_SEED + at) for at in range(_RESTARTS))
        begun = (_add_middles(vectors, vectors[:0], number, dice) for dice in tries)
        found = max((_move_middles(vectors, one) for one in begun), key=lambda one: one[1])[0]
    return _dissolve_small(vectors, found)


def assign(vectors: Vectors, middles: Dense) -> tuple[Groups, NDArray[np.float32]]:
    """Return the nearest middle of each vector, and how near it is; -1 for vectors of zeros."""
    groups = np.full(len(vectors), -1, np.int64)
    likeness = np.zeros(len(vectors), np.float32)
    for first in range(0, len(vectors), _AT_ONCE):
        some = vectors[first : first + _AT_ONCE].astype(np.float32, copy=False)
        scores = some @ middles.T
        best = scores.argmax(axis=1)
        groups[first : first + _AT_ONCE] = np.where(some.any(axis=1), best, -1)
        likeness[first : first + _AT_ONCE] = scores[np.arange(len(some)), best]
    return groups, likeness


def sum_by_group(vectors: Vectors, groups: Groups, count: int) -> Dense:
    """Return the sum of the vectors of each group."""
    sums = np.zeros((count, vectors.shape[1]), np.float32)
    order = np.argsort(groups, kind="stable")
    order = order[np.searchsorted(groups[order], 0) :]
    if len(order):
        starts = np.flatnonzero(np.append(True, np.diff(groups[order]) != 0))
        sums[groups[order[starts]]] = np.add.reduceat(vectors[order].astype(np.float32), starts, axis=0)
    return sums


def _add_middles(vectors: Dense, start: Dense, number: int, dice: np.random.Generator) -> Dense:
    """Add vectors to some middles, each drawn from those that are far from all middles so far."""
    middles = list(start[:number])
    far = np.ones(len(vectors)) if not middles else 1 - (vectors @ np.array(middles).T).max(axis=1)
    far = np.maximum(far, 0.0)
    while len(middles) < number and far.sum() > _STILL:
        bounds = np.cumsum(far)
        drawn = min(int(np.searchsorted(bounds, dice.random() * bounds[-1])), len(vectors) - 1)
        middles.append(vectors[drawn])
        far = np.minimum(far, np.maximum(0.0, 1 - vectors @ vectors[drawn]))
    return np.array(middles, np.float32).reshape(-1, vectors.shape[1])


def _move_middles(vectors: Dense, middles: Dense) -> tuple[Dense, float]:
    """Move middles to the means of their groups until they stay; return them with the sum of all likenesses."""
    near = 0.0
    for _ in range(_ROUNDS):
        groups, likeness = assign(vectors, middles)
        near = float(likeness.sum())
        sums = sum_by_group(vectors, groups, len(middles))
        moved = normalise(np.where(sums.any(axis=1, keepdims=True), sums, middles))
        is_still = float(np.abs(moved - middles).max(initial=0.0)) < _STILL
        middles = moved
        if is_still:
            break
    return middles, near


def _dissolve_small(vectors: Dense, middles: Dense) -> Dense:
    groups, _ = assign(vectors, middles)
    sizes = np.bincount(groups[groups >= 0], minlength=len(middles))
    least = max(_FEWEST, _LEAST_SHARE * len(vectors) / max(1, len(middles)))
    kept = sizes >= least
    return middles[kept] if kept.any() else middles[:1]
