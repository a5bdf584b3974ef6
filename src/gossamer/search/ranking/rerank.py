"""What is added to the scores of the best pages: words near each other, and how pages stand by the links of the web.

The engine finds the best pages by their words alone, and quickly, since it reads one list of pages after the other. What is
added here moves pages only within the first fifty.
"""

from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

import msgspec

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import RANK_OF_AVERAGE
from gossamer.search.query.compile_query import Asked
from gossamer.search.query.filters import either
from gossamer.search.ranking.relevance_feedback import widened
from gossamer.search.terms.analysis import forms, words

_LOOKED_AT = 50
"""So many of the best pages are looked at."""
_MOST_LOOKED_AT = 1_000
"""Where no words rank pages, so many of those that were found first."""
# Words in between. From 6 to 30 Cranfield has .398 to .401, MEDLINE .702 to .712; without .395 and .695.
_BETWEEN = 6
_MOST_PAIRS = 20
# Where both words stand on more pages, it takes long to see where they are near each other, and says little.
_MOST_PAGES = 2_000
_SCORE = attrgetter("score")


class Hit(msgspec.Struct, frozen=True, gc=False):
    """A page that was found, with its score and what that is made of."""

    score: float
    page: int
    """Its id."""
    place: "tantivy.DocAddress"
    near: float = 0.0
    """What words add that stand near each other."""
    rank: float = 0.0
    """What the links of the web add."""
    scale: float = 1.0
    """What scores of the words that were asked for, and the two above, count beside those that feedback learnt."""


def ranked(index: Index, asked: Asked, wanted: int, feedback: bool = False, found: int = 0) -> list[Hit]:
    """Return the best pages, at least as many as wanted if so many were found, the best first.

    Whoever knows how many were found says so: where these are many, it takes less time.
    """
    near = _near_scores(index, asked)
    hits = _summed(index, asked, asked.ranking(found), near, wanted)
    if not (feedback and asked.words and hits):
        return hits
    best = [(hit.score, hit.place) for hit in hits[: index.weights.feedback_pages]]
    query, scale = widened(index, asked.query, len(asked.words), best)
    return _summed(index, asked, query, near, wanted, scale)


def _summed(
    index: Index,
    asked: Asked,
    query: "tantivy.Query",
    near: dict[int, float],
    wanted: int,
    scale: float = 1.0,
) -> list[Hit]:
    looked_at = _LOOKED_AT if asked.words else _MOST_LOOKED_AT
    hits = index.searcher.search(query, limit=max(wanted, looked_at), count=False).hits
    ids = index.numbers("id", [place for _, place in hits])
    # How like a page is to another has nothing to do with how it stands.
    worth = 0.0 if asked.around.asks_for_similar else index.weights.rank / RANK_OF_AVERAGE
    ranks = index.standing("rank", ids[:looked_at]) if worth else [0] * looked_at
    first = []
    for (score, place), page, rank in zip(hits, ids, ranks, strict=False):
        nearness, standing = near.get(page, 0.0), worth * rank
        first.append(Hit(score + scale * (nearness + standing), page, place, nearness, standing, scale))
    first.sort(key=_SCORE, reverse=True)
    rest = zip(hits[looked_at:], ids[looked_at:], strict=True)
    return [*first, *(Hit(score, page, place, scale=scale) for (score, place), page in rest)]


def near_queries(index: Index, asked: Asked) -> "dict[str, tantivy.Query]":
    """Return, by pair of words that were asked for side by side, the query for pages that have them near each other.

    Source: the ordered windows of Metzler, Croft 2005.
    """
    found: dict[str, tantivy.Query] = {}
    if not index.weights.near:
        return found
    plain = [word for one in asked.words if one.match == "word" for word in words(one.text)]
    for first, second in list(dict.fromkeys(pairwise(plain)))[:_MOST_PAIRS]:
        queries = [
            tantivy.Query.phrase_query(index.schema, "words", [one, other], slop=_BETWEEN)
            for one, other in dict.fromkeys(_terms_of_pair(first, second, asked.languages))
            if one != other
            and 0 < min(index.having("words", one), index.having("words", other)) <= _MOST_PAGES
        ]
        if queries:
            found[f"{first} {second}"] = tantivy.Query.boost_query(either(queries), index.weights.near)
    return found


def _near_scores(index: Index, asked: Asked) -> dict[int, float]:
    queries = list(near_queries(index, asked).values())
    if not queries:
        return {}
    hits = index.searcher.search(either(queries), limit=_MOST_PAGES, count=False).hits
    ids = index.numbers("id", [place for _, place in hits])
    return dict(zip(ids, (score for score, _ in hits), strict=True))


def _terms_of_pair(first: str, second: str, languages: Sequence[str]) -> list[tuple[str, str]]:
    return [(forms(first, [code])[0], forms(second, [code])[0]) for code in languages]
