"""How long work takes in this process: by processor time, which a loaded machine moves less than that of the clock."""

import math
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

Found = TypeVar("Found")


def timed(do: Callable[[], Found]) -> tuple[float, Found]:
    """Return the CPU seconds that something takes, and what comes of it."""
    began_s = time.process_time()
    found = do()
    return time.process_time() - began_s, found


def cpu_s(do: Callable[[], object]) -> float:
    """Return the CPU seconds that something takes, letting go of what comes of it included."""
    began_s = time.process_time()
    do()
    return time.process_time() - began_s


def best_of_each(jobs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Run the jobs in turns, so that noise meets all of them, and return the least CPU seconds of each."""
    best_s = dict.fromkeys(jobs, math.inf)
    for _ in range(rounds):
        for name, job in jobs.items():
            best_s[name] = min(best_s[name], cpu_s(job))
    return best_s
