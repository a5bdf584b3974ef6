"""Read all links of a web in one pass: the link graph between pages, and the texts that name pages.

Links are read as the store has packed them, two thousand pages at a time, and nothing is done link by link. Links marked
nofollow are left out. Cost: some 0.2 microseconds a link, 8 bytes of memory for each link between pages of the web, the rest
on disk.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import make_damage_error
from gossamer.graph.number_ids import Numbering
from gossamer.search.links import hash_link_texts
from gossamer.search.links.disk_buckets import DiskBuckets
from gossamer.store.batch import KIND_OF_TYPE, NOFOLLOW, SPANS_SITES, LinkRow, Store
from gossamer.store.links.link_arrays import Redirects, join_arrays

NAMED = np.dtype([("target", "<i8"), ("text", "<i8"), ("place", "<i8"), ("site", "<i4"), ("uses", "<i4")])
"""A link that names a page: the hash of its text, where the text is, the linking site or `OWN`, and how often it occurs."""
OWN = -1
PLACE_BITS = 16
"""A place is the number of a row of links, followed by the link's position in the row in this many bits."""
_ROWS_AT_ONCE = 2_000

_KINDS = np.arange(256)
_FOLLOWED = (_KINDS & NOFOLLOW) == 0


def _select_types(*types: int) -> NDArray[np.bool_]:
    selected: NDArray[np.bool_] = np.isin(_KINDS & ~7, types) & _FOLLOWED
    return selected


_NAMES = _select_types(KIND_OF_TYPE["a"], KIND_OF_TYPE["area"])
_VOUCHES = _NAMES | _select_types(KIND_OF_TYPE["frame"], KIND_OF_TYPE["iframe"])
_SPANS = (_KINDS & SPANS_SITES) > 0


class PageSites(msgspec.Struct, frozen=True, eq=False):
    """The pages of a web: their ids and the numbers of their sites."""

    ids: NDArray[np.int64]
    sites: NDArray[np.int32]


class LinkBlock(msgspec.Struct, frozen=True, eq=False):
    """The links of some pages; each array has one element for each link."""

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    texts: NDArray[np.int64]
    places: NDArray[np.int64]


def walk_links(
    store: Store, pages: PageSites, named: DiskBuckets
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Write the links that name pages into buckets; return sources and targets of links between pages, by their numbers."""
    known = Numbering(len(pages.ids))
    known.add(pages.ids)
    moved = Redirects([_to_columns(store.redirects())])
    # The last element is for sources that are not pages, whose number is -1.
    sites = np.append(pages.sites, np.int32(OWN))
    ends: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    for block in _read_blocks(store.link_rows()):
        at = np.flatnonzero(_VOUCHES[block.kinds] & (block.sources != block.targets))
        targets = moved.follow(block.targets[at])
        sources, found = known.find(block.sources[at]), known.find(targets)
        between = (sources >= 0) & (found >= 0)
        ends.append((sources[between], found[between]))
        named.distribute(_select_names(block, at, targets, sites[sources]))
    return join_arrays((one for one, _ in ends), np.int32), join_arrays(
        (other for _, other in ends), np.int32
    )


def _select_names(
    block: LinkBlock, at: NDArray[np.intp], targets: NDArray[np.int64], sites: NDArray[np.int32]
) -> NDArray[np.void]:
    """Return those of some links that name their target, as `NAMED` records."""
    kinds = block.kinds[at]
    names = _NAMES[kinds] & (block.texts[at] != 0) & (block.sources[at] != targets)
    at, targets = at[names], targets[names]
    texts = block.texts[at]
    by = np.where(_SPANS[kinds[names]], sites[names], np.int32(OWN))
    firsts, uses = hash_link_texts.unite_links(targets, texts, by)  # a menu is on each page, and one record
    records = np.empty(len(firsts), NAMED)
    records["target"], records["text"], records["site"] = targets[firsts], texts[firsts], by[firsts]
    records["place"], records["uses"] = block.places[at[firsts]], uses
    return records


def _to_columns(redirects: Iterable[tuple[int, int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    ends = np.array(list(redirects), np.int64).reshape(-1, 2)
    return ends[:, 0].copy(), ends[:, 1].copy()


def _read_blocks(rows: Iterator[LinkRow]) -> Iterator[LinkBlock]:
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        sizes = np.array([len(row[3]) for row in some])
        total = int(sizes.sum())
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        numbers = np.repeat(np.array([row[0] for row in some], np.int64), sizes)
        # Links beyond 65,536 on one page share the last position: they were not meant to name anything.
        nth = np.minimum(np.arange(total) - first, (1 << PLACE_BITS) - 1)
        yield LinkBlock(
            sources=np.repeat(np.array([row[1] for row in some], np.int64), sizes),
            targets=_read_targets(some),
            kinds=np.frombuffer(b"".join(row[3] for row in some), np.uint8),
            texts=_hash_texts(some, total),
            places=numbers << PLACE_BITS | nth,
        )


def _hash_texts(rows: Sequence[LinkRow], total: int) -> NDArray[np.int64]:
    try:
        hashes: NDArray[np.int64] = hash_link_texts.hash_texts([row[4] for row in rows], total)
    except ValueError:
        raise make_damage_error("the texts of the links of a page") from None
    return hashes


def _read_targets(rows: Iterable[LinkRow]) -> NDArray[np.int64]:
    return np.frombuffer(b"".join(row[2] for row in rows), "<i8").astype(np.int64)
