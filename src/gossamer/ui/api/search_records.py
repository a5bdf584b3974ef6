"""Records of the search API: parameters of requests, and answers."""

from typing import Annotated

import msgspec
from msgspec import Meta

from gossamer.records import Page
from gossamer.search.answers.answer_records import Ranking


class ApiParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The parameters of an address."""


class QueryParameters(ApiParameters, frozen=True, kw_only=True):
    """A query, and the pages that it may find."""

    q: Annotated[str, Meta(description="The query.")] = ""
    language: Annotated[str, Meta(description="Only pages in this language, such as de.")] = ""
    site: Annotated[str, Meta(description="Only pages of this site or domain.")] = ""
    type: Annotated[str, Meta(description="Only pages of this type, such as html.")] = ""
    after: Annotated[
        str, Meta(description="Only pages of this date or later: 2026, 2026-05 or 2026-05-31.")
    ] = ""
    before: Annotated[str, Meta(description="Only pages before this date.")] = ""
    origin: Annotated[str, Meta(description="Only pages of this one, if several webs are served.")] = ""


class SearchParameters(QueryParameters, frozen=True, kw_only=True):
    """A query, and how to answer it."""

    page: Annotated[int, Meta(ge=1, le=100, description="Page of answers, from 1.")] = 1
    size: Annotated[int, Meta(ge=1, le=100, description="Answers on a page.")] = 10
    ranking: Annotated[Ranking, Meta(description="How answers are ranked.")] = "bm25"
    feedback: Annotated[bool, Meta(description="Rank also by typical words of the best pages.")] = False
    fold: Annotated[bool, Meta(description="Show near copies as one answer.")] = True
    related: Annotated[
        bool, Meta(description="Add typical words, and names of links around the answers.")
    ] = False
    years: Annotated[bool, Meta(description="Count answers by year too.")] = False
    explain: Annotated[bool, Meta(description="Split each score into parts.")] = False
    query_language: Annotated[
        str, Meta(description="Language of the query's words; by default the languages of the pages.")
    ] = ""
    statistics: Annotated[
        str, Meta(description="Statistics of several webs by which to score, from their /api/statistics.")
    ] = ""
    fingerprints: Annotated[
        bool, Meta(description="Add what near copies in other webs are recognised by.")
    ] = False
    hops: Annotated[
        int, Meta(ge=0, le=9, description="How many servers have passed the query on, if any.")
    ] = 0


class StatisticsParameters(ApiParameters, frozen=True, kw_only=True):
    """A query that several webs are asked."""

    q: Annotated[str, Meta(description="The query; without it, only what holds for all queries.")] = ""
    languages: Annotated[
        str, Meta(max_length=100, description="Languages in which its words are looked up, as en,de.")
    ] = ""


class SuggestParameters(ApiParameters, frozen=True, kw_only=True):
    """What was typed so far."""

    q: Annotated[str, Meta(description="What was typed so far.")]


class PageParameters(ApiParameters, frozen=True, kw_only=True):
    """The address of a page."""

    url: Annotated[str, Meta(description="The address of the page.")]


class Suggestions(msgspec.Struct, frozen=True):
    """Suggested queries."""

    q: str
    suggestions: tuple[str, ...]


class PageSummary(msgspec.Struct, frozen=True):
    """What the web knows about a page."""

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
    """Whether its robots directives allow indexing it, and showing a copy."""
    marks: dict[str, str]
    opened: int
    """How often it was opened from the search page."""


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page to crawl."""

    url: Annotated[str, Meta(description="The address of the page.")]
    task: Annotated[
        str, Meta(description="Name or number of the task that crawls it; by default the newest.")
    ] = ""


class SubmissionResult(msgspec.Struct, frozen=True):
    """The result of a submission."""

    url: str
    soon: bool
    """Whether a running crawl fetches it; otherwise it waits for the next run."""


class Refusal(msgspec.Struct, frozen=True):
    """Why there is no answer."""

    error: str


def summarise_page(page: Page, opened: int) -> PageSummary:
    """Return the summary of a page that was opened `opened` times."""
    facts = {name: getattr(page, name) for name in PageSummary.__struct_fields__ if name != "opened"}
    return PageSummary(**facts, opened=opened)
