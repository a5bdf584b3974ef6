"""Match terms, scored by their rarity in this index or in several webs together.

The engine computes the rarity of a term from its own pages. A weight replaces it by the rarity in all pages, exactly: BM25 is a
product of which the rarity is one factor.
"""

from collections.abc import Sequence

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.index.whole_statistics import compute_idf


def match_term(index: Index, field: str, term: str, weight: float = 1.0) -> "tantivy.Query":
    """Match a term in a field; its score is multiplied by a weight."""
    query = tantivy.Query.term_query(index.schema, field, term)
    return _weigh(query, weight * _correct_rarity(index, field, (term,)))


def match_near_terms(
    index: Index, field: str, terms: Sequence[str], most_between: int = 0
) -> "tantivy.Query":
    """Match terms in this order with at most so many others between them; one term alone is matched as it is."""
    if len(terms) == 1:
        return match_term(index, field, terms[0])
    query = tantivy.Query.phrase_query(index.schema, field, list(terms), slop=most_between)
    return _weigh(query, _correct_rarity(index, field, terms))


def _weigh(query: "tantivy.Query", weight: float) -> "tantivy.Query":
    return query if weight == 1 else tantivy.Query.boost_query(query, weight)


def _correct_rarity(index: Index, field: str, terms: Sequence[str]) -> float:
    """Return the rarity of some terms in several webs, divided by that in this index; 1 if it is searched alone."""
    if index.whole is None:
        return 1.0
    own = sum(compute_idf(index.count_own_pages(field, term), index.own_pages) for term in terms)
    whole = sum(compute_idf(index.count_pages(field, term), index.pages) for term in terms)
    return whole / own
