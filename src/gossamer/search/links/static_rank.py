"""Static rank: how pages stand by the links of the whole web, whatever is asked for.

Every link moves the rank of every page a little, and an entry of the engine cannot be changed without being written
anew. So ranks lie beside the entries in a file of their own, 16 bytes a page, which is written whole at each refresh
that sees other links than the one before.
"""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.atomic_file import write_atomically
from gossamer.graph.graph import from_edges
from gossamer.graph.ranking.pagerank import pagerank

FILE = "standing"
RANK_OF_AVERAGE = 1000
"""`rank` of a page that has just its share; one that has three times as much has twice this."""
_ROW = np.dtype([("id", "<i8"), ("rank", "<i4"), ("in_links", "<i4")])
_MOST = 2**31 - 1
# Ranks are whole numbers: further digits would not be seen.
_EPSILON = 1e-6


class Standing(msgspec.Struct, frozen=True, eq=False):
    """Rank and number of pages that link here, by the id of a page."""

    rows: NDArray[np.void]
    """Ascending by id."""

    def numbers(self, name: str, ids: ArrayLike) -> list[int]:
        """Return `rank` or `in_links` of each of some pages; 0 if nothing is known."""
        wanted = np.asarray(ids, np.int64)
        if not len(self.rows):
            return [0] * len(wanted)
        at = np.minimum(np.searchsorted(self.rows["id"], wanted), len(self.rows) - 1)
        there = self.rows["id"][at] == wanted
        found: list[int] = np.where(there, self.rows[name][at], 0).tolist()
        return found

    def multiples(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the ranks of some pages as multiples of the average; 0 if nothing is known."""
        ranks: NDArray[np.float64] = np.exp2(np.array(self.numbers("rank", ids)) / RANK_OF_AVERAGE) - 1.0
        return ranks


def standing_of(ids: ArrayLike, scores: ArrayLike, in_links: ArrayLike) -> Standing:
    """Return how pages stand by their PageRank, which sums to 1, and by how many pages link to each."""
    shares = np.asarray(scores, np.float64)
    rows = np.empty(len(shares), _ROW)
    rows["id"] = ids
    rows["rank"] = np.rint(RANK_OF_AVERAGE * np.log2(1 + shares * len(shares)))
    rows["in_links"] = np.minimum(np.asarray(in_links), _MOST)
    rows.sort(order="id")
    return Standing(rows)


def standing_by_links(
    ids: NDArray[np.int64], sources: NDArray[np.int32], targets: NDArray[np.int32]
) -> Standing:
    """Return how pages stand by the links between them, which are given by their numbers.

    Cost: as `graph.pagerank`; a tenth of a second for a million links. Several links between two pages are one.
    """
    graph = from_edges(sources, targets, len(ids))
    return standing_of(ids, pagerank(graph, epsilon=_EPSILON).scores, graph.in_degrees())


def read_standing(folder: Path | None) -> Standing:
    """Return what is known in the folder of an index; nothing, if nothing is, or if it lies in memory."""
    path = folder / FILE if folder is not None else None
    if path is None or not path.is_file() or path.stat().st_size < _ROW.itemsize:
        return Standing(np.empty(0, _ROW))
    rows = np.memmap(path, _ROW, "r", shape=path.stat().st_size // _ROW.itemsize)
    return Standing(rows.view(np.ndarray))  # each step from a memmap to a part of it takes five times as long


def keep_standing(standing: Standing, folder: Path) -> None:
    """Write it, whole or not at all; whoever reads meanwhile has the one before."""
    write_whole(standing.rows, folder / FILE)


def write_whole(values: NDArray[Any], path: Path) -> None:
    """Write an array into a file that nobody sees before it is whole."""
    with write_atomically(path) as new:
        values.tofile(new)
