"""Map ids, which may be any numbers, to the nodes 0, 1, 2 and so on."""

from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.number_ids import Numbering, look_up_nodes, mark_ids

Ids = NDArray[np.int32] | NDArray[np.int64]
Nodes = NDArray[np.int32]

# For ids that fill a quarter of their range, an array is faster than a hash table and not larger.
_SPARSEST = 4
_ALWAYS_DENSE = 1 << 16


class IdIndex(Protocol):
    """Finds the nodes of ids; -1 for an unknown id."""

    def find(self, ids: Ids) -> Nodes: ...


class _DenseIndex(msgspec.Struct, frozen=True, eq=False):
    """Index of ids that mostly fill their range: node_at[id - first] is the node, or -1."""

    first: int
    node_at: Nodes

    def find(self, ids: Ids) -> Nodes:
        return look_up_nodes(ids, self.first, self.node_at)


class _SparseIndex(msgspec.Struct, frozen=True, eq=False):
    """Index of any other ids, as a hash table."""

    numbering: Numbering

    def find(self, ids: Ids) -> Nodes:
        return self.numbering.find(np.ascontiguousarray(ids, np.int64))


def index_ids(ids: NDArray[np.int64]) -> tuple[IdIndex, int | None]:
    """Index ids: the first is node 0. Return also the place of the first repeated id, or None."""
    nodes = np.arange(len(ids), dtype=np.int32)
    first, last = _find_range(ids)
    if _is_dense(first, last, len(ids)):
        node_at = np.full(last - first + 1, -1, np.int32)
        node_at[(ids - first)[::-1]] = nodes[::-1]  # backwards, so that the first of equal ids wins
        places: IdIndex = _DenseIndex(first, node_at)
        again = places.find(ids) != nodes
    else:
        numbering = Numbering(len(ids))
        places = _SparseIndex(numbering)
        again = numbering.add(ids) != nodes
    return places, int(np.argmax(again)) if again.any() else None


def renumber(sources: Ids, targets: Ids) -> tuple[NDArray[np.int64], Nodes, Nodes]:
    """Number all ids of the edges in ascending order; return the ids, and the sources and targets as nodes."""
    ids = _collect_ids(sources, targets)
    if sources.dtype == np.int32 and _find_range(ids) == (0, len(ids) - 1):
        return ids, sources.view(np.int32), targets.view(np.int32)
    places, _ = index_ids(ids)
    return ids, places.find(sources), places.find(targets)


def _collect_ids(sources: Ids, targets: Ids) -> NDArray[np.int64]:
    ranges = _find_range(sources), _find_range(targets)
    first, last = min(ranges)[0], max(end for _, end in ranges)
    if _is_dense(first, last, len(sources)):
        there = np.zeros(last - first + 1, np.uint8)
        mark_ids(sources, first, there)
        mark_ids(targets, first, there)
        return np.flatnonzero(there) + first
    numbering = Numbering()
    for ids in (sources, targets):
        numbering.add(np.ascontiguousarray(ids, np.int64))
    return np.sort(numbering.ids())


def _find_range(ids: Ids) -> tuple[int, int]:
    return (int(ids.min()), int(ids.max())) if len(ids) else (0, -1)


def _is_dense(first: int, last: int, count: int) -> bool:
    return last - first < _SPARSEST * count + _ALWAYS_DENSE
