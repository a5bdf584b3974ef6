"""Where the database of a web says in which pack a segment is."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec


class PackedSegment(msgspec.Struct, frozen=True, gc=False):
    """Where a segment is now."""

    pack: str
    base: int
    """The offset of its first byte in the pack."""


class Pack(msgspec.Struct, frozen=True):
    """A WARC file made of segments: those that were claimed for it, in their order."""

    name: str
    segments: tuple[tuple[str, int], ...]
    """Names and lengths."""
    finished: bool
    """Whether the pack is stored, and its segments are read from it."""
    age_s: float
    """Seconds since it was claimed, or since it was finished, by the clock of the database."""

    @property
    def size(self) -> int:
        """The length of the file."""
        return sum(length for _, length in self.segments)


class PackTable(Protocol):
    """The table of packs. Each method is one transaction; a name is claimed once and never used again."""

    def unpacked(self, most: int) -> Sequence[tuple[str, int]]:
        """Return up to `most` committed segments that no pack has claimed, with their lengths, oldest first."""
        ...

    def claim(self, pack: str, segments: Sequence[tuple[str, int]]) -> bool:
        """Claim segments for a new pack; return False if one of them is claimed already."""
        ...

    def finish(self, pack: str) -> bool:
        """Let the segments be read from their pack from now on; return False if it was abandoned."""
        ...

    def abandon(self, pack: str) -> bool:
        """Give up a pack that is not finished, so that it cannot be any more; return False if it is finished."""
        ...

    def settle(self, pack: str) -> None:
        """Note that the objects of the pack's segments were deleted."""
        ...

    def find(self, segments: Iterable[str]) -> dict[str, PackedSegment]:
        """Return where those of these segments are that are in a finished pack."""
        ...

    def unsettled(self) -> Sequence[Pack]:
        """Return the packs that are not settled, oldest first."""
        ...

    def known(self, packs: Iterable[str]) -> set[str]:
        """Return those of these names that are claimed or finished."""
        ...
