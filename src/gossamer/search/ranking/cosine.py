"""The vector-space model: pages ranked by the angle between their words and those of the query.

Query and page are vectors with one dimension for each term. A term weighs (1 + log of how often it is there) times the log of
how rare it is; the cosine of the angle between two vectors is their likeness, and a word that the query repeats counts more.
Source: Salton, Wong, Yang 1975; the variant is ltc.ltc of Salton, Buckley 1988.
"""

import math
from collections import Counter

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import Asked
from gossamer.search.query.typical_terms import terms_of
from gossamer.search.ranking.explain_score import Part
from gossamer.search.ranking.rerank import Hit
from gossamer.search.terms.analysis import forms, words

# Of all pages that the query finds, the angle is measured for the best by BM25: each has to be read for it.
_MEASURED = 100

Vector = dict[str, float]


def ranked_by_cosine(index: Index, asked: Asked, wanted: int) -> list[Hit]:
    """Return the best pages, at least as many as wanted if so many were found, the nearest first."""
    hits = index.searcher.search(asked.query, limit=max(wanted, _MEASURED), count=False).hits
    places = [place for _, place in hits]
    found = list(zip(index.numbers("id", places), places, strict=True))
    space = _Space(index)
    query = space.query(asked)
    near = [Hit(space.cosine(query, space.page(place)), page, place) for page, place in found[:_MEASURED]]
    near.sort(key=lambda hit: -hit.score)
    return [*near, *(Hit(0.0, page, place) for page, place in found[_MEASURED:])]


def cosine_parts(index: Index, asked: Asked, hit: Hit) -> tuple[Part, ...]:
    """Return what each term of the query adds to the cosine, the most first."""
    space = _Space(index)
    query, page = space.query(asked), space.page(hit.place)
    length = _length(query) * _length(page)
    parts = [
        Part(term, "words", weight * page[term] / length) for term, weight in query.items() if term in page
    ]
    return tuple(sorted(parts, key=lambda part: -part.score))


class _Space:
    """Makes vectors, and remembers how rare terms are."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._rarity: dict[str, float] = {}

    def query(self, asked: Asked) -> Vector:
        """Return the vector of a query; a word counts in each form that pages may have it in."""
        plain = [word for one in asked.words for word in words(one.text)]
        return self._vector(Counter(term for word in plain for term in forms(word, asked.languages)))

    def page(self, place: "tantivy.DocAddress") -> Vector:
        """Return the vector of a page: of its title and the beginning of its text."""
        return self._vector(terms_of(self._index, self._index.shown(place)))

    def cosine(self, one: Vector, other: Vector) -> float:
        """Return the cosine of the angle between two vectors; 0 if one has no length."""
        length = _length(one) * _length(other)
        return sum(weight * other.get(term, 0.0) for term, weight in one.items()) / length if length else 0.0

    def _vector(self, counts: Counter[str]) -> Vector:
        return {term: (1 + math.log(times)) * self._rarity_of(term) for term, times in counts.items()}

    def _rarity_of(self, term: str) -> float:
        known = self._rarity.get(term)
        if known is None:
            having = self._index.having("words", term)
            known = self._rarity[term] = math.log((1 + self._index.pages) / having) if having else 0.0
        return known


def _length(vector: Vector) -> float:
    return math.sqrt(sum(weight * weight for weight in vector.values()))
