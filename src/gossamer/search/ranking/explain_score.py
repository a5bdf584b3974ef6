"""Explain the score of an answer: split it into parts by word and field."""

import json
from collections import Counter

import msgspec

from gossamer.search.engine import tantivy
from gossamer.search.index.match_terms import match_term
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.ranking.rerank import Hit, make_near_queries
from gossamer.search.terms.analysis import split_text, to_terms

# Smaller parts are rounding errors.
_NOTHING = 1e-4


class ScorePart(msgspec.Struct, frozen=True):
    """What one word in one field adds to the score of a page; or a whole name, nearness, all words, being a list, static rank, length among several webs or feedback."""

    word: str
    """Empty for parts that no single word adds."""
    field: str
    """A field of the index; or `name`, `near`, `all words`, `list`, `rank`, `length`, `feedback`."""
    score: float


def explain_score(index: Index, query: CompiledQuery, hit: Hit) -> tuple[ScorePart, ...]:
    """Return what each word in each field, whole names, nearness, coverage, static rank and feedback add to a score.

    The largest comes first.
    """
    words = Counter(word for one in query.words for word in split_text(one.text))
    parts = []
    for word, times in words.items():
        terms = to_terms(word, query.languages)
        for field, weight in query.weigh_fields(word).items():
            score = hit.scale * times * weight * _sum_scores(index, field, terms, hit)
            parts.append(ScorePart(word, field, score))
    for word in query.title_words:
        score = query.weigh_fields(word)["title"] * _sum_scores(
            index, "title", to_terms(word, query.languages), hit
        )
        parts.append(ScorePart(word, "title", hit.scale * score))
    whole = sum(_score(index, one, hit) for one in query.whole_queries.values())
    parts.append(ScorePart("", "name", hit.scale * whole))
    parts += [
        ScorePart(pair, "near", hit.scale * _score(index, near, hit))
        for pair, near in (make_near_queries(index, query).items() if hit.near else ())
    ]
    parts.append(ScorePart("", "all words", hit.scale * hit.coverage))
    parts.append(ScorePart("", "list", hit.scale * hit.lists))
    parts.append(ScorePart("", "rank", hit.scale * hit.rank))
    parts.append(ScorePart("", "length", hit.scale * hit.length))
    if hit.scale != 1:
        parts.append(ScorePart("", "feedback", hit.score - sum(part.score for part in parts)))
    return tuple(sorted((part for part in parts if abs(part.score) > _NOTHING), key=lambda part: -part.score))


def _sum_scores(index: Index, field: str, terms: list[str], hit: Hit) -> float:
    queries = (match_term(index, field, term) for term in terms)
    return sum(_score(index, query, hit) for query in queries)


def _score(index: Index, query: "tantivy.Query", hit: Hit) -> float:
    try:
        explanation = query.explain(index.searcher.plain, hit.place).to_json()
    except ValueError:  # the page does not match
        return 0.0
    return float(json.loads(explanation)["value"])
