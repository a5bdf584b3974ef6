"""The seam of orders that look closer: what they are shown of a page and its links, and what they are asked."""

from collections.abc import Collection, Sequence
from typing import Protocol

import msgspec

from gossamer.records import Link, Request

RELEVANT = 0.5
"""From this probability on a page counts as relevant: then it is more likely about the topic than not."""


class Read(msgspec.Struct, frozen=True):
    """A page that was read, as orders see it."""

    request: Request
    title: str
    text: str
    relevance: float
    """How probably it is about the topic; 0 where a task has none."""
    distance: int
    """How many pages in a row were not relevant on the way, this one included; 0 if it is relevant."""
    wanted_language: float
    """1 if it is in a language that the task wants, 0 if it is in another; a half if nobody knows."""


class New(msgspec.Struct, frozen=True):
    """A link of such a page to a page that was not scheduled before."""

    key: int
    link: Link


class Term(Protocol):
    """One part of an order: values of links, from 0 to 1, which change as more is learnt."""

    def found(self, page: Read, new: Sequence[New]) -> list[float]:
        """Return the values of links of a page, one at least, in their order; remember what is needed of them.

        They are new, and `linked` was called; or they wait since an earlier run, and it was not.
        """
        ...

    def linked(self, page: Read, targets: Collection[int]) -> None:
        """Hear which pages a page links to, known or not; before `found`."""
        ...

    def visited(self, request: Request, page: Read | None) -> None:
        """Hear what a link led to; None if there was nothing to read."""
        ...

    def moved(self) -> dict[int, float]:
        """Return by how much the values of waiting links have changed since they were last told, where it matters."""
        ...

    def explained(self, page: Read, one: New, further: Sequence[Read]) -> dict[str, float]:
        """Say what the value of a link is made of; the crawl itself need not be under way.

        `further` are other pages that link to the same one.
        """
        ...

    def forget(self, key: int) -> None:
        """Let go of a link that waits no longer, or that there is no room for."""
        ...

    def changes(self) -> bytes:
        """Return what was learnt since this was last asked, packed; nothing if that is nothing."""
        ...

    def everything(self) -> bytes:
        """Return all that was learnt, packed."""
        ...

    def recall(self, packed: bytes) -> None:
        """Know again what `changes` or `everything` returned; the last word holds."""
        ...

    def join(self, packed: bytes) -> None:
        """Know as well what another one has learnt, as its `everything` returned it; a copy says nothing new."""
        ...
