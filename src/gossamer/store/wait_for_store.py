"""Wait for a store that is away: try again with growing pauses, and say so once."""

import math
import random
import time
from collections.abc import Callable
from typing import TypeVar

import msgspec

from gossamer.errors import StoreFailed

Result = TypeVar("Result")
Say = Callable[[str], None]


class Patience(msgspec.Struct, frozen=True):
    """How long to wait for a store."""

    first_s: float = 0.2
    most_s: float = 10.0
    """The longest pause between two attempts, so that work goes on soon after the store is back."""
    total_s: float = math.inf
    """After this time, the failure is raised."""


NO_PATIENCE = Patience(total_s=0.0)


def ignore(_: str) -> None:
    """Say nothing."""


def never() -> bool:
    """Wait as long as it takes."""
    return False


def wait_for_store(
    attempt: Callable[[], Result],
    patience: Patience,
    say: Say = ignore,
    must_stop: Callable[[], bool] = never,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """Return what an attempt returns; try again while it raises StoreFailed that passes."""
    began_s, pause_s, failed = clock(), patience.first_s, False
    while True:
        try:
            result = attempt()
        except StoreFailed as failure:
            waited_s = clock() - began_s
            if not failure.full or must_stop() or waited_s >= patience.total_s:
                raise
            if not failed:
                failed = True
                say(f"{failure}; trying again until it is back")
            # Many fetchers come back at once; without chance they would do so in step.
            sleep(min(pause_s, patience.total_s - waited_s) * random.uniform(0.5, 1.0))
            pause_s = min(2 * pause_s, patience.most_s)
            continue
        if failed:
            say(f"it is back after {clock() - began_s:.0f} s")
        return result


class Waiting(msgspec.Struct, frozen=True):
    """How one caller waits for a store."""

    patience: Patience
    say: Say = ignore
    must_stop: Callable[[], bool] = never

    def repeat(self, attempt: Callable[[], Result]) -> Result:
        """Return what an attempt returns; try again while it raises StoreFailed that passes."""
        return wait_for_store(attempt, self.patience, self.say, self.must_stop)
