"""Parts of an order that never change once a link is found: how near it is, and in which language it was found."""

from collections.abc import Callable, Collection, Sequence

from gossamer.order.order_term import New, Read
from gossamer.records import Request


class Fixed:
    """A value that the page decides which a link was found on."""

    def __init__(self, value: Callable[[Read], float]) -> None:
        self._value = value

    def linked(self, page: Read, targets: Collection[int]) -> None:
        """Links to known pages change nothing."""

    def found(self, page: Read, new: Sequence[New]) -> list[float]:
        """Return the same value for all links of a page."""
        return [self._value(page)] * len(new)

    def visited(self, request: Request, page: Read | None) -> None:
        """Nothing is to be learnt."""

    def moved(self) -> dict[int, float]:
        """Nothing has changed."""
        return {}

    def explained(self, page: Read, one: New, further: Sequence[Read]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return the value itself."""
        return {"value": self._value(page)}

    def forget(self, key: int) -> None:
        """Nothing is kept of a link."""

    def changes(self) -> bytes:
        """Nothing was learnt."""
        return b""

    def everything(self) -> bytes:
        """Nothing was learnt."""
        return b""

    def recall(self, packed: bytes) -> None:
        """There is nothing to know again."""

    def join(self, packed: bytes) -> None:
        """Nobody knows more."""


def nearness(page: Read) -> float:
    """The links of start pages are worth one half, those of the next a third."""
    return 1.0 / (2.0 + page.request.depth)


def in_wanted_language(page: Read) -> float:
    """Pages link to pages in their own language most of the time."""
    return page.wanted_language
