"""How much of a check is done."""

from collections.abc import Callable

ROW_COST = 2_000
"""The bytes of an archive that are checked in the time of one row."""


class Work:
    """Turns units of work into the share that is done."""

    def __init__(self, total: int, on_progress: Callable[[float], None]) -> None:
        self._total = max(1, total)
        self._done = 0
        self._on_progress = on_progress

    def add(self, units: int) -> None:
        """Count units of work as done."""
        self._done += units
        self._on_progress(min(1.0, self._done / self._total))
