"""Compare how often words occur in two texts: significance, and size of the difference."""

import math

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Values = NDArray[np.float64]

MILLION = 1_000_000
# What Kilgarriff adds to both rates, so that rare words do not win: 1 prefers rare words, 1,000 frequent ones.
_ADDED_PER_MILLION = 100.0


def log_likelihood(first: Counts, second: Counts, first_words: int, second_words: int) -> Values:
    """Return G² of each word: how sure it is that two texts use it at different rates; negative if the first uses it less.

    The statistic of the two-by-two table of a word and all other words in both texts. Of equal rates, 1 word in 20
    has more than 3.84, 1 in 1,000 more than 10.83, 1 in 10,000 more than 15.13. Source: Dunning 1993. Cost: O(words).
    """
    here, there = first.astype(np.float64), second.astype(np.float64)
    both = here + there
    words = first_words + second_words
    observed = (here, there, first_words - here, second_words - there)
    share = both / max(1, words)
    expected = (
        first_words * share,
        second_words * share,
        first_words * (1 - share),
        second_words * (1 - share),
    )
    parts = [_sum_part(seen, awaited) for seen, awaited in zip(observed, expected, strict=True)]
    score: Values = np.maximum(2 * np.sum(parts, axis=0), 0.0)
    return np.where(here * second_words >= there * first_words, score, -score)


def log_ratio(first: Counts, second: Counts, first_words: int, second_words: int) -> Values:
    """Return the binary logarithm of the ratio of two rates: 1 means twice as often, 3 eight times as often.

    Half an occurrence stands for none. Source: Hardie 2014.
    """
    rates = [
        np.where(count > 0, count, 0.5) / max(1, words)
        for count, words in ((first, first_words), (second, second_words))
    ]
    found: Values = np.log2(rates[0] / rates[1])
    return found


def simple_maths(first: Counts, second: Counts, first_words: int, second_words: int) -> Values:
    """Return the ratio of two rates per million words, 100 added to both. Source: Kilgarriff 2009."""
    rates = [
        count * MILLION / max(1, words) + _ADDED_PER_MILLION
        for count, words in ((first, first_words), (second, second_words))
    ]
    found: Values = rates[0] / rates[1]
    return found


def compute_p(score: float) -> float:
    """Return the probability of a G² at least this large if two texts use a word at the same rate."""
    return math.erfc(math.sqrt(abs(score) / 2))


def bayes_factor(score: float, words: int) -> float:
    """Return the approximate Bayes factor of a G², as the Bayesian information criterion: above 2 is evidence, above 10 very strong.

    Source: Wilson 2013.
    """
    return abs(score) - math.log(max(1, words))


def deviation_of_proportions(on_pages: Counts, page_words: Counts, times: int, words: int) -> float:
    """Return how unevenly a word is spread over pages, from 0 (by their lengths) to 1 (all on one short page).

    `on_pages` counts it on the pages that have it, `page_words` are the words of these pages, `words` of all pages.
    Half the sum of the differences between a page's share of the word and its share of all words; pages without the word
    add their share. Source: Gries 2008.
    """
    shares = page_words / max(1, words)
    return float(0.5 * (1.0 + np.sum(np.abs(on_pages / max(1, times) - shares) - shares)))


def _sum_part(observed: Values, expected: Values) -> Values:
    """Return observed times the logarithm of observed by expected; 0 if nothing was observed."""
    with np.errstate(divide="ignore", invalid="ignore"):
        part = observed * np.log(observed / expected)
    return np.where(observed > 0, part, 0.0)
