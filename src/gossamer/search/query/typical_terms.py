"""Which terms are typical of some pages: frequent on them, rare in the whole index."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from gossamer.search.index.page_entry import Shown
from gossamer.search.index.search_index import Index
from gossamer.search.terms.analysis import analyser

_K1, _B = 1.2, 0.75
# The beginning of a long page says what it is about; all of it would take long to read.
_READ_CHARACTERS = 5_000

Typical = list[tuple[str, float]]
"""Terms and their weights, the most typical first."""


def terms_of(index: Index, page: Shown) -> Counter[str]:
    """Return the terms of a page and how often each counts, title words as in the index."""
    terms = analyser(page.language).terms
    counts = Counter(terms(page.text[:_READ_CHARACTERS]))
    for term in terms(page.title):
        counts[term] += index.weights.title_times
    return counts


def typical(index: Index, pages: Sequence[tuple[float, Counter[str]]], most: int) -> Typical:
    """Return the terms that are most typical of some pages, each of which counts by its weight.

    Source: Rocchio 1971, with the weights of BM25. Cost: a look-up in the index for each different term.
    """
    usual = sum(counts.total() for _, counts in pages) / max(1, len(pages))
    sums: defaultdict[str, float] = defaultdict(float)
    for weight, counts in pages:
        norm = _K1 * (1 - _B + _B * counts.total() / max(1.0, usual))
        for term, times in counts.items():
            sums[term] += weight * times * (_K1 + 1) / (times + norm)
    weighed = [(term, weight * _rarity(index, term)) for term, weight in sums.items()]
    weighed.sort(key=lambda one: (-one[1], one[0]))
    return [(term, weight) for term, weight in weighed[:most] if weight > 0]


def _rarity(index: Index, term: str) -> float:
    """Return the idf of a term; 0 for one that stands on one page only, or on a large share of all."""
    pages = index.pages
    having = index.having("words", term)
    if having < 2 or having > max(2, index.weights.feedback_most * pages):
        return 0.0
    return math.log(1 + (pages - having + 0.5) / (having + 0.5))
