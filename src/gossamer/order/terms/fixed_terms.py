"""Terms whose scores never change: how near a link is to a start page, and the language of its page."""

from collections.abc import Callable, Collection, Sequence

from gossamer.order.terms.order_term import NewLink, PageView
from gossamer.records import Request


class FixedTerm:
    """A score that depends only on the page that a link was found on."""

    def __init__(self, score: Callable[[PageView], float]) -> None:
        self._score = score

    def record_links(self, page: PageView, targets: Collection[int]) -> None:
        """No-op: fixed terms learn nothing."""

    def score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:
        """Return the same score for all links of a page."""
        return [self._score(page)] * len(new)

    def record_visit(self, request: Request, page: PageView | None) -> None:
        """No-op: fixed terms learn nothing."""

    def take_score_changes(self) -> dict[int, float]:
        """Return no changes."""
        return {}

    def explain(self, page: PageView, one: NewLink, further: Sequence[PageView]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return the score itself."""
        return {"value": self._score(page)}

    def forget(self, key: int) -> None:
        """No-op: fixed terms remember no links."""

    def pack_changes(self) -> bytes:
        """Return nothing: fixed terms learn nothing."""
        return b""

    def pack_all(self) -> bytes:
        """Return nothing: fixed terms learn nothing."""
        return b""

    def load(self, packed: bytes) -> None:
        """No-op: fixed terms learn nothing."""

    def merge(self, packed: bytes) -> None:
        """No-op: fixed terms learn nothing."""


def score_nearness(page: PageView) -> float:
    """Return one half for the links of start pages, a third for those of the next pages, and so on."""
    return 1.0 / (2.0 + page.request.depth)


def score_language(page: PageView) -> float:
    """Return whether the page is in a wanted language: pages mostly link to pages in their own language."""
    return page.wanted_language
