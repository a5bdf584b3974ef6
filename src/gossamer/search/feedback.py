"""Pseudo-relevance feedback: the best pages are taken for good ones, and their typical words are asked for as well.

Source: Rocchio 1971; weights as in RM3 (Abdul-Jaleel et al. 2004), with BM25 in place of language models.
"""

import math
from collections import Counter, defaultdict

from gossamer.search.analysis import analyser
from gossamer.search.engine import tantivy
from gossamer.search.index import Index

_K1, _B = 1.2, 0.75
# The beginning of a long page says what it is about; all of it would take long to read.
_READ_CHARACTERS = 20_000


def widened(index: Index, query: "tantivy.Query", asked: int) -> "tantivy.Query":
    """Return a query that finds the same pages, ranked also by typical words of the best of them.

    `asked` is how many words the query has. Cost: a query, and reading the best pages.
    """
    weights = index.weights
    typical = _typical(index, query)
    total = sum(weight for _, weight in typical)
    if not total or not asked:
        return query
    said, share = (
        tantivy.Query.boost_query(query, (1 - weights.feedback_share) / asked),
        weights.feedback_share,
    )
    parts = [(tantivy.Occur.Must, said)]
    for term, weight in typical:
        wanted = tantivy.Query.term_query(index.schema, "words", term)
        parts.append((tantivy.Occur.Should, tantivy.Query.boost_query(wanted, share * weight / total)))
    return tantivy.Query.boolean_query(parts)


def _typical(index: Index, query: "tantivy.Query") -> list[tuple[str, float]]:
    """Return the most typical terms of the best pages, with their weights."""
    hits = index.searcher.search(query, limit=index.weights.feedback_pages, count=False).hits
    if not hits:
        return []
    pages = [(score, _terms(index, place)) for score, place in hits]
    usual = sum(counts.total() for _, counts in pages) / len(pages)
    sums: defaultdict[str, float] = defaultdict(float)
    for score, counts in pages:
        norm = _K1 * (1 - _B + _B * counts.total() / max(1.0, usual))
        for term, times in counts.items():
            sums[term] += score * times * (_K1 + 1) / (times + norm)
    weighed = [(term, weight * _rarity(index, term)) for term, weight in sums.items()]
    weighed.sort(key=lambda one: (-one[1], one[0]))
    return [(term, weight) for term, weight in weighed[: index.weights.feedback_terms] if weight > 0]


def _terms(index: Index, place: "tantivy.DocAddress") -> Counter[str]:
    page = index.shown(place)
    terms = analyser(page.language).terms
    counts = Counter(terms(page.text[:_READ_CHARACTERS]))
    for term in terms(page.title):
        counts[term] += index.weights.title_times
    return counts


def _rarity(index: Index, term: str) -> float:
    """Return the idf of a term; 0 for one that stands on one page only, or on a large share of all."""
    pages = index.pages
    having = index.searcher.doc_freq("words", term)
    if having < 2 or having > max(2, index.weights.feedback_most * pages):
        return 0.0
    return math.log(1 + (pages - having + 0.5) / (having + 0.5))
