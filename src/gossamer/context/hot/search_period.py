"""Find the stories of one period: its hot terms, judged all at once, and the texts that carry them."""

from collections.abc import Collection, Sequence

import numpy as np

from gossamer.context.hot.hot_records import HotQuestion
from gossamer.context.hot.period_terms import PeriodTerms
from gossamer.context.hot.stored_texts import StoredTexts
from gossamer.context.hot.text_segment import Hashes, Ints, Segment
from gossamer.text.hot.find_stories import MAX_TERMS, Story, group_terms
from gossamer.text.hot.hot_terms import (
    DAYS_OF_WEEK,
    MAX_PERIODS,
    MIN_RISE,
    MIN_TEXTS,
    Expectation,
    HotTerm,
    PeriodHistory,
    make_hot_term,
    sort_terms,
)
from gossamer.text.hot.period_counts import PeriodSize
from gossamer.text.hot.text_likeness import TextLikeness, Vectors, measure_rarity

# The texts of a term that are compared with those of others: the same ones of all terms, by their ids, which are hashes.
_MOST_CARRIERS = 1_000


class PeriodSearch:
    """Finds the stories of one period, as the grouping of terms asks for its texts."""

    def __init__(
        self, terms: PeriodTerms, period: int, question: HotQuestion, earliest: int, texts: StoredTexts
    ) -> None:
        self._terms = terms
        self._period = period
        self._cycle = DAYS_OF_WEEK if question.by == "day" else 1
        self._earliest = max(earliest, period - MAX_PERIODS)
        self._stored = texts
        self._now = terms.read_list(period)
        self._expected: dict[str, tuple[float, float]] = {}
        self._hashes: dict[str, int] = {}
        self._carriers: dict[str, list[str]] = {}
        self._rows: dict[str, tuple[Segment, int]] = {}

    def find(self) -> list[Story]:
        """Return the stories of the period, the hottest first; none if there is nothing before it."""
        hot = self._find_hot_terms()
        self._find_carriers()
        return group_terms(hot, self, self.judge_term)

    def _find_hot_terms(self) -> list[HotTerm]:
        frequent = self._now.counts >= MIN_TEXTS
        candidates, counts = self._now.terms[frequent], self._now.counts[frequent]
        past = [(one, self._terms.read_list(one)) for one in range(self._earliest, self._period)]
        past = [(period, list_) for period, list_ in past if list_.texts]
        if not past or not len(candidates):
            return []
        sizes = [PeriodSize(period, list_.texts, list_.mass) for period, list_ in past]
        now = PeriodSize(self._period, self._now.texts, self._now.mass)
        history = PeriodHistory(sizes, now, self._cycle)
        matrix = np.stack([list_.count(candidates) for _, list_ in past], axis=1)
        return self._judge(candidates, counts, history.expect(matrix))

    def _judge(self, candidates: Hashes, counts: Ints, expected: Expectation) -> list[HotTerm]:
        risen = np.flatnonzero(counts >= MIN_RISE * expected.texts)
        words = self._stored.find_words(candidates[risen])
        judged = []
        for place in risen.tolist():
            hash_ = int(candidates[place])
            word = words.get(hash_, "")
            fit = float(expected.texts[place]), float(expected.spread[place])
            one = make_hot_term(word, int(counts[place]), *fit)
            if word and one.is_hot:
                self._hashes[word], self._expected[word] = hash_, fit
                judged.append(one)
        chosen = sort_terms(judged)[:MAX_TERMS]
        kept = {one.term for one in chosen}
        self._hashes = {word: hash_ for word, hash_ in self._hashes.items() if word in kept}
        return chosen

    def _find_carriers(self) -> None:
        """Find the texts with each hot term, in one pass over the terms of the period."""
        wanted = np.array(sorted(self._hashes.values()), np.uint32)
        word_of = {hash_: word for word, hash_ in self._hashes.items()}
        pages: dict[int, list[Ints]] = {hash_: [] for hash_ in word_of}
        for chosen in self._terms.choose_rows(self._period) if len(wanted) else ():
            for rows, terms in chosen.find_rows(wanted):
                order = np.argsort(terms, kind="stable")
                ends = np.searchsorted(terms[order], wanted, "right")
                begins = np.searchsorted(terms[order], wanted, "left")
                for hash_, begin, end in zip(wanted.tolist(), begins.tolist(), ends.tolist(), strict=True):
                    if begin < end:
                        self._note_rows(chosen.segment, rows[order[begin:end]], pages[hash_])
        for hash_, found in pages.items():
            ids = np.unique(np.concatenate(found))[:_MOST_CARRIERS]
            self._carriers[word_of[hash_]] = [str(id_) for id_ in ids.tolist()]

    def _note_rows(self, segment: Segment, rows: Ints, pages: list[Ints]) -> None:
        ids = segment.pages[rows]
        lowest = np.argsort(ids)[:_MOST_CARRIERS]
        pages.append(ids[lowest])
        for id_, row in zip(ids[lowest].tolist(), rows[lowest].tolist(), strict=True):
            self._rows[str(id_)] = (segment, row)

    def judge_term(self, term: str, texts: int) -> HotTerm:
        """Compare a number of texts with what was expected of a hot term."""
        return make_hot_term(term, texts, *self._expected[term])

    def list_carriers(self, term: str) -> Sequence[str]:
        """Return the ids of the texts with a term."""
        return self._carriers[term]

    def compare_texts(self, ids: Collection[str]) -> TextLikeness:
        """Return the likeness of texts."""
        vectors: Vectors = {}
        for id_ in ids:
            segment, row = self._rows[id_]
            terms = segment.terms[segment.starts[row] : segment.starts[row + 1]]
            counts = self._now.count(np.asarray(terms)).tolist()
            vectors[id_] = {
                term: measure_rarity(self._now.texts, max(count, 1))
                for term, count in zip(terms.tolist(), counts, strict=True)
            }
        return TextLikeness(vectors)
