"""Rank pages by their words, and rerank the best by nearness of words and by static rank.

The engine finds the best pages by their words alone, and quickly, since it reads one list of pages after the other. What is
added here moves pages only within the first fifty.
"""

from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

import msgspec

from gossamer.search.engine import tantivy
from gossamer.search.index.match_terms import match_near_terms, match_term
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import RANK_OF_AVERAGE
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.filters import match_any
from gossamer.search.ranking.correct_lengths import correct_lengths
from gossamer.search.ranking.relevance_feedback import expand_query
from gossamer.search.terms.analysis import split_text, to_terms

_RERANKED = 50
"""How many of the best pages are ranked again."""
_RERANKED_WITHOUT_WORDS = 1_000
"""How many are, if the query has no words that rank pages."""
# The most words between two near words. From 6 to 30 Cranfield has .398 to .401, MEDLINE .702 to .712; without .395 and .695.
_BETWEEN = 6
_MOST_PAIRS = 20
# If both words are on more pages, finding the near ones takes long and tells little.
_MOST_PAGES = 2_000
# In longer queries, most of the words are there to explain: no page has to have all of them.
_MOST_COVERED = 5
_SCORE = attrgetter("score")


class Hit(msgspec.Struct, frozen=True, gc=False):
    """A page that was found, with its score and the parts that were added to it."""

    score: float
    page: int
    """Its id."""
    place: "tantivy.DocAddress"
    near: float = 0.0
    """Score for words near each other."""
    coverage: float = 0.0
    """Score for having all words."""
    lists: float = 0.0
    """What it loses as a list of links; 0 or less."""
    rank: float = 0.0
    """Score for static rank."""
    length: float = 0.0
    """What it gains where its web has another average length than all webs that are searched together."""
    scale: float = 1.0
    """The factor of all scores but those of feedback."""


class _AddedScores(msgspec.Struct, frozen=True):
    """What is added to the scores of pages, by their ids."""

    near: dict[int, float]
    having_all: set[int]
    coverage: float
    lists: float
    """What a page loses that is nothing but a list."""


def rank_pages(
    index: Index, query: CompiledQuery, wanted: int, feedback: bool = False, found: int = 0
) -> list[Hit]:
    """Return the best pages, the best first; at least `wanted`, if the query finds that many.

    Pass the number of pages found if you know it: ranking many pages then takes less time.
    """
    added = _AddedScores(
        near=_score_nearness(index, query),
        having_all=_find_pages_with_all(index, query),
        coverage=index.weights.coverage * query.rarity,
        lists=index.weights.lists * query.rarity,
    )
    hits = _add_scores(index, query, query.choose_ranking(found), added, wanted)
    if not (feedback and query.words and hits):
        return hits
    best = [(hit.score, hit.place) for hit in hits[: index.weights.feedback_pages]]
    expanded, scale = expand_query(index, query.query, len(query.words), best)
    return _add_scores(index, query, expanded, added, wanted, scale=scale)


def _add_scores(
    index: Index,
    query: CompiledQuery,
    ranking: "tantivy.Query",
    added: _AddedScores,
    wanted: int,
    scale: float = 1.0,
) -> list[Hit]:
    """Rank pages by a query of the engine, and add nearness, coverage and static rank to the scores of the best."""
    reranked = _RERANKED if query.words else _RERANKED_WITHOUT_WORDS
    hits = index.searcher.search(ranking, limit=max(wanted, reranked), count=False).hits
    ids = index.read_numbers("id", [place for _, place in hits])
    # The similarity of two pages does not depend on their ranks.
    worth = 0.0 if query.link_queries.asks_for_similar else index.weights.rank / RANK_OF_AVERAGE
    ranks = index.look_up_ranks("rank", ids[:reranked]) if worth else [0] * reranked
    first = []
    shares = index.look_up_lists(ids[:reranked])
    lengths = correct_lengths(index, query, [place for _, place in hits[:reranked]])
    for (score, place), page, rank, share, length in zip(hits, ids, ranks, shares, lengths, strict=False):
        near, static = added.near.get(page, 0.0), worth * rank
        coverage = added.coverage if page in added.having_all else 0.0
        listed = -added.lists * share
        total = score + scale * (near + coverage + listed + static + length)
        first.append(Hit(total, page, place, near, coverage, listed, static, length, scale))
    first.sort(key=_SCORE, reverse=True)
    rest = zip(hits[reranked:], ids[reranked:], strict=True)
    return [*first, *(Hit(score, page, place, scale=scale) for (score, place), page in rest)]


def make_near_queries(index: Index, query: CompiledQuery) -> "dict[str, tantivy.Query]":
    """Return, for each pair of adjacent words of a query, a query that matches them near each other in this order.

    Source: the ordered windows of Metzler and Croft 2005.
    """
    found: dict[str, tantivy.Query] = {}
    if not index.weights.near:
        return found
    plain = [word for one in query.words if one.match == "word" for word in split_text(one.text)]
    for first, second in list(dict.fromkeys(pairwise(plain)))[:_MOST_PAIRS]:
        queries = [
            match_near_terms(index, "words", [one, other], _BETWEEN)
            for one, other in dict.fromkeys(_list_term_pairs(first, second, query.languages))
            if one != other
            and 0 < min(index.count_pages("words", one), index.count_pages("words", other)) <= _MOST_PAGES
        ]
        if queries:
            found[f"{first} {second}"] = tantivy.Query.boost_query(match_any(queries), index.weights.near)
    return found


def _score_nearness(index: Index, query: CompiledQuery) -> dict[int, float]:
    queries = list(make_near_queries(index, query).values())
    if not queries:
        return {}
    hits = index.searcher.search(match_any(queries), limit=_MOST_PAGES, count=False).hits
    ids = index.read_numbers("id", [place for _, place in hits])
    return dict(zip(ids, (score for score, _ in hits), strict=True))


def _find_pages_with_all(index: Index, query: CompiledQuery) -> set[int]:
    """Return the best pages that have all words of a short query."""
    words = dict.fromkeys(word for one in query.words if one.match == "word" for word in split_text(one.text))
    if not index.weights.coverage or not 1 < len(words) <= _MOST_COVERED:
        return set()
    must = [
        match_any([match_term(index, "words", term) for term in to_terms(word, query.languages)])
        for word in words
    ]
    ranking = tantivy.Query.boolean_query([(tantivy.Occur.Must, one) for one in must])
    hits = index.searcher.search(ranking, limit=_RERANKED, count=False).hits
    return set(index.read_numbers("id", [place for _, place in hits]))


def _list_term_pairs(first: str, second: str, languages: Sequence[str]) -> list[tuple[str, str]]:
    return [(to_terms(first, [code])[0], to_terms(second, [code])[0]) for code in languages]
