"""Why a page stands where it does: its score in parts, by word and field."""

import json

import msgspec

from gossamer.search.analysis import forms, words
from gossamer.search.clauses import Asked
from gossamer.search.engine import tantivy
from gossamer.search.index import Index


class Part(msgspec.Struct, frozen=True):
    """What one word in one field adds to the score of a page."""

    word: str
    field: str
    score: float


def parts_of(index: Index, asked: Asked, place: "tantivy.DocAddress") -> tuple[Part, ...]:
    """Return what each word adds in each field, the most first; what feedback adds is not among it."""
    weights = index.weights
    fields = {"words": 1.0, "anchors": weights.anchors, "url": weights.url, "rest": weights.rest}
    told = dict.fromkeys(word for one in asked.words for word in words(one.text))
    parts = [
        Part(
            word,
            field,
            weight * max(_score(index, field, term, place) for term in forms(word, asked.languages)),
        )
        for word in told
        for field, weight in fields.items()
    ]
    return tuple(sorted((part for part in parts if part.score), key=lambda part: -part.score))


def _score(index: Index, field: str, term: str, place: "tantivy.DocAddress") -> float:
    query = tantivy.Query.term_query(index.schema, field, term)
    try:
        told = query.explain(index.searcher, place).to_json()
    except ValueError:  # the page does not have it
        return 0.0
    return float(json.loads(told)["value"])
