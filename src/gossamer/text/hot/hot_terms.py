"""Hot terms: words and names that occur in more texts of a period than their history lets expect."""

import math
from collections.abc import Callable, Iterable, Sequence

import msgspec

from gossamer.errors import BadInput
from gossamer.text.hot.period_counts import PeriodCounts

# Fewer texts are an anecdote: two texts of one event are usually a report and its update.
MIN_TEXTS = 3
# One word in twenty rises so by chance; what makes a story of such words is that the same texts carry them.
MIN_SURPRISE = math.log(20)
# A rise by half is significant for a frequent word, but no news.
_MIN_RISE = 2.0
_MAX_PERIODS = 60
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


class HotTerm(msgspec.Struct, frozen=True):
    """A term with its count, the count that was expected, and how surprising the difference is."""

    term: str
    texts: int
    expected: float
    surprise: float
    """The negative natural logarithm of the probability of so many texts or more."""

    @property
    def is_hot(self) -> bool:
        """Whether it is carried by several texts, more than twice as many as expected, and hardly by chance."""
        risen = self.texts >= max(MIN_TEXTS, _MIN_RISE * self.expected)
        return risen and self.surprise >= MIN_SURPRISE


JudgeTerm = Callable[[str, int], HotTerm]
"""Compares the number of texts with a term with its history."""


class History:
    """The frequency lists of past periods, recent ones with more weight, to compare the current one with.

    The number of texts with a term is expected to follow a negative binomial distribution: its mean is the smoothed rate
    of the past periods, moved towards that of the same weekday; its variance has the uncertainty of that rate,
    which is large for rare terms, and the dispersion of the counts so far. Cost of a term: O(past periods).
    """

    def __init__(self, past: Sequence[PeriodCounts], now: PeriodCounts, cycle: int = DAYS_OF_WEEK) -> None:
        """Take the past periods, in ascending order; after `cycle` of them they resemble each other: 7 days, or 1 week."""
        self._past = [one for one in past if one.period < now.period and one.counts][-_MAX_PERIODS:]
        if not self._past:
            raise BadInput("there is no text of an earlier period: hot words need at least one period before")
        self._masses = [one.mass for one in self._past]
        self._weights = [0.5 ** (age / _HALF_LIFE) for age in range(len(self._past), 0, -1)]
        self._same_day = [cycle > 1 and (now.period - one.period) % cycle == 0 for one in self._past]
        self._mass = math.fsum(
            weight * mass for weight, mass in zip(self._weights, self._masses, strict=True)
        )
        self._day_mass = sum(mass for mass, same in zip(self._masses, self._same_day, strict=True) if same)
        self._now_mass = now.mass

    def judge_term(self, term: str, texts: int) -> HotTerm:
        """Compare the number of texts with a term with its history."""
        counts = [one.counts.get(term, 0) for one in self._past]
        known = math.fsum(weight * count for weight, count in zip(self._weights, counts, strict=True))
        rate = (known + _PRIOR_TEXTS) / self._mass
        expected = rate * self._estimate_day_factor(counts, rate) * self._now_mass
        spread = 1 / (known + _PRIOR_TEXTS) + self._measure_dispersion(counts, rate)
        return HotTerm(term, texts, expected, compute_surprise(texts, expected, spread))

    def _estimate_day_factor(self, counts: Sequence[int], rate: float) -> float:
        """Return the count on the same weekday relative to other days, drawn towards 1 as long as it is small."""
        of_day = sum(count for count, same in zip(counts, self._same_day, strict=True) if same)
        return (of_day + _PRIOR_DAY_TEXTS) / (rate * self._day_mass + _PRIOR_DAY_TEXTS)

    def _measure_dispersion(self, counts: Sequence[int], rate: float) -> float:
        """Return by how much the counts vary more than chance alone would let them, relative to their mean."""
        excess, squares = _PRIOR_DISPERSION * _PRIOR_SQUARES, _PRIOR_SQUARES
        for count, mass in zip(counts, self._masses, strict=True):
            mean = rate * mass
            excess += (count - mean) ** 2 - mean
            squares += mean * mean
        return max(excess, 0.0) / squares


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
