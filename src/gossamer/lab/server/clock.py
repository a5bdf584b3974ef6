"""What time it is in a lab world: real time since the start, or a clock that tests turn."""

import multiprocessing
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the world's time in seconds; 0 is when the world begins."""

    def now_s(self) -> float:
        """Return the world's time."""
        ...


class RealClock:
    """Real time since the start; a copy in another process shows the same time."""

    def __init__(self) -> None:
        # CLOCK_MONOTONIC counts from boot for every process alike, so the start can be handed on.
        self._started_s = time.monotonic()

    def now_s(self) -> float:
        """Return the seconds since this clock was made."""
        return time.monotonic() - self._started_s


class PretendClock:
    """A clock that stands still until it is turned, in all processes of a fleet at once."""

    def __init__(self, now_s: float = 0.0) -> None:
        self._now_s = multiprocessing.get_context("spawn").RawValue("d", now_s)

    def now_s(self) -> float:
        """Return the time that was set last."""
        return float(self._now_s.value)

    def set(self, now_s: float) -> None:
        """Turn the clock to this time, forwards or backwards."""
        self._now_s.value = now_s

    def advance(self, by_s: float) -> None:
        """Turn the clock on by so many seconds."""
        self._now_s.value += by_s
