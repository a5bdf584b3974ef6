"""The texts of links that lead to a page: what others call it.

Seeds 000 and 001: such texts describe a page and belong to it, unless they say nothing. Several links of one site count
once, and those of a site to itself least. A text that leads to many different pages says nothing: “click here”.

Texts are told apart by their hashes; the words themselves are read from the store for those pages only that are indexed
anew. Of each page its chosen texts are 17 bytes each on disk, and 16 bytes in memory: what they are, altogether.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.search.links import hash_link_texts
from gossamer.search.links.disk_buckets import Drawers, Records
from gossamer.search.links.generic_anchor_texts import EmptyTexts
from gossamer.search.links.link_walk import OWN, PLACE_BITS
from gossamer.store.batch import Store

# “Home”, “next” and “click here” lead to everything: texts that lead to more pages than this name none of them. In a
# large web several pages have the same name by chance: then it is one page in so many, as far as counters reach.
_MOST_TARGETS = 20
_ONE_PAGE_IN = 2_000
_HIGHEST_COUNT = 250
_MOST_TEXTS = 10
_LONGEST_TEXT = 200
_MOST_TIMES = 4
# Counters of texts: eight for each, that two seldom share one; 16 MB at most.
_COUNTERS_A_TEXT = 8
_MOST_COUNTER_BITS = 24

_PAIR = np.dtype(
    [("target", "<i8"), ("text", "<i8"), ("place", "<i8"), ("sites", "<i4"), ("own_bits", "<i4")]
)
"""A name of a page: how many other sites use it, and how often its own does, as the length of that number in bits."""
_CHOSEN = np.dtype([("target", "<i8"), ("place", "<i8"), ("times", "<i1")])
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SITE_MASK = np.uint64(0xFFFFF)
# More than so many sites count as so many when names are put in order: 11 bits.
_MOST_SITES = 2**11 - 1


class Called(msgspec.Struct, frozen=True):
    """What others call a page."""

    texts: tuple[str, ...] = ()
    """The most important first; those that count more several times."""
    digest: int = 0
    """Another one when the texts are others; 0 if there are none, or if some have gone meanwhile."""


class _Choice(msgspec.Struct, frozen=True, eq=False):
    """What pages are called, as numbers: of page ids[n] the names are those from starts[n] to starts[n + 1]."""

    ids: NDArray[np.int64]
    """Ascending."""
    digests: NDArray[np.int64]
    starts: NDArray[np.int64]
    names: Records


class Anchors:
    """What the pages of a web are called."""

    def __init__(self, store: Store, choice: _Choice, empty: EmptyTexts) -> None:
        self._store = store
        self._choice = choice
        self.empty = empty
        """Texts that lead to too many pages to name one."""

    def digests(self, pages: ArrayLike) -> NDArray[np.int64]:
        """Return a number for what each of some pages is called; 0 for those that nobody calls anything."""
        at = self._places(pages)
        return np.where(at >= 0, self._choice.digests[at], 0) if len(self._choice.ids) else np.zeros_like(at)

    def called(self, pages: Sequence[int]) -> dict[int, Called]:
        """Return what some pages are called. Cost: reading a row of links for most of the names."""
        choice = self._choice
        at = self._places(pages).tolist()
        names = {
            page: choice.names[choice.starts[place] : choice.starts[place + 1]].tolist()
            for page, place in zip(pages, at, strict=True)
            if place >= 0
        }
        rows = {place >> PLACE_BITS for some in names.values() for _, place, _ in some}
        texts = self._store.link_texts(sorted(rows))
        digests = dict(zip(pages, self.digests(pages).tolist(), strict=True))
        return {page: _called(names.get(page, []), texts, digests[page]) for page in pages}

    def _places(self, pages: ArrayLike) -> NDArray[np.intp]:
        """Return where some pages stand in the choice; -1 for those that nobody calls anything."""
        wanted, ids = np.asarray(pages, np.int64), self._choice.ids
        if not len(ids):
            return np.full(len(wanted), -1)
        at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
        return np.where(ids[at] == wanted, at, -1)


def anchors_of(store: Store, named: Drawers, folder: Path, pages: int) -> Anchors:
    """Choose what the pages of a web are called, from drawers of `NAMED` links, which are emptied, into a folder.

    Cost: some tenths of a microsecond a link; memory for one drawer.
    """
    pairs = named.like("pairs", _PAIR)
    counted = _Counters(named.records)
    for drawer in range(len(named)):
        names = _pairs(named.taken(drawer))
        counted.add(names["text"])
        pairs.add(drawer, names)
    most = max(_MOST_TARGETS, min(_HIGHEST_COUNT, pages // _ONE_PAGE_IN))
    path, found = folder / "chosen", [(np.empty(0, np.int64),) * 3]
    empty = np.empty(0, np.int64)
    with path.open("wb") as file:
        for drawer in range(len(pairs)):
            names = pairs.taken(drawer)
            says_nothing = counted.of(names["text"]) > most
            empty = np.union1d(empty, names["text"][says_nothing])
            chosen, text_hashes = _chosen(names.take(np.flatnonzero(~says_nothing)))
            chosen.tofile(file)
            found.append(_summed(chosen, text_hashes))
    ids, digests, counts = map(np.concatenate, zip(*found, strict=True))
    held = np.memmap(path, _CHOSEN, "r") if path.stat().st_size else np.empty(0, _CHOSEN)
    choice = _Choice(ids, digests, np.append(0, np.cumsum(counts)), held)
    return Anchors(store, choice, EmptyTexts(empty))


class _Counters:
    """Counts to how many pages texts lead, in a bounded space: two that share a counter count together."""

    def __init__(self, texts: int) -> None:
        bits = min(_MOST_COUNTER_BITS, (_COUNTERS_A_TEXT * texts).bit_length())
        self._counts = np.zeros(1 << bits, np.uint8)

    def add(self, texts: NDArray[np.int64]) -> None:
        hash_link_texts.count(texts, self._counts)

    def of(self, texts: NDArray[np.int64]) -> NDArray[np.uint8]:
        counts: NDArray[np.uint8] = self._counts[texts & (len(self._counts) - 1)]
        return counts


def _pairs(links: Records) -> Records:
    """Return each text of each page once, with how many sites use it."""
    # Names side by side, and in each the sites: one sort by a hash is a third of the time of one by all three.
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


def _chosen(pairs: Records) -> tuple[Records, NDArray[np.int64]]:
    """Choose the best names of each page, the best first; return them and the hashes of their texts."""
    pairs = pairs.take(np.argsort(pairs["target"]))
    begins = _begins(pairs["target"])
    names = np.diff(np.append(begins, len(pairs)))
    # By their hashes in the end, not by where they stand: that changes with every visit to the page they stand on.
    worst_last = (_MOST_SITES - np.minimum(pairs["sites"], _MOST_SITES)).astype(np.uint64) << np.uint64(21)
    worst_last |= (31 - pairs["own_bits"]).astype(np.uint64) << np.uint64(16)
    worst_last |= pairs["text"].view(np.uint64) >> np.uint64(48)
    numbers = np.repeat(np.arange(len(begins), dtype=np.uint64), names)
    order = np.argsort(numbers << np.uint64(32) | worst_last)
    best = pairs.take(order[np.arange(len(order)) - np.repeat(begins, names) < _MOST_TEXTS])
    chosen = np.empty(len(best), _CHOSEN)
    chosen["target"], chosen["place"] = best["target"], best["place"]
    # Once, and once more for each doubling of the sites that use it.
    chosen["times"] = np.minimum(_MOST_TIMES, 1 + np.frexp(best["sites"])[1])
    return chosen, best["text"]


def _summed(
    chosen: Records, texts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the pages that are called something, of each a number for what and how often, and how many names it has."""
    begins = _begins(chosen["target"])
    told = (texts.view(np.uint64) + chosen["times"].astype(np.uint64)) * _MIX
    told ^= told >> np.uint64(32)
    sums = np.add.reduceat(told * _MIX, begins) if len(begins) else told
    return chosen["target"][begins], sums.view(np.int64), np.diff(np.append(begins, len(chosen)))


def _begins(ordered: NDArray[np.generic]) -> NDArray[np.intp]:
    """Return where each run of equal numbers begins."""
    return (
        np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(ordered) else np.empty(0, np.intp)
    )


def _called(names: list[tuple[int, int, int]], texts: dict[int, list[str]], digest: int) -> Called:
    """Return the texts of chosen names; what has gone since is left out, and then the digest says that it is not all."""
    found: list[str] = []
    whole = True
    for _, place, times in names:
        row = texts.get(place >> PLACE_BITS)
        if row is None:
            whole = False
        else:
            found += [row[place & ((1 << PLACE_BITS) - 1)][:_LONGEST_TEXT]] * times
    return Called(tuple(found), digest if whole else 0)
