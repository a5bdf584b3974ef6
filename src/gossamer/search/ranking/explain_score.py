"""Why a page stands where it does: its score in parts, by word and field."""

import json
from collections import Counter

import msgspec

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import Asked
from gossamer.search.ranking.rerank import Hit, near_queries
from gossamer.search.terms.analysis import forms, words

# What engine and sums round off.
_NOTHING = 1e-4


class Part(msgspec.Struct, frozen=True):
    """What one word in one field adds to the score of a page; or words near each other, links, feedback."""

    word: str
    """"" where the whole page has it."""
    field: str
    """Of the index; or `near`, `rank`, `feedback`."""
    score: float


def parts_of(index: Index, asked: Asked, hit: Hit) -> tuple[Part, ...]:
    """Return what each word adds in each field, and what the rest of the score is, the most first."""
    fields = index.weights.fields()
    told = Counter(word for one in asked.words for word in words(one.text))
    parts = [
        Part(word, field, hit.scale * times * weight * _sum(index, field, forms(word, asked.languages), hit))
        for word, times in told.items()
        for field, weight in fields.items()
    ]
    parts += [
        Part(pair, "near", hit.scale * _score(index, query, hit))
        for pair, query in (near_queries(index, asked).items() if hit.near else ())
    ]
    parts.append(Part("", "rank", hit.scale * hit.rank))
    if hit.scale != 1:
        parts.append(Part("", "feedback", hit.score - sum(part.score for part in parts)))
    return tuple(sorted((part for part in parts if abs(part.score) > _NOTHING), key=lambda part: -part.score))


def _sum(index: Index, field: str, terms: list[str], hit: Hit) -> float:
    queries = (tantivy.Query.term_query(index.schema, field, term) for term in terms)
    return sum(_score(index, query, hit) for query in queries)


def _score(index: Index, query: "tantivy.Query", hit: Hit) -> float:
    try:
        told = query.explain(index.searcher, hit.place).to_json()
    except ValueError:  # the page does not have it
        return 0.0
    return float(json.loads(told)["value"])
