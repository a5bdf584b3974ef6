"""Answers: the pages that a query finds, the best first, each with what a reader wants to see of it."""

import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from gossamer.errors import BadInput
from gossamer.search.clauses import Asked
from gossamer.search.engine import tantivy
from gossamer.search.entries import Shown
from gossamer.search.explaining import Part, parts_of
from gossamer.search.feedback import widened
from gossamer.search.folding import folded
from gossamer.search.index import COUNTED_FIELDS, Index
from gossamer.search.query import FIELDS, Field, Group, Query, parse
from gossamer.search.snippets import Marker, Snippet
from gossamer.search.spelling import suggestion

MOST_HITS = 1_000
"""Nobody reads further; near copies are looked for among these."""
_SPARE_HITS = 20
_FEW_ANSWERS = 3
_COUNTED_AS = {"language": "language", "site": "site", "kind": "type"}


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a query is to be answered."""

    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Of the answers, from 1."""
    size: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10
    """Answers on a page."""
    language: str = ""
    """Of the query's words; "" takes those of the pages."""
    feedback: bool = False
    """Whether the best pages teach further words to rank by."""
    fold: bool = True
    """Whether near copies are one answer."""
    explain: bool = False
    """Whether each answer comes with its score in parts."""
    only: dict[str, str] = {}
    """What pages must be beside what the query says: fields of the query language, and their values."""


def wish_from(told: Mapping[str, Any]) -> Wish:
    """Return how a query is to be answered, from keywords; refuse what is none."""
    try:
        return msgspec.convert(dict(told), Wish)
    except msgspec.ValidationError as error:
        raise BadInput(f"search: {error}") from None


class Copy(msgspec.Struct, frozen=True):
    """A page that says nearly the same as an answer."""

    url: str
    title: str


class Answer(msgspec.Struct, frozen=True):
    """A page that was found."""

    rank: int
    score: float
    url: str
    title: str
    snippet: Snippet
    site: str
    language: str
    type: str
    date_s: float
    depth: int
    copies: tuple[Copy, ...] = ()
    parts: tuple[Part, ...] = ()
    """Of the score, if they were asked for."""


class Answers(msgspec.Struct, frozen=True):
    """A page of answers."""

    query: str
    total: int
    """Pages that were found, near copies included."""
    page: int
    answers: tuple[Answer, ...]
    counts: dict[str, dict[str, int]]
    """By language, site and type: how many of them, the most frequent first."""
    more: bool
    """Whether there is a next page."""
    suggestion: str = ""
    """The query as it was perhaps meant."""
    notes: tuple[str, ...] = ()
    """What of the query was left out, in sentences."""
    took_s: float = 0.0


class _Found(msgspec.Struct, frozen=True):
    """What the engine found: scores and places, the best first, and how many there are altogether."""

    hits: "Sequence[tuple[float, tantivy.DocAddress]]"
    total: int


def search(index: Index, text: str, wish: Wish | None = None) -> Answers:
    """Answer a query. Never raises on what was asked: what makes no sense is left out, and a note says so."""
    wish = wish or Wish()
    began_s = time.perf_counter()
    asked = Asked(_narrowed(parse(text), wish.only), index, wish.language)
    found = _found(index, asked, wish)
    groups = _groups(index, found, wish)
    first = (wish.page - 1) * wish.size
    answers = _answers(index, asked, found, groups[first : first + wish.size], first, wish)
    return Answers(
        text,
        found.total,
        wish.page,
        answers,
        {_COUNTED_AS[field]: counts for field, counts in index.counts(asked.query, COUNTED_FIELDS).items()},
        len(groups) > first + wish.size,
        suggestion(text, asked, index) if found.total < _FEW_ANSWERS else "",
        tuple(asked.notes),
        time.perf_counter() - began_s,
    )


def pages_found(index: Index, text: str, most: int = MOST_HITS) -> list[int]:
    """Return the ids of the pages that a query finds, the best first: a set for those who only want pages."""
    hits = index.searcher.search(Asked(parse(text), index).query, limit=max(1, most), count=False).hits
    return index.numbers("id", [place for _, place in hits])


def _narrowed(query: Query, only: Mapping[str, str]) -> Query:
    """Return a query that asks for some fields as well, as if they stood in it."""
    root = query.root
    fields = tuple(Field(name, value) for name, value in only.items() if name in FIELDS)
    return Query(Group((*root.must, *fields), root.should, root.must_not), query.notes)


def _found(index: Index, asked: Asked, wish: Wish) -> _Found:
    query = widened(index, asked.query, len(asked.words)) if wish.feedback else asked.query
    limit = min(MOST_HITS, 2 * wish.page * wish.size + _SPARE_HITS)
    result = index.searcher.search(query, limit=limit)
    return _Found(result.hits, int(result.count))  # type: ignore[attr-defined]  # the stub leaves it out


def _groups(index: Index, found: _Found, wish: Wish) -> list[list[int]]:
    """Return places among the hits, near copies together."""
    if not wish.fold:
        return [[place] for place in range(len(found.hits))]
    places = [place for _, place in found.hits]
    return folded(index.numbers("simhash", places), index.numbers("length", places))


def _answers(
    index: Index, asked: Asked, found: _Found, groups: list[list[int]], first: int, wish: Wish
) -> tuple[Answer, ...]:
    marker = Marker(asked.telling(), asked.languages)
    answers = []
    for rank, group in enumerate(groups, first + 1):
        score, place = found.hits[group[0]]
        copies = [index.shown(found.hits[other][1]) for other in group[1:]]
        parts = parts_of(index, asked, place) if wish.explain else ()
        answers.append(_answer(rank, score, index.shown(place), marker, copies, parts))
    return tuple(answers)


def _answer(
    rank: int, score: float, page: Shown, marker: Marker, copies: list[Shown], parts: tuple[Part, ...]
) -> Answer:
    return Answer(
        rank,
        score,
        page.url,
        page.title,
        marker.snippet(page.text, page.language),
        page.site,
        page.language,
        page.kind,
        page.date_s,
        page.depth,
        tuple(Copy(copy.url, copy.title) for copy in copies),
        parts,
    )
