"""Records of a search: its options, its answers, and what comes with them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from gossamer.errors import BadInput
from gossamer.search.answers.related_terms import LinkName, RelatedTerm
from gossamer.search.answers.snippets import Snippet
from gossamer.search.index.whole_statistics import WholeStatistics
from gossamer.search.query.link_queries import Similarity
from gossamer.search.ranking.explain_score import ScorePart

Ranking = Literal["bm25", "cosine"]


class SearchOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to answer a query."""

    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Page of answers, from 1."""
    size: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10
    """Answers on a page."""
    language: str = ""
    """Language of the query's words; "" takes those of the pages."""
    ranking: Ranking = "bm25"
    """By weighted fields and links, or by the angle between the words of query and page."""
    feedback: bool = False
    """Whether to rank also by typical terms of the best pages."""
    fold: bool = True
    """Whether near copies are one answer."""
    related: bool = False
    """Whether to find typical words of the answers, and names of links around them."""
    years: bool = False
    """Whether to count answers by year too."""
    explain: bool = False
    """Whether to split the score of each answer into parts."""
    only: dict[str, str] = {}
    """Further conditions on pages: fields of the query language, and their values."""
    whole: WholeStatistics | None = None
    """Statistics of several webs that are searched together, by which pages are scored; None for this web alone."""
    fingerprints: bool = False
    """Whether answers have what near copies in other webs are recognised by."""


def read_options(options: Mapping[str, Any]) -> SearchOptions:
    """Check the keyword arguments of a search."""
    if options.get("ranking", "bm25") not in get_args(Ranking):
        names = " or ".join(get_args(Ranking))
        raise BadInput(f"search: ranking must be {names}, not {options['ranking']!r}")
    try:
        return msgspec.convert(dict(options), SearchOptions)
    except msgspec.ValidationError as error:
        raise BadInput(f"search: {error}") from None


class NearCopy(msgspec.Struct, frozen=True, gc=False):
    """A page with nearly the same text as an answer."""

    url: str
    title: str
    origin: str | UnsetType = UNSET
    """The web that has it, if several are searched."""


class Fingerprint(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What near copies are recognised by."""

    simhash: int
    words: int


class Origin(msgspec.Struct, frozen=True):
    """One of several webs that are searched together."""

    name: str
    """As it was given: a folder, or an address."""
    title: str
    """What people call it."""
    total: int
    """Pages found in it."""
    address: str = ""
    """Where its own search page is; "" for a web on this machine."""
    failure: str = ""
    """Why it gave no answers."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A page that a query finds."""

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
    """Its rank by the links of the whole web: 0 if unknown, 1 for an average page, 2 for one with three times the weight."""
    in_links: int
    """How many pages link to it."""
    copies: tuple[NearCopy, ...] = ()
    link_texts: tuple[str, ...] = ()
    """Texts of its links to the page that `link:` names."""
    similar: Similarity | None = None
    """Similarity to the page that `related:` names."""
    parts: tuple[ScorePart, ...] = ()
    """Parts of the score, on request."""
    origin: str | UnsetType = UNSET
    """The web that has it, if several are searched."""
    fingerprint: Fingerprint | UnsetType = UNSET
    """What near copies are recognised by, on request."""


class Answers(msgspec.Struct, frozen=True):
    """One page of answers."""

    query: str
    total: int
    """Pages found, near copies included."""
    page: int
    answers: tuple[Answer, ...]
    counts: dict[str, dict[str, int]]
    """Pages found by language, site and type, the most frequent first; on request also by year."""
    more: bool
    """Whether there is a next page."""
    pages: int = 0
    """How many pages of answers can be reached, of at most 1,000 answers; estimated while there are many more."""
    suggestion: str = ""
    """The query with corrected spelling."""
    related_terms: tuple[RelatedTerm, ...] = ()
    """Words typical of the answers, on request."""
    link_names: tuple[LinkName, ...] = ()
    """Names of links around the answers, on request."""
    notes: tuple[str, ...] = ()
    """Sentences that say which parts of the query were left out, and which of several webs gave no answers."""
    took_s: float = 0.0
    origins: tuple[Origin, ...] | UnsetType = UNSET
    """The webs that were searched, if there are several."""
