"""Find list pages, such as tables of contents and subject indexes: pages that name others and say little themselves.

A list page links to many more pages than most pages of its site do, and has few words for that. Menus do not make a list page,
since all pages of a site have them. On the documentation of Python and PostgreSQL, all indexes and tables of contents have a share of
more than .05 of their words in such links; of the other pages, one in fifty has.

The shares are written beside the index, twelve bytes for each list page, and are looked up for the best answers only.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.graph.graph import Graph
from gossamer.search.links.static_rank import write_array

FILE = "lists"
WHOLE_SHARE = 1000
"""The stored share of a page that is nothing but a list."""
_ROW = np.dtype([("id", "<i8"), ("share", "<i4")])
_WORDS_A_LINK = 3
_LEAST_SHARE = 0.05


class ListPages(msgspec.Struct, frozen=True, eq=False):
    """The list pages of a web, with the share of their words that is in links to others."""

    rows: NDArray[np.void]
    """Ascending by id."""

    def look_up(self, ids: Sequence[int] | NDArray[np.int64]) -> list[float]:
        """Return the share of some pages, from 0 to 1; 0 for pages that are no lists."""
        if not len(self.rows):
            return [0.0] * len(ids)
        wanted = np.asarray(ids, np.int64)
        at = np.minimum(np.searchsorted(self.rows["id"], wanted), len(self.rows) - 1)
        there = self.rows["id"][at] == wanted
        found: list[float] = np.where(there, self.rows["share"][at] / WHOLE_SHARE, 0.0).tolist()
        return found


def find_lists(ids: NDArray[np.int64], sites: ArrayLike, words: ArrayLike, graph: Graph) -> ListPages:
    """Find the list pages of a web, given the site, the number of words and the links of each page."""
    links = graph.out_degrees()
    usual = _find_medians(np.asarray(sites), links)
    shares = _WORDS_A_LINK * (links - usual) / np.maximum(1, np.asarray(words))
    chosen = np.flatnonzero(shares >= _LEAST_SHARE)
    rows = np.empty(len(chosen), _ROW)
    rows["id"] = ids[chosen]
    rows["share"] = np.rint(WHOLE_SHARE * np.minimum(1.0, shares[chosen]))
    rows.sort(order="id")
    return ListPages(rows)


def _find_medians(sites: NDArray[np.int32], links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each page, the median number of links on the pages of its site that have any."""
    medians = np.zeros(int(sites.max(initial=-1)) + 1, np.int64)
    linking = np.flatnonzero(links)
    order = linking[np.lexsort((links[linking], sites[linking]))]
    begins = np.flatnonzero(np.append(True, np.diff(sites[order]) != 0)[: len(order)])
    ends = np.append(begins[1:], len(order))
    middles = order[(begins + ends[: len(begins)]) // 2] if len(order) else order
    medians[sites[middles]] = links[middles]
    return medians[sites]


def read_lists(folder: Path | None) -> ListPages:
    """Read the list pages in the folder of an index; none for an index in memory, or without the file."""
    path = folder / FILE if folder is not None else None
    return ListPages(np.fromfile(path, _ROW) if path is not None and path.is_file() else np.empty(0, _ROW))


def write_lists(lists: ListPages, folder: Path) -> None:
    """Write the list pages atomically."""
    write_array(lists.rows, folder / FILE)
