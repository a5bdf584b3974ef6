"""Time work in this process by CPU time, which a busy machine changes less than wall-clock time."""

import math
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

Found = TypeVar("Found")


def time_call(do: Callable[[], Found]) -> tuple[float, Found]:
    """Call a function; return the CPU seconds that it took, and its result."""
    began_s = time.process_time()
    found = do()
    return time.process_time() - began_s, found


def measure_cpu_s(do: Callable[[], object]) -> float:
    """Return the CPU seconds of a call, including those to free its result."""
    began_s = time.process_time()
    do()
    return time.process_time() - began_s


def find_best_times(jobs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Run the jobs alternately, so that noise affects all of them, and return the least CPU seconds of each."""
    best_s = dict.fromkeys(jobs, math.inf)
    for _ in range(rounds):
        for name, job in jobs.items():
            best_s[name] = min(best_s[name], measure_cpu_s(job))
    return best_s
