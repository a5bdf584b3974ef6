"""How much of a long piece of work is done."""

from collections.abc import Callable


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
