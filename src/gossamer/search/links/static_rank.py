"""Static rank: the PageRank of each page and the number of pages that link to it, independent of any query.

Every link moves the rank of every page a little, and the engine can change an entry only by writing it anew. So ranks are
kept beside the entries in a file of their own, 16 bytes a page, which is written whole at each refresh that finds other links
than the one before.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.atomic_file import write_atomically
from gossamer.graph.graph import Graph
from gossamer.graph.ranking.pagerank import pagerank

FILE = "standing"
RANK_OF_AVERAGE = 1000
"""The `rank` of a page with an average PageRank; a page with three times as much has twice this."""
_ROW = np.dtype([("id", "<i8"), ("rank", "<i4"), ("in_links", "<i4")])
_MOST = 2**31 - 1
# Ranks are stored as whole numbers: a smaller error would not be visible.
_EPSILON = 1e-6


class StaticRanks(msgspec.Struct, frozen=True, eq=False):
    """The rank of each page and the number of pages that link to it."""

    rows: NDArray[np.void]
    """Ascending by id."""

    def look_up(self, name: str, ids: Sequence[int] | NDArray[np.int64]) -> list[int]:
        """Return `rank` or `in_links` of some pages; 0 for unknown pages."""
        if not len(self.rows):
            return [0] * len(ids)
        wanted = np.asarray(ids, np.int64)
        at = np.minimum(np.searchsorted(self.rows["id"], wanted), len(self.rows) - 1)
        there = self.rows["id"][at] == wanted
        found: list[int] = np.where(there, self.rows[name][at], 0).tolist()
        return found

    def to_multiples(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the ranks of some pages as multiples of the average; 0 for unknown pages."""
        ranks: NDArray[np.float64] = np.exp2(np.array(self.look_up("rank", ids)) / RANK_OF_AVERAGE) - 1.0
        return ranks


def make_ranks(ids: ArrayLike, scores: ArrayLike, in_links: ArrayLike) -> StaticRanks:
    """Return static ranks from PageRank scores, which sum to 1, and the number of pages that link to each page."""
    shares = np.asarray(scores, np.float64)
    rows = np.empty(len(shares), _ROW)
    rows["id"] = ids
    rows["rank"] = np.rint(RANK_OF_AVERAGE * np.log2(1 + shares * len(shares)))
    rows["in_links"] = np.minimum(np.asarray(in_links), _MOST)
    rows.sort(order="id")
    return StaticRanks(rows)


def rank_by_links(ids: NDArray[np.int64], graph: Graph) -> StaticRanks:
    """Compute static ranks from the links between pages, whose nodes are the positions in `ids`.

    Cost: that of `graph.pagerank`, a tenth of a second for a million links.
    """
    return make_ranks(ids, pagerank(graph, epsilon=_EPSILON).scores, graph.in_degrees())


def read_ranks(folder: Path | None) -> StaticRanks:
    """Read the ranks in the folder of an index; none for an index in memory, or without the file."""
    path = folder / FILE if folder is not None else None
    if path is None or not path.is_file() or path.stat().st_size < _ROW.itemsize:
        return StaticRanks(np.empty(0, _ROW))
    rows = np.memmap(path, _ROW, "r", shape=path.stat().st_size // _ROW.itemsize)
    return StaticRanks(rows.view(np.ndarray))  # slicing a memmap takes five times as long


def write_ranks(ranks: StaticRanks, folder: Path) -> None:
    """Write the ranks atomically; concurrent readers keep the previous file."""
    write_array(ranks.rows, folder / FILE)


def write_array(values: NDArray[Any], path: Path) -> None:
    """Write an array into a file atomically."""
    with write_atomically(path) as new:
        values.tofile(new)
