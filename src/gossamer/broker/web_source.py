"""The interface of a web that is searched together with others, on this machine or at another server."""

from typing import Protocol

import msgspec

from gossamer.search.answers.answer_records import Answers, SearchOptions
from gossamer.search.answers.web_statistics import WebStatistics

SEVERAL = "several webs"
"""What a server of several webs says instead of how it scores."""


class Unavailable(msgspec.Struct, frozen=True):
    """A web gave no answer, and why."""

    reason: str
    is_missing: bool = False
    """Whether the server answers, but does not know what it was asked: then it is of an earlier version."""


class SourceQuery(msgspec.Struct, frozen=True):
    """What is asked of each web."""

    text: str
    options: SearchOptions
    """Always the first page, of as many answers as may come into the merged page."""
    hops: int = 0
    """How many servers have passed the query on."""
    known: WebStatistics | None = None
    """What the web said about the query; None if it could not be asked."""


class WebSource(Protocol):
    """A web that is searched together with others. No method raises for what the web or its server does."""

    name: str
    """As it was given, without secrets."""
    address: str
    """Where its own search page is; "" for a web on this machine."""

    def describe(self, text: str, languages: tuple[str, ...]) -> WebStatistics | Unavailable:
        """Return the statistics of the web for a query."""
        ...

    def search(self, query: SourceQuery) -> Answers | Unavailable:
        """Return its best answers."""
        ...

    def suggest(self, typed: str) -> list[str]:
        """Return completions for a query that is being typed; none if the web is not available."""
        ...

    def close(self) -> None:
        """Close the web."""
        ...
