"""Choose the pairs of neighbouring links that a template repeats."""

from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.number_ids import Numbering
from gossamer.graph.templates.link_pairs import count_pages
from gossamer.graph.templates.page_directories import LEVELS

Ids = NDArray[np.int64]
Marks = NDArray[np.bool_]

# Chosen on synthetic webs of 1,200 pages on 2 to 150 hosts, with planted templates: docs/decisions/0026.
MOST_PAGES_SHARE, SPARE_PAGES = 0.7, 1
"""A pair is on most pages of a host if at least this share of them, and one page more, or all of them have it."""
LEAST_PAGES = 4
"""Fewer pages may have a pair by chance."""
SOME_PAGES_SHARE, LEAST_PAGES_OF_RUNS = 1 / 3, 3
MOST_TIMES_OF_ONE = 1.5
"""A pair that pages have less often in the mean is once in the template."""
LEAST_RUN = 4
"""This many pairs in a row are a template even if only some pages have them: hosts have templates for kinds of pages, too."""


class LinkPairs(msgspec.Struct, frozen=True, eq=False):
    """Pairs of neighbouring links, in page order."""

    places: Ids
    """Positions among the pairs of all pages."""
    hashes: Ids
    """Of host and both targets."""
    pages: NDArray[np.int32]
    at_margin: Marks
    """Whether one of the two is the margin of the page."""

    @staticmethod
    def join(pieces: "Iterable[LinkPairs]") -> "LinkPairs":
        """Join pairs of one or more batches."""
        some = list(pieces)
        return LinkPairs(
            *(np.concatenate([getattr(one, name) for one in some]) for name in LinkPairs.__struct_fields__)
        )

    def part(self, at: Marks | Ids) -> "LinkPairs":
        """Return some of the pairs."""
        return LinkPairs(self.places[at], self.hashes[at], self.pages[at], self.at_margin[at])


def choose_repeated_pairs(frequent: LinkPairs, before: LinkPairs, after: LinkPairs, directories: Ids) -> Ids:
    """Return the places of the pairs that a template repeats, ascending.

    `before` and `after` are the pairs that would be there if a template linked a page to itself: where both are
    repeated, the template left out the page itself. A pair that most pages have is repeated, with two exceptions. It is alone
    here and in a long run elsewhere: then it is a list that begins like a menu. Or the page has it once more than the template: then
    a link in the text stands before or after a menu by chance. Pairs that fewer pages have are repeated if several follow each other.
    """
    ends = np.cumsum([len(frequent.places), len(before.places)])
    whole = LinkPairs.join([frequent, before, after])
    most, some = (np.split(found, ends) for found in judge_pages(whole.hashes, whole.pages, directories))
    bridged = before.part(most[1] & most[2])
    bridged = bridged.part(~_is_among(bridged.places, frequent.places))
    on_all = np.ones(len(bridged.places), np.bool_)
    pairs = LinkPairs.join([frequent, bridged])
    order = np.argsort(pairs.places, kind="stable")
    on_most = np.concatenate([most[0], on_all])[order]
    on_some = np.concatenate([some[0] & ~most[0], on_all])[order]
    is_bridge = (np.arange(len(order)) >= len(frequent.places))[order]
    pairs = pairs.part(order)
    chosen = _choose_on_most(pairs, on_most, is_bridge) | (_measure_runs(pairs, on_some) >= LEAST_RUN)
    return pairs.places[chosen]


def _choose_on_most(pairs: LinkPairs, on_most: Marks, is_bridge: Marks) -> Marks:
    """Choose among the pairs that most pages have."""
    lengths = _measure_runs(pairs, on_most)
    chosen = on_most & ((lengths > 1) | ~is_bridge)
    at = np.flatnonzero(chosen)
    hash_of = Numbering().add(pairs.hashes[at])
    alone = (lengths[at] == 1) & ~pairs.at_margin[at]
    in_long_runs = np.bincount(hash_of, lengths[at] >= LEAST_RUN) > np.bincount(hash_of) / 2
    chosen[at[alone & in_long_runs[hash_of]]] = False
    chosen[at[_find_surplus(pairs.part(at), hash_of, lengths[at])]] = False
    return chosen


def _find_surplus(pairs: LinkPairs, hash_of: NDArray[np.int32], lengths: Ids) -> Marks:
    """Find the pairs that a page has twice though the template has them once: all but the one in the longest run."""
    on_page = Numbering()
    name_of = on_page.add(pairs.hashes ^ pairs.pages)
    pages = np.bincount(hash_of[np.unique(name_of, return_index=True)[1]])
    once = np.bincount(hash_of) < MOST_TIMES_OF_ONE * pages
    order = np.lexsort((pairs.places, -lengths, name_of))
    surplus = np.zeros(len(order), np.bool_)
    surplus[order[1:]] = np.diff(name_of[order]) == 0
    return surplus & once[hash_of]


def judge_pages(of: Ids, on: NDArray[np.int32], directories: Ids) -> tuple[Marks, Marks]:
    """Return which hashes most pages of a host or directory have, and which at least some of them have.

    Hash of[i] is on page on[i]. A hash includes the host.
    """
    most, some = np.zeros((2, len(of)), np.bool_)
    left = np.argsort(on, kind="stable")
    for level in range(LEVELS):
        hashes = np.ascontiguousarray(directories[:, level])
        left = left[hashes[on[left]] != 0]
        pages = on[left]
        group_of = Numbering().add(hashes)
        sizes = np.bincount(group_of)[group_of][pages]
        keys = Numbering()
        key_of = keys.add(of[left] ^ hashes[pages] if level else of[left])
        counts = count_pages(key_of, pages, len(keys))[key_of]
        needed = np.minimum(MOST_PAGES_SHARE * sizes + SPARE_PAGES, sizes)
        most[left] |= (counts >= LEAST_PAGES) & (counts >= needed)
        some[left] |= (counts >= LEAST_PAGES_OF_RUNS) & (counts >= SOME_PAGES_SHARE * sizes)
        # A pair on too few pages of a host is on too few pages of its directories, too.
        left = left[~most[left] & (counts >= LEAST_PAGES_OF_RUNS)]
    return most, some


def _measure_runs(pairs: LinkPairs, wanted: Marks) -> Ids:
    """Return for each wanted pair the length of the run of wanted pairs around it on its page; 0 for the others."""
    lengths = np.zeros(len(wanted), np.int64)
    at = np.flatnonzero(wanted)
    begins = np.ones(len(at), np.bool_)
    begins[1:] = (np.diff(pairs.places[at]) != 1) | (np.diff(pairs.pages[at]) != 0)
    run = np.cumsum(begins) - 1
    lengths[at] = np.bincount(run)[run] if len(at) else 0
    return lengths


def _is_among(places: Ids, ascending: Ids) -> Marks:
    """Return which of some places are among others."""
    found: Marks = np.searchsorted(ascending, places, "left") < np.searchsorted(ascending, places, "right")
    return found
