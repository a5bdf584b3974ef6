"""One walk over all links of a web: which pages link to which, and what they call them.

Links are read as the store has packed them, some thousand pages at a time, and nothing is done link by link. Links that
say nofollow vouch for nothing and give no names. Cost: some 0.2 microseconds a link, 8 bytes of memory for each between
pages of the web, the rest on disk.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.number_ids import Numbering
from gossamer.search.links import hash_link_texts
from gossamer.search.links.disk_buckets import Drawers
from gossamer.store.batch import KIND_OF_TYPE, NOFOLLOW, SPANS_SITES, LinkRow, Store
from gossamer.store.links.link_arrays import Redirects, join_arrays

NAMED = np.dtype([("target", "<i8"), ("text", "<i8"), ("place", "<i8"), ("site", "<i4"), ("uses", "<i4")])
"""Links that name a page: the hash of their text, where that stands, the site that says so, `OWN` for its own, how often."""
OWN = -1
PLACE_BITS = 16
"""A place is the number of a row of links, and in so many bits which of them."""
_ROWS_AT_ONCE = 2_000

_KINDS = np.arange(256)
_FOLLOWED = (_KINDS & NOFOLLOW) == 0


def _of_types(*types: int) -> NDArray[np.bool_]:
    chosen: NDArray[np.bool_] = np.isin(_KINDS & ~7, types) & _FOLLOWED
    return chosen


_NAMES = _of_types(KIND_OF_TYPE["a"], KIND_OF_TYPE["area"])
_VOUCHES = _NAMES | _of_types(KIND_OF_TYPE["frame"], KIND_OF_TYPE["iframe"])
_SPANS = (_KINDS & SPANS_SITES) > 0


class Sources(msgspec.Struct, frozen=True, eq=False):
    """The pages of a web: their ids and the numbers of their sites."""

    ids: NDArray[np.int64]
    sites: NDArray[np.int32]


class Piece(msgspec.Struct, frozen=True, eq=False):
    """The links of some pages; each array has one element a link."""

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    texts: NDArray[np.int64]
    places: NDArray[np.int64]


def walked(store: Store, pages: Sources, named: Drawers) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Put links that name pages into drawers; return sources and targets of those between pages, by their numbers."""
    known = Numbering(len(pages.ids))
    known.add(pages.ids)
    moved = Redirects([_columns(store.redirects())])
    sites = np.append(
        pages.sites, np.int32(OWN)
    )  # the last is for sources that are no pages, whose number is -1
    ends: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    for piece in _pieces(store.link_rows()):
        at = np.flatnonzero(_VOUCHES[piece.kinds] & (piece.sources != piece.targets))
        targets = moved.follow(piece.targets[at])
        sources, found = known.find(piece.sources[at]), known.find(targets)
        between = (sources >= 0) & (found >= 0)
        ends.append((sources[between], found[between]))
        named.put(_naming(piece, at, targets, sites[sources]))
    return join_arrays((one for one, _ in ends), np.int32), join_arrays(
        (other for _, other in ends), np.int32
    )


def _naming(
    piece: Piece, at: NDArray[np.intp], targets: NDArray[np.int64], sites: NDArray[np.int32]
) -> NDArray[np.void]:
    """Return those of some links that give their target a name."""
    kinds = piece.kinds[at]
    names = _NAMES[kinds] & (piece.texts[at] != 0) & (piece.sources[at] != targets)
    at, targets = at[names], targets[names]
    texts = piece.texts[at]
    by = np.where(_SPANS[kinds[names]], sites[names], np.int32(OWN))
    firsts, uses = hash_link_texts.united(targets, texts, by)  # a menu is on each page, and one record
    records = np.empty(len(firsts), NAMED)
    records["target"], records["text"], records["site"] = targets[firsts], texts[firsts], by[firsts]
    records["place"], records["uses"] = piece.places[at[firsts]], uses
    return records


def _columns(redirects: Iterable[tuple[int, int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    ends = np.array(list(redirects), np.int64).reshape(-1, 2)
    return ends[:, 0].copy(), ends[:, 1].copy()


def _pieces(rows: Iterator[LinkRow]) -> Iterator[Piece]:
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        sizes = np.array([len(row[3]) for row in some])
        total = int(sizes.sum())
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        numbers = np.repeat(np.array([row[0] for row in some], np.int64), sizes)
        # Who has more than 65,536 links on a page has not meant the last ones to name anything.
        nth = np.minimum(np.arange(total) - first, (1 << PLACE_BITS) - 1)
        yield Piece(
            np.repeat(np.array([row[1] for row in some], np.int64), sizes),
            _targets(some),
            np.frombuffer(b"".join(row[3] for row in some), np.uint8),
            hash_link_texts.hashes([row[4] for row in some], total),
            numbers << PLACE_BITS | nth,
        )


def _targets(rows: Iterable[LinkRow]) -> NDArray[np.int64]:
    return np.frombuffer(b"".join(row[2] for row in rows), "<i8").astype(np.int64)
