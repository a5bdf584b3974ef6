"""The interface of the terms of an order: the pages, links and topic that they see, and the methods they have."""

from collections.abc import Collection, Sequence
from typing import Protocol

import msgspec

from gossamer.records import Link, Request

RELEVANT = 0.5
"""From this probability on a page counts as relevant: it is more likely about the topic than not."""


class Topic(Protocol):
    """The part of a topic's model (`text.topics.TopicModel`) that orders use."""

    def relevance(
        self,
        text: str,
        *,
        title: str = "",
        url: str = "",
        anchors: Sequence[str] = (),
        linked_from: Sequence[str] = (),
    ) -> float:
        """Return the probability that a page is about the topic."""
        ...

    def log_odds_of_links(self, texts: list[str], urls: Sequence[str], linked_from: str) -> list[float]:
        """Return the log-odds that the targets of one page's links are about the topic."""
        ...


class PageView(msgspec.Struct, frozen=True):
    """A page that was read, as the terms of an order see it."""

    request: Request
    title: str
    text: str
    relevance: float
    """The probability that it is about the topic; 0 for a task without topic."""
    distance: int
    """How many pages in a row were not relevant on the way here, this one included; 0 if it is relevant."""
    wanted_language: float
    """1 if it is in a language that the task wants, 0 if it is in another, 0.5 if its language is unknown."""


class NewLink(msgspec.Struct, frozen=True):
    """A link of such a page whose target was not scheduled before."""

    key: int
    link: Link


class Term(Protocol):
    """One term of an order: scores of links, from 0 to 1, which change as more is learnt."""

    def score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:
        """Return the scores of one or more links of a page, in their order, and remember the links.

        The links are new, and `record_links` was called before; or they wait since an earlier run, and it was not.
        """
        ...

    def record_links(self, page: PageView, targets: Collection[int]) -> None:
        """Record all pages that a page links to, known or not; called before `score_links`."""
        ...

    def record_visit(self, request: Request, page: PageView | None) -> None:
        """Learn from the page that a link led to; None if there was nothing to read."""
        ...

    def take_score_changes(self) -> dict[int, float]:
        """Return by how much the scores of waiting links differ from those last returned, where it matters."""
        ...

    def explain(self, page: PageView, one: NewLink, further: Sequence[PageView]) -> dict[str, float]:
        """Return the parts of a link's score; works outside a running crawl too.

        `further` are other pages that link to the same target.
        """
        ...

    def forget(self, key: int) -> None:
        """Forget a link that no longer waits, or for which there is no room."""
        ...

    def pack_changes(self) -> bytes:
        """Return what was learnt since the last call, packed; empty if that is nothing."""
        ...

    def pack_all(self) -> bytes:
        """Return everything that was learnt, packed."""
        ...

    def load(self, packed: bytes) -> None:
        """Load the result of `pack_changes` or `pack_all`; newer values replace older ones."""
        ...

    def merge(self, packed: bytes) -> None:
        """Merge the result of another term's `pack_all`; merging a copy of itself changes nothing."""
        ...
