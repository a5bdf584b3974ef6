"""The clock of a lab world: real time since the start, or a time that tests set."""

import multiprocessing
import time
from typing import Protocol


class Clock(Protocol):
    """The world's time in seconds; it starts at 0."""

    def now_s(self) -> float:
        """Return the world's time."""
        ...


class RealClock:
    """Real time since the start; a copy in another process shows the same time."""

    def __init__(self) -> None:
        # CLOCK_MONOTONIC counts from boot in every process, so a copy in another process agrees.
        self._started_s = time.monotonic()

    def now_s(self) -> float:
        """Return the seconds since this clock was made."""
        return time.monotonic() - self._started_s


class PretendClock:
    """A clock that stands still until you set it; all processes of a fleet see the new time at once."""

    def __init__(self, now_s: float = 0.0) -> None:
        self._now_s = multiprocessing.get_context("spawn").RawValue("d", now_s)

    def now_s(self) -> float:
        """Return the time last set."""
        return float(self._now_s.value)

    def set(self, now_s: float) -> None:
        """Set the clock, forwards or backwards."""
        self._now_s.value = now_s

    def advance(self, by_s: float) -> None:
        """Move the clock forward by this many seconds."""
        self._now_s.value += by_s
