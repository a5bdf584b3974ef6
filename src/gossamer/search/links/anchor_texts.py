"""Choose the anchor texts of each page: the texts of links from other pages that describe it.

Anchor texts describe a page and are indexed with it (Web Search slides). Several links from one site count once, and links
within a site count least. A text that leads to many different pages, such as “click here”, describes none of them.

Texts are compared by their hashes; the words are read from the store only for pages that are indexed anew. The chosen texts
take 17 bytes each on disk, and 16 bytes for each page in memory, for a digest of all its texts.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.search.links import hash_link_texts
from gossamer.search.links.disk_buckets import DiskBuckets, Records
from gossamer.search.links.generic_anchor_texts import GenericTexts
from gossamer.search.links.link_walk import OWN, PLACE_BITS
from gossamer.store.batch import Store

# “Home”, “next” and “click here” lead everywhere: a text that leads to more pages than this is generic. In a
# large web several pages have the same name by chance: there the limit is one page in this many, as far as counters reach.
_MOST_TARGETS = 20
_ONE_PAGE_IN = 2_000
_HIGHEST_COUNT = 250
_MOST_TEXTS = 10
_LONGEST_TEXT = 200
_MOST_TIMES = 4
# Eight counters for each text, so that two texts seldom share one; 16 MB at most.
_COUNTERS_A_TEXT = 8
_MOST_COUNTER_BITS = 24

_PAIR = np.dtype(
    [("target", "<i8"), ("text", "<i8"), ("place", "<i8"), ("sites", "<i4"), ("own_bits", "<i4")]
)
"""A text that names a page: how many other sites use it, and the bit length of how often its own site does."""
_CHOSEN = np.dtype([("target", "<i8"), ("place", "<i8"), ("times", "<i1")])
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SITE_MASK = np.uint64(0xFFFFF)
# The number of sites is capped to 11 bits when names are sorted.
_MOST_SITES = 2**11 - 1


class PageAnchors(msgspec.Struct, frozen=True):
    """The anchor texts of one page."""

    texts: tuple[str, ...] = ()
    """The most important first; important ones are repeated."""
    digest: int = 0
    """Changes with the texts; 0 if there are none, or if some were deleted since they were chosen."""


class _NameTable(msgspec.Struct, frozen=True, eq=False):
    """The chosen names of all pages: page ids[n] has names[starts[n] : starts[n + 1]]."""

    ids: NDArray[np.int64]
    """Ascending."""
    digests: NDArray[np.int64]
    starts: NDArray[np.int64]
    names: Records


class WebAnchors:
    """The anchor texts of all pages of a web."""

    def __init__(self, store: Store, table: _NameTable, generic: GenericTexts) -> None:
        self._store = store
        self._table = table
        self.generic = generic
        """Texts that lead to too many pages to name one."""

    def get_digests(self, pages: ArrayLike) -> NDArray[np.int64]:
        """Return the digest of the anchor texts of some pages; 0 for pages without any."""
        at = self._find_places(pages)
        return np.where(at >= 0, self._table.digests[at], 0) if len(self._table.ids) else np.zeros_like(at)

    def read(self, pages: Sequence[int]) -> dict[int, PageAnchors]:
        """Return the anchor texts of some pages. Cost: reading a row of links for most of the texts."""
        table = self._table
        at = self._find_places(pages).tolist()
        names = {
            page: table.names[table.starts[place] : table.starts[place + 1]].tolist()
            for page, place in zip(pages, at, strict=True)
            if place >= 0
        }
        rows = {place >> PLACE_BITS for some in names.values() for _, place, _ in some}
        texts = self._store.link_texts(sorted(rows))
        digests = dict(zip(pages, self.get_digests(pages).tolist(), strict=True))
        return {page: _collect_texts(names.get(page, []), texts, digests[page]) for page in pages}

    def _find_places(self, pages: ArrayLike) -> NDArray[np.intp]:
        """Return the positions of some pages in the table; -1 for pages without anchor texts."""
        wanted, ids = np.asarray(pages, np.int64), self._table.ids
        if not len(ids):
            return np.full(len(wanted), -1)
        at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
        return np.where(ids[at] == wanted, at, -1)


def choose_anchors(store: Store, named: DiskBuckets, folder: Path, pages: int) -> WebAnchors:
    """Choose the anchor texts of all pages from buckets of `NAMED` links, which are emptied; write them into a folder.

    Cost: some tenths of a microsecond a link; memory for one bucket.
    """
    pairs = named.make_like("pairs", _PAIR)
    counters = _TargetCounters(named.records)
    for bucket in range(len(named)):
        names = _group_by_text(named.take(bucket))
        counters.add(names["text"])
        pairs.add(bucket, names)
    most = max(_MOST_TARGETS, min(_HIGHEST_COUNT, pages // _ONE_PAGE_IN))
    path, found = folder / "chosen", [(np.empty(0, np.int64),) * 3]
    generic = np.empty(0, np.int64)
    with path.open("wb") as file:
        for bucket in range(len(pairs)):
            names = pairs.take(bucket)
            is_generic = counters.get(names["text"]) > most
            generic = np.union1d(generic, names["text"][is_generic])
            chosen, text_hashes = _choose_names(names.take(np.flatnonzero(~is_generic)))
            chosen.tofile(file)
            found.append(_digest_names(chosen, text_hashes))
    ids, digests, counts = map(np.concatenate, zip(*found, strict=True))
    held = np.memmap(path, _CHOSEN, "r") if path.stat().st_size else np.empty(0, _CHOSEN)
    table = _NameTable(ids, digests, np.append(0, np.cumsum(counts)), held)
    return WebAnchors(store, table, GenericTexts(generic))


class _TargetCounters:
    """Counts in bounded space to how many pages each text leads; texts that share a counter are counted together."""

    def __init__(self, texts: int) -> None:
        bits = min(_MOST_COUNTER_BITS, (_COUNTERS_A_TEXT * texts).bit_length())
        self._counts = np.zeros(1 << bits, np.uint8)

    def add(self, texts: NDArray[np.int64]) -> None:
        hash_link_texts.count_texts(texts, self._counts)

    def get(self, texts: NDArray[np.int64]) -> NDArray[np.uint8]:
        counts: NDArray[np.uint8] = self._counts[texts & (len(self._counts) - 1)]
        return counts


def _group_by_text(links: Records) -> Records:
    """Return each text of each page once, with the number of sites that use it."""
    # Sort by name, then by site. One sort by a hash takes a third of the time of a sort by all three columns.
    name = links["target"].view(np.uint64) * _MIX + links["text"].view(np.uint64)
    sites = links["site"].view(np.uint32) & _SITE_MASK
    links = links.take(np.argsort((name & ~_SITE_MASK) | sites))
    target, text, site = links["target"], links["text"], links["site"]
    is_next = np.append(True, (target[1:] != target[:-1]) | (text[1:] != text[:-1]))[: len(links)]
    begins = np.flatnonzero(is_next)
    is_own = site == OWN
    is_new_site = np.append(True, site[1:] != site[:-1])[: len(links)] | is_next
    pairs = np.empty(len(begins), _PAIR)
    if len(begins):
        pairs["target"], pairs["text"] = target[begins], text[begins]
        pairs["place"] = np.minimum.reduceat(links["place"], begins)
        pairs["sites"] = np.add.reduceat(is_new_site & ~is_own, begins, dtype=np.int32)
        pairs["own_bits"] = np.frexp(np.add.reduceat(np.where(is_own, links["uses"], 0), begins))[1]
    return pairs


def _choose_names(pairs: Records) -> tuple[Records, NDArray[np.int64]]:
    """Choose the best names of each page, the best first; return them and the hashes of their texts."""
    pairs = pairs.take(np.argsort(pairs["target"]))
    begins = _find_run_starts(pairs["target"])
    names = np.diff(np.append(begins, len(pairs)))
    # Ties are broken by the text's hash, not by its place, which changes with every visit to the linking page.
    worst_last = (_MOST_SITES - np.minimum(pairs["sites"], _MOST_SITES)).astype(np.uint64) << np.uint64(21)
    worst_last |= (31 - pairs["own_bits"]).astype(np.uint64) << np.uint64(16)
    worst_last |= pairs["text"].view(np.uint64) >> np.uint64(48)
    numbers = np.repeat(np.arange(len(begins), dtype=np.uint64), names)
    order = np.argsort(numbers << np.uint64(32) | worst_last)
    best = pairs.take(order[np.arange(len(order)) - np.repeat(begins, names) < _MOST_TEXTS])
    chosen = np.empty(len(best), _CHOSEN)
    chosen["target"], chosen["place"] = best["target"], best["place"]
    # Once, and once more for each doubling of the number of sites.
    chosen["times"] = np.minimum(_MOST_TIMES, 1 + np.frexp(best["sites"])[1])
    return chosen, best["text"]


def _digest_names(
    chosen: Records, texts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the pages that have names, a digest of the names of each, and how many names each has."""
    begins = _find_run_starts(chosen["target"])
    hashes = (texts.view(np.uint64) + chosen["times"].astype(np.uint64)) * _MIX
    hashes ^= hashes >> np.uint64(32)
    sums = np.add.reduceat(hashes * _MIX, begins) if len(begins) else hashes
    return chosen["target"][begins], sums.view(np.int64), np.diff(np.append(begins, len(chosen)))


def _find_run_starts(ordered: NDArray[np.generic]) -> NDArray[np.intp]:
    """Return where each run of equal numbers begins."""
    return (
        np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(ordered) else np.empty(0, np.intp)
    )


def _collect_texts(
    names: list[tuple[int, int, int]], texts: dict[int, list[str]], digest: int
) -> PageAnchors:
    """Return the texts of chosen names, without texts that were deleted since; then the digest is 0."""
    found: list[str] = []
    whole = True
    for _, place, times in names:
        row = texts.get(place >> PLACE_BITS)
        if row is None:
            whole = False
        else:
            found += [row[place & ((1 << PLACE_BITS) - 1)][:_LONGEST_TEXT]] * times
    return PageAnchors(tuple(found), digest if whole else 0)
