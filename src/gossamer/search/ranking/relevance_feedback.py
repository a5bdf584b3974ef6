"""Pseudo-relevance feedback: the best pages are taken for good ones, and their typical words are asked for as well.

Source: Rocchio 1971; weights as in RM3 (Abdul-Jaleel et al. 2004), with BM25 in place of language models.
"""

from collections.abc import Sequence

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.query.typical_terms import terms_of, typical


def widened(
    index: Index, query: "tantivy.Query", asked: int, best: "Sequence[tuple[float, tantivy.DocAddress]]"
) -> "tuple[tantivy.Query, float]":
    """Return a query that finds the same pages, ranked also by typical words of the best of them.

    `asked` is how many words the query has. The second number is by how much its own scores are multiplied. Cost: reading
    the best pages.
    """
    weights = index.weights
    pages = [(score, terms_of(index, index.shown(place))) for score, place in best]
    learnt = typical(index, pages, weights.feedback_terms)
    total = sum(weight for _, weight in learnt)
    if not total:
        return query, 1.0
    scale, share = (1 - weights.feedback_share) / asked, weights.feedback_share
    parts = [(tantivy.Occur.Must, tantivy.Query.boost_query(query, scale))]
    for term, weight in learnt:
        wanted = tantivy.Query.term_query(index.schema, "words", term)
        parts.append((tantivy.Occur.Should, tantivy.Query.boost_query(wanted, share * weight / total)))
    return tantivy.Query.boolean_query(parts), scale
