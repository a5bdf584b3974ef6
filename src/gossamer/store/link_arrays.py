"""The links of a web as arrays: gathered batch by batch, redirects followed.

The links of a page are one row, their targets packed, so nothing is done link by link. A link to an address that
redirects counts as a link to where the redirects end, since that is the page that a reader gets.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.numbering import Numbering
from gossamer.records import LinkType
from gossamer.store.arrow_rows import Snapshot
from gossamer.store.rows import LINK_TYPES

Ids = NDArray[np.int64]
Nodes = NDArray[np.int32]

KINDS = np.arange(256)
"""A link's byte says its type, nofollow, whether it spans hosts, and sites: see rows.py."""
TYPE = KINDS // 8
_IS_REDIRECT: NDArray[np.bool_] = np.equal(TYPE, LINK_TYPES.index("redirect"))
# The others say how the crawl came to a page; they stand on none.
_NOT_ON_PAGES: tuple[LinkType, ...] = ("redirect", "sitemap", "seed")
_MOST_HOPS = 20


class Links(msgspec.Struct, frozen=True, eq=False):
    """The links of chosen pages: those among them as nodes, the others by the ids that they lead to."""

    sources: Nodes
    targets: Nodes
    leaving: Nodes
    """The sources of those that lead elsewhere."""
    elsewhere: Ids
    kinds: NDArray[np.int64]
    """How many there are of each kind."""


def read_links(state: Snapshot, known: Numbering, types: tuple[LinkType, ...]) -> Links:
    """Read the links of known pages; of these types, or of all that stand on pages."""
    wanted = types or [name for name in LINK_TYPES if name not in _NOT_ON_PAGES]
    gathered = _Gathered(known, np.isin(TYPE, [LINK_TYPES.index(name) for name in wanted]))
    for pages, (targets, _), (kinds, starts) in state.batches("select source, targets, kinds from link"):
        gathered.take(pages, targets.view("<i8").astype(np.int64, copy=False), kinds, np.diff(starts))
    return gathered.links()


class _Gathered:
    """What was read so far. Most batches hold nothing that must be left out: then nothing is looked at twice."""

    def __init__(self, known: Numbering, wanted: NDArray[np.bool_]) -> None:
        self._known = known
        self._wanted = wanted
        self._among: list[tuple[Nodes, Nodes]] = []
        self._beyond: list[tuple[Nodes, Ids]] = []
        self._redirects: list[tuple[Ids, Ids]] = []
        self._kinds = np.zeros(256, np.int64)

    def take(self, pages: Ids, targets: Ids, kinds: NDArray[np.uint8], counts: NDArray[np.int64]) -> None:
        """Take a batch: of each page how many links it has, and of each link its target and its kind."""
        rows = self._known.find(pages)
        there = np.bincount(kinds, minlength=256)
        if there[_IS_REDIRECT].any():
            moved = _IS_REDIRECT[kinds]
            self._redirects.append((np.repeat(pages, counts)[moved], targets[moved]))
        sources = np.repeat(rows, counts)
        if there[~self._wanted].any() or (rows < 0).any():
            keep = self._wanted[kinds] & (sources >= 0)
            there = np.bincount(kinds[keep], minlength=256)
            sources, targets = sources[keep], targets[keep]
        self._kinds += there
        nodes = self._known.find(targets)
        inside = nodes >= 0
        if not inside.all():
            self._beyond.append((sources[~inside], targets[~inside]))
            sources, nodes = sources[inside], nodes[inside]
        self._among.append((sources, nodes))

    def links(self) -> Links:
        """Return everything that was taken."""
        elsewhere = _followed(joined((ids for _, ids in self._beyond), np.int64), self._redirects)
        return Links(
            joined((sources for sources, _ in self._among), np.int32),
            joined((nodes for _, nodes in self._among), np.int32),
            joined((sources for sources, _ in self._beyond), np.int32),
            elsewhere,
            self._kinds,
        )


def _followed(ids: Ids, redirects: list[tuple[Ids, Ids]]) -> Ids:
    """Return where these ids lead in the end; what goes round in a ring stays somewhere in it."""
    moved = Numbering()
    moved.add(joined((origins for origins, _ in redirects), np.int64))
    leads_to = np.empty(len(moved), np.int64)
    for origins, targets in redirects:
        leads_to[moved.find(origins)] = targets
    for _ in range(_MOST_HOPS):
        at = moved.find(ids)
        moves = at >= 0
        if not moves.any():
            break
        ids[moves] = leads_to[at[moves]]
    return ids


def joined(pieces: Iterable[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    """Put arrays one behind the other; without any, an empty one of this kind."""
    return np.concatenate([np.empty(0, kind), *pieces])
