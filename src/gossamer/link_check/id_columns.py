"""Sets of 64-bit numbers as sorted columns: eight bytes a number, where a Python set takes sixty."""

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Keys = NDArray[np.uint64]
Flags = NDArray[np.uint8]

_PENDING = 100_000
"""So many numbers are collected before they are merged."""
_PAIR_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def contains(sorted_ids: Ids, ids: Ids) -> NDArray[np.bool_]:
    """Say for each number whether it is in a sorted column."""
    if not len(sorted_ids):
        return np.zeros(len(ids), bool)
    at = np.searchsorted(sorted_ids, ids)
    at[at == len(sorted_ids)] = 0
    found: NDArray[np.bool_] = sorted_ids[at] == ids
    return found


def pair_keys(pages: Ids, fragments: Ids) -> Keys:
    """Return one number for each pair of a page and a fragment."""
    with np.errstate(over="ignore"):
        mixed = pages.astype(np.uint64) * _PAIR_MULTIPLIER
        return mixed ^ (fragments.astype(np.uint64) + (mixed >> np.uint64(29)))


class FlaggedIds:
    """A growing set of numbers, each with the flags of all times that it was added."""

    def __init__(self) -> None:
        self._ids, self._flags = [np.empty(0, np.int64)], [np.empty(0, np.uint8)]
        self._pending = 0

    def add(self, ids: Ids, flags: Flags) -> None:
        """Add numbers with their flags."""
        ids, flags = _merge(ids, flags)
        self._ids.append(ids)
        self._flags.append(flags)
        self._pending += len(ids)
        if self._pending > max(_PENDING, len(self._ids[0])):
            self.merge()

    def merge(self) -> tuple[Ids, Flags]:
        """Return all numbers, sorted, and their flags."""
        ids, flags = _merge(np.concatenate(self._ids), np.concatenate(self._flags))
        self._ids, self._flags, self._pending = [ids], [flags], 0
        return ids, flags


class DistinctKeys:
    """A growing set of keys."""

    def __init__(self) -> None:
        self._keys = [np.empty(0, np.uint64)]
        self._pending = 0

    def add(self, keys: Keys) -> None:
        """Add keys."""
        self._keys.append(np.unique(keys))
        self._pending += len(self._keys[-1])
        if self._pending > max(_PENDING, len(self._keys[0])):
            self.merge()

    def merge(self) -> Keys:
        """Return all keys, sorted."""
        self._keys, self._pending = [np.unique(np.concatenate(self._keys))], 0
        return self._keys[0]


def _merge(ids: Ids, flags: Flags) -> tuple[Ids, Flags]:
    """Return each number once, with all of its flags."""
    if not len(ids):
        return ids, flags
    order = np.argsort(ids, kind="stable")
    ids, flags = ids[order], flags[order]
    starts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]]))
    return ids[starts], np.bitwise_or.reduceat(flags, starts)
