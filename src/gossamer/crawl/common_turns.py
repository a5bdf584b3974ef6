"""What shards that cannot see each other's memory have in common: turns at hosts and addresses, and claims on pages."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol


class CommonTurns(Protocol):
    """Keeps shards from asking one host or address at the same time or too soon."""

    def begin(self, names: Iterable[str], pause_s: float) -> float:
        """Take the turn at a host and its addresses; return 0.0, or after how many seconds to try again.

        The host comes first. `pause_s` is the pause where another shard died during its turn.
        """
        ...

    def end(self, pauses: Mapping[str, float]) -> None:
        """Release the turns that were taken together, with the pause in seconds that follows each."""
        ...


class PageClaims(Protocol):
    """Tells shards how many pages the others have under way, so that together they keep a page limit."""

    def lock_claims(self) -> AbstractContextManager[None]:
        """Keep other shards from claiming pages while the block runs."""
        ...

    def claim(self, task: int, pages: int) -> None:
        """Publish how many pages of a task this shard has under way or unwritten."""
        ...

    def sum_claims(self, task: int) -> int:
        """Return how many pages of a task the other shards have claimed."""
        ...
