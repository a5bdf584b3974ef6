"""Read the links of a web as arrays, and follow redirects.

The links of a page are one row with packed targets, so that no step handles single links. A link to an address that
redirects counts as a link to the end of the redirects, since that is the page that a reader gets.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import make_damage_error
from gossamer.graph.number_ids import Numbering
from gossamer.records import LinkType
from gossamer.store.batch import LINK_TYPES
from gossamer.store.links.snapshot import Snapshot

Ids = NDArray[np.int64]
Nodes = NDArray[np.int32]

KINDS = np.arange(256)
"""A link's byte encodes its type, nofollow, and whether it spans hosts and sites: see `batch.KIND_OF_TYPE`."""
TYPE = KINDS // 8
_IS_REDIRECT: NDArray[np.bool_] = np.equal(TYPE, LINK_TYPES.index("redirect"))
# These types record how the crawl found a page; they are not on a page.
_NOT_ON_PAGES: tuple[LinkType, ...] = ("redirect", "sitemap", "seed")
_MOST_HOPS = 20
_TEMPLATE = np.uint8(255)
"""A kind of no type, so that it is never wanted."""


class LinkArrays(msgspec.Struct, frozen=True, eq=False):
    """The links of chosen pages: links between them as node numbers, the others by target id."""

    sources: Nodes
    targets: Nodes
    leaving: Nodes
    """The sources of links to other pages."""
    elsewhere: Ids
    """The targets of links to other pages."""
    kinds: NDArray[np.int64]
    """The number of links of each kind."""
    template: int = 0
    """The number of links left out because a template repeats them."""


def read_links(
    state: Snapshot, known: Numbering, types: tuple[LinkType, ...], templates: NDArray[np.bool_] | None = None
) -> LinkArrays:
    """Read the links of known pages, of these types; if there are none, of all types that are on pages.

    `templates` marks the links to leave out, in the order of all links.
    """
    names = types or [name for name in LINK_TYPES if name not in _NOT_ON_PAGES]
    wanted = np.isin(TYPE, [LINK_TYPES.index(name) for name in names]).view(np.uint8)
    counts = np.zeros(256, np.int64)
    ends, found = np.empty((2, _count_links(state)), np.int32), 0
    beyond: list[tuple[Nodes, Ids]] = []
    redirects: list[tuple[Ids, Ids]] = []
    read = left_out = 0
    for pages, (packed, bounds), (kinds, starts) in state.read_batches(
        "select source, targets, kinds from link order by number", "nbb"
    ):
        if not np.array_equal(bounds, 8 * starts):
            raise make_damage_error("the links of a page")
        targets = packed.view("<i8").astype(np.int64, copy=False)
        while found + len(targets) > ends.shape[1]:
            ends = np.concatenate([ends, np.empty_like(ends)], axis=1)
        content = kinds
        if templates is not None:
            marked = templates[read : read + len(kinds)]
            left_out += int(np.count_nonzero(wanted[kinds[marked]]))
            content = np.where(marked, _TEMPLATE, kinds)
            read += len(kinds)
        found, leaving, elsewhere = known.find_links(
            pages, starts, targets, content, wanted, counts, ends, found
        )
        beyond.append((leaving, elsewhere))
        moved = _IS_REDIRECT[kinds]
        if moved.any():
            redirects.append((np.repeat(pages, np.diff(starts))[moved], targets[moved]))
    sources = join_arrays((nodes for nodes, _ in beyond), np.int32)
    ids = Redirects(redirects).follow(join_arrays((ids for _, ids in beyond), np.int64))
    return LinkArrays(ends[0, :found], ends[1, :found], sources, ids, counts, left_out)


def _count_links(state: Snapshot) -> int:
    """Return the number of links of a web, to reserve room for them; unused room takes no memory."""
    (count,) = (columns[0][0] for columns in state.read_batches(state.links, "n"))
    return max(int(count), 1)


class Redirects:
    """Addresses that redirect, and their targets."""

    def __init__(self, redirects: Iterable[tuple[Ids, Ids]]) -> None:
        pieces = list(redirects)
        self._origins = Numbering()
        self._origins.add(join_arrays((origins for origins, _ in pieces), np.int64))
        self._leads_to = np.empty(len(self._origins), np.int64)
        for origins, targets in pieces:
            self._leads_to[self._origins.find(origins)] = targets

    def follow(self, ids: Ids) -> Ids:
        """Return where these ids lead in the end; in a cycle of redirects, one of its addresses."""
        ends = ids.copy()
        for _ in range(_MOST_HOPS):
            at = self._origins.find(ends)
            moves = at >= 0
            if not moves.any():
                break
            ends[moves] = self._leads_to[at[moves]]
        return ends


def join_arrays(pieces: Iterable[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    """Concatenate arrays; without any, return an empty one of this type."""
    return np.concatenate([np.empty(0, kind), *pieces])
