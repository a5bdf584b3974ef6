"""Pseudo-relevance feedback: treat the best pages as relevant, and add their typical terms to the query.

Source: Rocchio 1971; weights as in RM3 (Abdul-Jaleel et al. 2004), with BM25 in place of language models.
"""

from collections.abc import Sequence

from gossamer.search.engine import tantivy
from gossamer.search.index.match_terms import match_term
from gossamer.search.index.search_index import Index
from gossamer.search.query.typical_terms import count_terms, find_typical_terms


def expand_query(
    index: Index, query: "tantivy.Query", words: int, best: "Sequence[tuple[float, tantivy.DocAddress]]"
) -> "tuple[tantivy.Query, float]":
    """Return a query that finds the same pages, ranked also by typical terms of the best of them.

    `words` is the number of words of the query. The second result is the factor by which the scores of the original query are
    multiplied. Cost: reading the best pages.
    """
    weights = index.weights
    pages = [(score, count_terms(index, index.load_page(place))) for score, place in best]
    terms = find_typical_terms(index, pages, weights.feedback_terms)
    total = sum(weight for _, weight in terms)
    if not total:
        return query, 1.0
    scale, share = (1 - weights.feedback_share) / words, weights.feedback_share
    parts = [(tantivy.Occur.Must, tantivy.Query.boost_query(query, scale))]
    for term, weight in terms:
        parts.append((tantivy.Occur.Should, match_term(index, "words", term, share * weight / total)))
    return tantivy.Query.boolean_query(parts), scale
