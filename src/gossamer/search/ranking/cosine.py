"""Rank pages by the vector-space model: by the angle between the vectors of page and query.

Query and page are vectors with one dimension for each term. A term weighs (1 + log of its frequency) times the log of
its rarity; the cosine of the angle between two vectors is their similarity. A word that the query repeats counts more.
Source: Salton, Wong and Yang 1975; the variant is ltc.ltc of Salton and Buckley 1988.
"""

import math
from collections import Counter

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.typical_terms import count_terms
from gossamer.search.ranking.explain_score import ScorePart
from gossamer.search.ranking.rerank import Hit
from gossamer.search.terms.analysis import split_text, to_terms

# The angle is computed for the best pages by BM25 only, since each of them has to be read.
_MEASURED = 100

Vector = dict[str, float]


def rank_by_cosine(index: Index, query: CompiledQuery, wanted: int) -> list[Hit]:
    """Return the best pages, the most similar first; at least `wanted`, if the query finds that many."""
    hits = index.searcher.search(query.query, limit=max(wanted, _MEASURED), count=False).hits
    places = [place for _, place in hits]
    found = list(zip(index.read_numbers("id", places), places, strict=True))
    space = _VectorSpace(index)
    vector = space.make_query_vector(query)
    near = [
        Hit(_compute_cosine(vector, space.make_page_vector(place)), page, place)
        for page, place in found[:_MEASURED]
    ]
    near.sort(key=lambda hit: -hit.score)
    return [*near, *(Hit(0.0, page, place) for page, place in found[_MEASURED:])]


def explain_cosine(index: Index, query: CompiledQuery, hit: Hit) -> tuple[ScorePart, ...]:
    """Return what each term of the query adds to the cosine, the most first."""
    space = _VectorSpace(index)
    vector, page = space.make_query_vector(query), space.make_page_vector(hit.place)
    length = _compute_length(vector) * _compute_length(page)
    parts = [
        ScorePart(term, "words", weight * page[term] / length)
        for term, weight in vector.items()
        if term in page
    ]
    return tuple(sorted(parts, key=lambda part: -part.score))


class _VectorSpace:
    """Makes vectors, and caches the rarity of terms."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._rarity: dict[str, float] = {}

    def make_query_vector(self, query: CompiledQuery) -> Vector:
        """Return the vector of a query, with every term that a word may be indexed as."""
        words = [word for one in query.words for word in split_text(one.text)]
        return self._make_vector(Counter(term for word in words for term in to_terms(word, query.languages)))

    def make_page_vector(self, place: "tantivy.DocAddress") -> Vector:
        """Return the vector of a page's title and the beginning of its text."""
        return self._make_vector(count_terms(self._index, self._index.load_page(place)))

    def _make_vector(self, counts: Counter[str]) -> Vector:
        return {term: (1 + math.log(times)) * self._look_up_rarity(term) for term, times in counts.items()}

    def _look_up_rarity(self, term: str) -> float:
        known = self._rarity.get(term)
        if known is None:
            count = self._index.count_pages("words", term)
            known = self._rarity[term] = math.log((1 + self._index.pages) / count) if count else 0.0
        return known


def _compute_cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of the angle between two vectors; 0 if one has no length."""
    length = _compute_length(one) * _compute_length(other)
    return sum(weight * other.get(term, 0.0) for term, weight in one.items()) / length if length else 0.0


def _compute_length(vector: Vector) -> float:
    return math.sqrt(sum(weight * weight for weight in vector.values()))
