"""Hot terms: words and names that occur in more texts of a period than their history lets expect."""

import math
from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.hot.period_counts import PeriodCounts, PeriodSize

# Fewer texts are an anecdote: two texts of one event are usually a report and its update.
MIN_TEXTS = 3
# One word in twenty rises so by chance; what makes a story of such words is that the same texts carry them.
MIN_SURPRISE = math.log(20)
# A rise by half is significant for a frequent word, but no news.
MIN_RISE = 2.0
# A word that rises by this factor counts in full: words of everyday business rise by less, words of news by more.
_LOG_FULL_RISE = math.log(8.0)
MAX_PERIODS = 60
"""So many past periods count."""
_HALF_LIFE = 14
"""After so many periods a count is worth half."""
# Half a text for each term before anything is known: the prior of Jeffreys for a rate.
_PRIOR_TEXTS = 0.5
# Words come in bursts: squared deviation of their rate over its mean, before a word has a history of its own,
# and the sum of squared expectations that this prior is worth.
_PRIOR_DISPERSION = 0.25
_PRIOR_SQUARES = 10.0
DAYS_OF_WEEK = 7
# A weekday must differ by many texts before it counts: there are few of it, and chance would move rare words.
_PRIOR_DAY_TEXTS = 20.0

Floats = NDArray[np.float64]


class HotTerm(msgspec.Struct, frozen=True):
    """A term with its count, the count that was expected, and how surprising the difference is."""

    term: str
    texts: int
    expected: float
    surprise: float
    """The negative natural logarithm of the probability of so many texts or more."""
    weight: float = -1.0
    """What the term adds to the score of a story: its surprise, less if it has risen by a small factor."""

    def __post_init__(self) -> None:
        if self.weight < 0:
            msgspec.structs.force_setattr(self, "weight", self.surprise)

    @property
    def is_hot(self) -> bool:
        """Whether it is carried by several texts, more than twice as many as expected, and hardly by chance."""
        risen = self.texts >= max(MIN_TEXTS, MIN_RISE * self.expected)
        return risen and self.surprise >= MIN_SURPRISE


JudgeTerm = Callable[[str, int], HotTerm]
"""Compares the number of texts with a term with its history."""


class Expectation(msgspec.Struct, frozen=True, eq=False):
    """For each of several terms: how many texts are expected to have it, and how far that may be wrong."""

    texts: Floats
    spread: Floats
    """The part of the variance that grows with the square of the mean."""


class PeriodHistory:
    """What the sizes of past periods and the counts of terms in them let expect of the current one.

    The number of texts with a term is expected to follow a negative binomial distribution: its mean is the smoothed rate
    of the past periods, recent ones with more weight, moved towards that of the same weekday; its variance has the
    uncertainty of that rate, which is large for rare terms, and the dispersion of the counts so far.
    """

    def __init__(self, past: Sequence[PeriodSize], now: PeriodSize, cycle: int = DAYS_OF_WEEK) -> None:
        """Take the past periods, in ascending order; after `cycle` of them they resemble each other: 7 days, or 1 week."""
        if not past:
            raise BadInput("there is no text of an earlier period: hot words need at least one period before")
        self._masses = np.array([one.mass for one in past], np.float64)
        self._weights = 0.5 ** (np.arange(len(past), 0, -1) / _HALF_LIFE)
        self._same_day = np.array([cycle > 1 and (now.period - one.period) % cycle == 0 for one in past])
        self._mass = float(self._weights @ self._masses)
        self._now_mass = now.mass

    def expect(self, counts: NDArray[np.int64]) -> Expectation:
        """Return what is expected of terms; `counts` has a row for each term and a column for each past period.

        Cost: O(terms · periods).
        """
        known = counts @ self._weights + _PRIOR_TEXTS
        rates = known / self._mass
        means = rates[:, None] * self._masses
        expected = rates * self._estimate_day_factors(counts, rates) * self._now_mass
        excess = ((counts - means) ** 2 - means).sum(axis=1) + _PRIOR_DISPERSION * _PRIOR_SQUARES
        squares = (means * means).sum(axis=1) + _PRIOR_SQUARES
        return Expectation(expected, 1 / known + np.maximum(excess, 0.0) / squares)

    def _estimate_day_factors(self, counts: NDArray[np.int64], rates: Floats) -> Floats:
        """Return the counts on the same weekday relative to other days, drawn towards 1 as long as they are small."""
        of_day = counts[:, self._same_day].sum(axis=1)
        day_mass = self._masses[self._same_day].sum()
        factors: Floats = (of_day + _PRIOR_DAY_TEXTS) / (rates * day_mass + _PRIOR_DAY_TEXTS)
        return factors


class History:
    """The frequency lists of past periods, to judge terms of the current one by."""

    def __init__(self, past: Sequence[PeriodCounts], now: PeriodCounts, cycle: int = DAYS_OF_WEEK) -> None:
        """Take the past periods, in ascending order; for `cycle` see `PeriodHistory`."""
        self._past = [one for one in past if one.period < now.period and one.counts][-MAX_PERIODS:]
        sizes = [PeriodSize(one.period, one.texts, one.mass) for one in self._past]
        self._history = PeriodHistory(sizes, PeriodSize(now.period, now.texts, now.mass), cycle)

    def judge_term(self, term: str, texts: int) -> HotTerm:
        """Compare the number of texts with a term with its history."""
        counts = np.array([[one.counts.get(term, 0) for one in self._past]], np.int64)
        expected = self._history.expect(counts)
        return make_hot_term(term, texts, float(expected.texts[0]), float(expected.spread[0]))


def make_hot_term(term: str, texts: int, expected: float, spread: float) -> HotTerm:
    """Return a term with its surprise and its weight."""
    surprise = compute_surprise(texts, expected, spread)
    share = min(1.0, math.log(max(texts / expected, 1.0)) / _LOG_FULL_RISE)
    return HotTerm(term, texts, expected, surprise, surprise * share)


def find_hot_terms(now: PeriodCounts, judge_term: JudgeTerm) -> list[HotTerm]:
    """Return the terms of a period that are surprisingly frequent, the most surprising first."""
    judged = (judge_term(term, texts) for term, texts in now.counts.items() if texts >= MIN_TEXTS)
    return sort_terms(one for one in judged if one.is_hot)


def sort_terms(terms: Iterable[HotTerm]) -> list[HotTerm]:
    """Sort terms, the most surprising first."""
    return sorted(terms, key=lambda one: (-one.surprise, one.term))


def compute_surprise(texts: int, expected: float, spread: float) -> float:
    """Return -ln P(X ≥ texts) for a negative binomial X with this mean and the variance mean + spread · mean²."""
    if texts <= expected:
        return 0.0
    shape = 1.0 / spread
    more = expected / (expected + shape)
    first = (
        math.lgamma(texts + shape)
        - math.lgamma(shape)
        - math.lgamma(texts + 1)
        + shape * math.log1p(-more)
        + texts * math.log(more)
    )
    tail, term, at = 1.0, 1.0, texts
    while term > 1e-9 * tail:
        term *= (at + shape) / (at + 1) * more
        tail += term
        at += 1
    return max(0.0, -(first + math.log(tail)))
