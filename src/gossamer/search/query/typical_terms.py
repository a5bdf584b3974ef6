"""Find the terms that are typical of some pages: frequent on them, and rare in the whole index."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.index.search_index import Index
from gossamer.search.terms.analysis import get_analyser

_K1, _B = 1.2, 0.75
# The beginning of a long page shows its topic; reading all of it would take long.
_READ_CHARACTERS = 5_000

TypicalTerms = list[tuple[str, float]]
"""Terms and their weights, the most typical first."""


def count_terms(index: Index, page: IndexedPage) -> Counter[str]:
    """Count the terms of a page; words of the title count as often as in the index."""
    list_terms = get_analyser(page.language).list_terms
    counts = Counter(list_terms(page.text[:_READ_CHARACTERS]))
    for term in list_terms(page.title):
        counts[term] += index.weights.title_times
    return counts


def find_typical_terms(index: Index, pages: Sequence[tuple[float, Counter[str]]], most: int) -> TypicalTerms:
    """Return the most typical terms of some pages, given as weights and term counts.

    Source: Rocchio 1971, with the weights of BM25. Cost: a look-up in the index for each different term.
    """
    average = sum(counts.total() for _, counts in pages) / max(1, len(pages))
    sums: defaultdict[str, float] = defaultdict(float)
    for weight, counts in pages:
        norm = _K1 * (1 - _B + _B * counts.total() / max(1.0, average))
        for term, times in counts.items():
            sums[term] += weight * times * (_K1 + 1) / (times + norm)
    weighed = [(term, weight * _compute_rarity(index, term)) for term, weight in sums.items()]
    weighed.sort(key=lambda one: (-one[1], one[0]))
    return [(term, weight) for term, weight in weighed[:most] if weight > 0]


def _compute_rarity(index: Index, term: str) -> float:
    """Return the idf of a term; 0 for a term on one page only, or on a large share of all pages."""
    pages = index.pages
    count = index.count_pages("words", term)
    if count < 2 or count > max(2, index.weights.feedback_most * pages):
        return 0.0
    return math.log(1 + (pages - count + 0.5) / (count + 0.5))
