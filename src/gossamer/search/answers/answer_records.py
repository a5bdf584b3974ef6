"""What a search is told and what it tells: wishes, answers, and what stands around them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec

from gossamer.errors import BadInput
from gossamer.search.answers.related_terms import LinkName, RelatedTerm
from gossamer.search.answers.snippets import Snippet
from gossamer.search.query.link_queries import Similar
from gossamer.search.ranking.explain_score import Part

Ranking = Literal["bm25", "cosine"]


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a query is to be answered."""

    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Of the answers, from 1."""
    size: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10
    """Answers on a page."""
    language: str = ""
    """Of the query's words; "" takes those of the pages."""
    ranking: Ranking = "bm25"
    """By weighted fields and links, or by the angle between the words of query and page."""
    feedback: bool = False
    """Whether the best pages teach further words to rank by."""
    fold: bool = True
    """Whether near copies are one answer."""
    related: bool = False
    """Whether words that are typical of the answers are looked for, and names by which pages around them are linked."""
    years: bool = False
    """Whether answers are counted by year as well."""
    explain: bool = False
    """Whether each answer comes with its score in parts."""
    only: dict[str, str] = {}
    """What pages must be beside what the query says: fields of the query language, and their values."""


def wish_from(told: Mapping[str, Any]) -> Wish:
    """Return how a query is to be answered, from keywords; refuse what is none."""
    if told.get("ranking", "bm25") not in get_args(Ranking):
        raise BadInput(
            f"search: pages are ranked by {' or by '.join(get_args(Ranking))}, not by {told['ranking']!r}"
        )
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
    """Its place among the answers, from 1."""
    score: float
    id: int
    url: str
    title: str
    snippet: Snippet
    site: str
    language: str
    type: str
    date_s: float
    depth: int
    archive: bool
    """Whether a copy of it may be shown."""
    static_rank: float
    """How it stands by the links of the whole web: 0 if that is not known, 1 for an average page, 2 for one with three times the weight."""
    in_links: int
    """How many pages link to it."""
    copies: tuple[Copy, ...] = ()
    link_texts: tuple[str, ...] = ()
    """What its links to the page are called that `link:` names."""
    similar: Similar | None = None
    """To the page that `related:` names."""
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
    """By language, site and type: how many of them, the most frequent first; by year, if that was wished for."""
    more: bool
    """Whether there is a next page."""
    suggestion: str = ""
    """The query as it was perhaps meant."""
    related_terms: tuple[RelatedTerm, ...] = ()
    """Words typical of the answers, if they were wished for."""
    link_names: tuple[LinkName, ...] = ()
    """Names of pages around the answers, if they were wished for."""
    notes: tuple[str, ...] = ()
    """What of the query was left out, in sentences."""
    took_s: float = 0.0
