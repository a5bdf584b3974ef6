"""What the API is asked and what it tells, beside the answers themselves."""

from typing import Annotated

import msgspec
from msgspec import Meta

from gossamer.records import Page
from gossamer.search.answers.answer_records import Ranking


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The parameters of an address."""


class Search(Asked, frozen=True, kw_only=True):
    """A query, and how it is to be answered."""

    q: Annotated[str, Meta(description="The query.")] = ""
    page: Annotated[int, Meta(ge=1, le=100, description="Of the answers.")] = 1
    size: Annotated[int, Meta(ge=1, le=100, description="Answers on a page.")] = 10
    language: Annotated[str, Meta(description="Only pages in this language, such as de.")] = ""
    site: Annotated[str, Meta(description="Only pages of this site or domain.")] = ""
    type: Annotated[str, Meta(description="Only pages of this type, such as html.")] = ""
    after: Annotated[str, Meta(description="Only pages dated so or later: 2026, 2026-05 or 2026-05-31.")] = ""
    before: Annotated[str, Meta(description="Only pages dated earlier.")] = ""
    ranking: Annotated[Ranking, Meta(description="How answers are ranked.")] = "bm25"
    feedback: Annotated[bool, Meta(description="Rank also by typical words of the best pages.")] = False
    fold: Annotated[bool, Meta(description="Near copies are one answer.")] = True
    related: Annotated[bool, Meta(description="Tell typical words, and names of links around.")] = False
    years: Annotated[bool, Meta(description="Count answers by year as well.")] = False
    explain: Annotated[bool, Meta(description="Tell each score in parts.")] = False


class Suggest(Asked, frozen=True, kw_only=True):
    """What was typed so far."""

    q: Annotated[str, Meta(description="What was typed so far.")]


class PageAsked(Asked, frozen=True, kw_only=True):
    """Which page is meant."""

    url: Annotated[str, Meta(description="Its address.")]


class Suggestions(msgspec.Struct, frozen=True):
    """Queries that may be meant."""

    q: str
    suggestions: tuple[str, ...]


class PageKnown(msgspec.Struct, frozen=True):
    """What is known of a page."""

    url: str
    title: str
    description: str
    language: str
    kind: str
    status: int
    depth: int
    fetched_s: float
    """Unix time of the last visit."""
    body_bytes: int
    words: int
    index: bool
    archive: bool
    """Whether its robots directives let it be found, and let a copy be shown."""
    marks: dict[str, str]
    opened: int
    """How often it was opened from a list of answers."""


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page that should be in the collection."""

    url: str
    task: str = ""
    """Name or number of the task that is to begin there; "" for the newest."""


class Submitted(msgspec.Struct, frozen=True):
    """What became of it."""

    url: str
    soon: bool
    """Whether a crawl is running that fetches it; else it waits for the next one."""


class Refusal(msgspec.Struct, frozen=True):
    """Why there is no answer."""

    error: str


def page_known(page: Page, opened: int) -> PageKnown:
    """Return what the API tells of a page."""
    told = {name: getattr(page, name) for name in PageKnown.__struct_fields__ if name != "opened"}
    return PageKnown(**told, opened=opened)
