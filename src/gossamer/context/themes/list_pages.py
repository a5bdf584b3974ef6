"""List the pages of an index, and read them in the order in which they are stored."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.index.search_index import Index

_AT_ONCE = 200_000
"""How many pages are listed at once: each takes 300 bytes meanwhile."""
_FEWEST_WORDS = 30
"""Shorter pages have equal simhashes by chance."""
_COPY_BITS = 3
"""Pages whose simhashes differ in at most so many of 64 bits are copies of each other."""
_TURNS = (0, 16, 32, 48)
_BESIDE = 6
_MIX = np.uint64(0x9E3779B97F4A7C15)

Ids = NDArray[np.int64]


class IndexPages(msgspec.Struct, frozen=True, eq=False):
    """The pages of an index, ascending by id."""

    index: Index
    ids: Ids
    stamps: Ids
    places: "list[tantivy.DocAddress]"

    def read(self, numbers: NDArray[np.int64]) -> Iterator[tuple[int, IndexedPage]]:
        """Yield some pages with their numbers here, in the order in which they are stored: that is fastest."""
        keys = [(self.places[at].segment_ord, self.places[at].doc, at) for at in numbers.tolist()]
        for _, _, at in sorted(keys):
            yield at, self.index.load_page(self.places[at])

    def read_fingerprints(self, numbers: NDArray[np.int64]) -> tuple[Ids, NDArray[np.int32]]:
        """Return the simhash and the number of words of some pages."""
        places = [self.places[at] for at in numbers.tolist()]
        words = np.minimum(np.array(self.index.read_numbers("length", places), np.int64), 2**31 - 1)
        return np.array(self.index.read_numbers("simhash", places), np.int64), words.astype(np.int32)


def list_pages(index: Index) -> IndexPages:
    """List all pages of an index. Cost: some microseconds a page."""
    parts = max(1, -(-index.own_pages // _AT_ONCE))
    bounds = [(2**64 * part // parts) - 2**63 for part in range(parts + 1)]
    ids, stamps = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    places: list[tantivy.DocAddress] = []
    for least, end in pairwise(bounds):
        query = tantivy.Query.range_query(index.schema, "id", tantivy.FieldType.Integer, least, end - 1)
        hits = index.searcher.search(query, limit=max(1, index.own_pages), count=False).hits
        some = [place for _, place in hits]
        ids.append(np.array(index.read_numbers("id", some), np.int64))
        stamps.append(np.array(index.read_numbers("stamp", some), np.int64))
        places += some
    whole = np.concatenate(ids)
    order = np.argsort(whole, kind="stable")
    return IndexPages(
        index, whole[order], np.concatenate(stamps)[order], [places[at] for at in order.tolist()]
    )


def mark_copies(simhashes: Ids, words: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Say which pages have the text of a page before them, or nearly so.

    Simhashes that differ in three bits have a quarter of their bits in common: sorted with each quarter first, they stand side
    by side. Of very many that begin alike some are missed. Cost: four sorts.
    """
    is_copy = np.zeros(len(simhashes), np.bool_)
    long = np.flatnonzero(words >= _FEWEST_WORDS)
    if not len(long):
        return is_copy
    unique, first = np.unique(simhashes[long], return_index=True)
    is_copy[long] = True
    is_copy[long[first]] = False
    found = unique.view(np.uint64)
    for turn in _TURNS:
        turned = found if not turn else (found << np.uint64(turn)) | (found >> np.uint64(64 - turn))
        order = np.argsort(turned, kind="stable")
        for beside in range(1, min(_BESIDE, len(order) - 1) + 1):
            apart = count_bits(found[order[:-beside]] ^ found[order[beside:]])
            near = np.flatnonzero(apart <= _COPY_BITS)
            later = np.maximum(first[order[near]], first[order[near + beside]])
            is_copy[long[later]] = True
    return is_copy


def count_bits(values: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return how many bits of each number are set."""
    counts = values - ((values >> np.uint64(1)) & np.uint64(0x5555555555555555))
    counts = (counts & np.uint64(0x3333333333333333)) + (
        (counts >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    counts = (counts + (counts >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    bits: NDArray[np.uint8] = ((counts * np.uint64(0x0101010101010101)) >> np.uint64(56)).astype(np.uint8)
    return bits


def choose_sample(ids: Ids, usable: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """Return the numbers of at most so many usable pages, ascending: always the same ones of the same pages.

    Pages are chosen by a hash of their id, so that a page that is added takes the place of at most one other.
    """
    numbers = np.flatnonzero(usable)
    hashes = ids[numbers].view(np.uint64) * _MIX
    hashes ^= hashes >> np.uint64(29)
    chosen = np.argsort(hashes * _MIX, kind="stable")[:most]
    return np.sort(numbers[chosen])


def split_numbers(numbers: NDArray[np.int64], size: int) -> Sequence[NDArray[np.int64]]:
    """Return the numbers in parts of at most this size."""
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]
