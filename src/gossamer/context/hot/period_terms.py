"""The terms of the chosen texts, period by period, as frequency lists of hashes."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.context.hot.hot_records import ChoosePages, Period, find_first_day
from gossamer.context.hot.stored_texts import StoredTexts
from gossamer.context.hot.text_date import DATE_SOURCES, STATED
from gossamer.context.hot.text_segment import Hashes, Ints, Segment, hash_name

# On a site where a tenth of the pages state a date, the others are lists, front pages and imprints.
_STATED_SHARE = 0.1
_TERMS_AT_ONCE = 1 << 22
_MOST_LISTS = 128
"""Frequency lists that are kept: 60 periods before each shown one."""

Flags = NDArray[np.bool_]


class TermList(msgspec.Struct, frozen=True, eq=False):
    """The frequency list of a period."""

    texts: int
    terms: Hashes
    """Sorted."""
    counts: Ints

    @property
    def mass(self) -> int:
        """The sum of all counts."""
        return int(self.counts.sum())

    def count(self, terms: Hashes) -> Ints:
        """Return in how many texts each term occurs."""
        if not len(self.terms):
            return np.zeros(len(terms), np.int64)
        at = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        return np.where(self.terms[at] == terms, self.counts[at], 0)


class TextChoice(msgspec.Struct, frozen=True):
    """Which texts count."""

    site: str = ""
    language: str = ""
    choose_pages: ChoosePages | None = None


class ChosenRows(msgspec.Struct, frozen=True, eq=False):
    """Texts of one segment and one period: a range of rows, and which of them count."""

    segment: Segment
    first: int
    flags: Flags

    def read_terms(self) -> Iterator[Hashes]:
        """Yield the terms of the texts that count in pieces."""
        for begin, upto in self._list_pieces():
            flags = self.flags[begin - self.first : upto - self.first]
            terms = np.asarray(self.segment.terms[self.segment.starts[begin] : self.segment.starts[upto]])
            if not flags.all():
                terms = terms[np.repeat(flags, np.diff(self.segment.starts[begin : upto + 1]))]
            yield terms

    def find_rows(self, wanted: Hashes) -> Iterator[tuple[Ints, Hashes]]:
        """Yield those of the wanted terms that texts have, each with the row of its text, in pieces."""
        for begin, upto in self._list_pieces():
            starts = self.segment.starts[begin : upto + 1]
            terms = np.asarray(self.segment.terms[starts[0] : starts[-1]])
            places = np.flatnonzero(np.isin(terms, wanted))
            rows = np.searchsorted(starts, places + starts[0], "right") - 1 + begin
            counted = self.flags[rows - self.first]
            yield rows[counted], terms[places[counted]]

    def _list_pieces(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of rows with about four million terms each."""
        begin, end = self.first, self.first + len(self.flags)
        starts = self.segment.starts
        while begin < end:
            upto = int(np.searchsorted(starts, starts[begin] + _TERMS_AT_ONCE, "right")) - 1
            upto = min(max(upto, begin + 1), end)
            yield begin, upto
            begin = upto


class PeriodTerms:
    """The frequency lists of the periods of a web, for a choice of its texts."""

    def __init__(self, texts: StoredTexts, by: Period, choice: TextChoice) -> None:
        self._texts = texts
        self._by = by
        self._choice = choice
        self._stating = _find_stating_sites(texts)
        self.read_list = lru_cache(maxsize=_MOST_LISTS)(self._read_list)

    def find_days(self) -> tuple[int, int]:
        """Return the first and the last day with a text that counts; two zeros if there is none."""
        days = [
            one.days[rows[[0, -1]]]
            for one in self._texts.segments
            if len(rows := np.flatnonzero(self.choose(one, slice(0, len(one)))))
        ]
        return (int(min(one[0] for one in days)), int(max(one[1] for one in days))) if days else (0, 0)

    def choose_rows(self, period: int) -> list[ChosenRows]:
        """Return the texts of a period."""
        first, end = find_first_day(period, self._by), find_first_day(period + 1, self._by)
        chosen = []
        for segment in self._texts.segments:
            begin, upto = np.searchsorted(segment.days, [first, end]).tolist()
            if begin < upto:
                chosen.append(ChosenRows(segment, begin, self.choose(segment, slice(begin, upto))))
        return chosen

    def choose(self, segment: Segment, place: slice, any_source: bool = False) -> Flags:
        """Say which texts of a segment count; `any_source` also counts those without a date on a site that states dates."""
        flags = np.ones(place.stop - place.start, np.bool_)
        if self._choice.site:
            flags &= segment.sites[place] == hash_name(self._choice.site)
        if self._choice.language:
            flags &= segment.languages[place] == self._choice.language.encode("ascii", "replace")
        if self._choice.choose_pages is not None:
            flags &= self._choice.choose_pages(segment.pages[place])
        if not any_source:
            flags &= (segment.sources[place] < STATED) | ~np.isin(segment.sites[place], self._stating)
        return flags

    def count_sources(self, first: int, last: int) -> tuple[Ints, int]:
        """Return how many texts of a range of days are dated by each source, and how many do not count."""
        totals, left_out = np.zeros(len(DATE_SOURCES), np.int64), 0
        for segment in self._texts.segments:
            begin, upto = np.searchsorted(segment.days, [first, last + 1]).tolist()
            place = slice(begin, upto)
            flags = self.choose(segment, place)
            left_out += int(np.count_nonzero(self.choose(segment, place, any_source=True) & ~flags))
            totals += np.bincount(segment.sources[place][flags], minlength=len(DATE_SOURCES))
        return totals, left_out

    def _read_list(self, period: int) -> TermList:
        """Read the frequency list of a period. Cost: a sort of its terms, in pieces of four million."""
        texts, lists = 0, list[tuple[Hashes, Ints]]()
        for chosen in self.choose_rows(period):
            texts += int(np.count_nonzero(chosen.flags))
            for terms in chosen.read_terms():
                lists.append(np.unique(terms, return_counts=True))
                if len(lists) > 1 and len(lists[-1][0]) * 2 > len(lists[-2][0]):
                    lists[-2:] = [_add_lists(lists[-2:])]
        terms, counts = _add_lists(lists)
        return TermList(texts, terms, counts)


def _add_lists(lists: list[tuple[Hashes, Ints]]) -> tuple[Hashes, Ints]:
    if len(lists) == 1:
        return lists[0]
    every = np.concatenate([np.empty(0, np.uint32), *(terms for terms, _ in lists)])
    terms, places = np.unique(every, return_inverse=True)
    weights = np.concatenate([np.empty(0, np.int64), *(counts for _, counts in lists)])
    return terms, np.bincount(places, weights, len(terms)).astype(np.int64)


def _find_stating_sites(texts: StoredTexts) -> Hashes:
    """Return the sites on which enough pages state their dates."""
    sites = np.concatenate([np.empty(0, np.uint32), *(one.sites for one in texts.segments)])
    states = np.concatenate([np.empty(0, np.bool_), *(one.sources < STATED for one in texts.segments)])
    names, places = np.unique(sites, return_inverse=True)
    shares = np.bincount(places, states, len(names)) / np.maximum(
        np.bincount(places, minlength=len(names)), 1
    )
    return names[shares >= _STATED_SHARE]
