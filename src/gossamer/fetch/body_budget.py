"""Bounds the bytes of bodies that are in memory at once: those arriving, and those that are not written yet.

How large a body gets is known only when it has arrived. So every transfer may begin, and while the budget is spent, all
pause except the oldest one with a body: it needs no more than one page does, and gives all its bytes back when it ends.
"""

from collections.abc import Callable, Hashable

MOST_BYTES = 256_000_000
"""Sixty-four pages of 4 MB. Ordinary pages need a hundredth of it."""


class BodyBudget:
    """The bytes of bodies in memory, by transfer, and the transfers that wait for room."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._held: dict[Hashable, int] = {}
        """Bytes by transfer, the oldest first."""
        self._waiting: dict[Hashable, Callable[[], None]] = {}
        self.held_bytes = 0
        """Bytes that are arriving."""
        self.kept_bytes = 0
        """Bytes of pages that were read and are not written yet."""

    def has_room(self, transfer: Hashable) -> bool:
        """Say whether a transfer may take another piece of its body."""
        if self.held_bytes + self.kept_bytes < self._most_bytes:
            return True
        return next(iter(self._held), transfer) == transfer

    def add(self, transfer: Hashable, piece_bytes: int) -> None:
        """Count a piece of a body."""
        self._held[transfer] = self._held.get(transfer, 0) + piece_bytes
        self.held_bytes += piece_bytes

    def wait(self, transfer: Hashable, resume: Callable[[], None]) -> None:
        """Call `resume` when there may be room; it asks again."""
        self._waiting[transfer] = resume

    def release(self, transfer: Hashable) -> None:
        """Count the body of a transfer no more, since the transfer has ended."""
        self._waiting.pop(transfer, None)
        self.held_bytes -= self._held.pop(transfer, 0)
        if self._waiting:
            self._resume()

    def keep(self, page_bytes: int) -> None:
        """Count a page that waits to be written."""
        self.kept_bytes += page_bytes

    def release_kept(self, written_bytes: int) -> None:
        """Count pages no more, since they were written."""
        self.kept_bytes -= written_bytes
        if self._waiting:
            self._resume()

    def _resume(self) -> None:
        """Resume every transfer that has room now; if none has begun a body, the one that waits longest."""
        for transfer, resume in list(self._waiting.items()):
            if self.has_room(transfer):
                del self._waiting[transfer]
                resume()
                if not self._held:
                    break
