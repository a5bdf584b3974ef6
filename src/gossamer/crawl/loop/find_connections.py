"""Find how many pages to fetch at the same time: more while that makes the crawl faster, fewer when it does harm.

A crawl begins with as many connections as most need. While all of them are in use and hosts are ready, the number grows
by half. If the pages a second have risen by then, it grows on; if they are the same, it stays for a while; if they have
fallen, or more requests fail, it goes back. Rates vary from second to second, so a step is judged by both directions: only
a clear loss takes connections away, and a mistake is made good by the next step. Pure: time and measurements are arguments.
"""

import os
import resource

import msgspec

from gossamer.config import Fetching

FIRST = 64
"""The number to begin with. Fixed for every crawl before, it was right for most of them."""
LEAST = 4
_GROWTH = 1.5
_SHRINKAGE = 0.7
_PERIOD_S = 2.0
_LONGEST_PERIOD_S = 5.0
_LEAST_VISITS = 40
"""Visits that make a rate: fewer vary by more than the step."""
_LEAST_GAIN, _MOST_LOSS = 0.08, 0.12
"""From which growth of the rate the next step follows at once, and from which loss a step is taken back."""
_MORE_FAILURES = 0.15
_HOLD_S, _LONGEST_HOLD_S = 5.0, 60.0
_BUSY = 0.95
"""The share of a processor above which this process can do no more."""
_FULL_SHARE = 0.5
_LEAST_MEMORY = 0.05
_MOST_OF_MEMORY = 0.5


class Measurement(msgspec.Struct, frozen=True):
    """What a process has done and used since it began."""

    now_s: float
    visits: int
    unanswered: int
    """How many of them ended without an answer: timeouts, refused and closed connections."""
    cpu_s: float
    is_memory_short: bool = False


class ConnectionFinder:
    """The number of connections of one process, and why it is this one."""

    def __init__(self, most: int, fixed: int = 0) -> None:
        self._upper = most
        self.number = min(fixed or FIRST, most)
        self.why = "as the task says" if fixed else "to begin with"
        self.is_fixed = bool(fixed)
        self._last: Measurement | None = None
        self._passes = self._full_passes = 0
        self._before: tuple[int, float, float] | None = None
        """The number, the pages a second and the failures before the last step."""
        self._hold_until_s = 0.0
        self._hold_s = _HOLD_S
        self._usual_failures = 0.0

    def note_pass(self, full: bool) -> None:
        """Count a look at the queue: `full` if requests were ready and no connection was free."""
        self._passes += 1
        self._full_passes += full

    def measure(self, now: Measurement) -> None:
        """Take a measurement, about once a second; change the number if it tells something."""
        last = self._last
        if self.is_fixed or last is None:
            self._last = now
            return
        took_s, visits = now.now_s - last.now_s, now.visits - last.visits
        if took_s < _PERIOD_S or (visits < _LEAST_VISITS and took_s < _LONGEST_PERIOD_S):
            return
        full = self._passes > 0 and self._full_passes >= _FULL_SHARE * self._passes
        self._last, self._passes, self._full_passes = now, 0, 0
        failures = (now.unanswered - last.unanswered) / visits if visits else 0.0
        busy = (now.cpu_s - last.cpu_s) / took_s
        self._decide(now, full, visits / took_s, failures, busy)

    def describe(self) -> str:
        """Say how many connections there are and why, in a sentence."""
        return (
            f"{self.number} connections, {self.why}"
            if self.is_fixed
            else f"{self.number} connections, found by itself: {self.why}"
        )

    def _decide(self, now: Measurement, full: bool, rate: float, failures: float, busy: float) -> None:
        before, self._before = self._before, None
        if now.is_memory_short:
            self._shrink(now.now_s, "the memory is short")
        elif before is not None and failures > before[2] + _MORE_FAILURES:
            self._step_back(
                before,
                now.now_s,
                f"with more, {failures:.0%} of the requests were not answered, before {before[2]:.0%}",
            )
        elif before is not None and full and rate < before[1] * (1.0 - _MOST_LOSS):
            self._step_back(
                before,
                now.now_s,
                f"more brought fewer pages a second ({rate:.0f} instead of {before[1]:.0f})",
            )
        elif before is not None and full and rate < before[1] * (1.0 + _LEAST_GAIN):
            self._hold(
                now.now_s, f"the last more brought no more pages a second ({before[1]:.0f}, then {rate:.0f})"
            )
        elif before is None and failures > self._usual_failures + 2 * _MORE_FAILURES:
            self._shrink(
                now.now_s,
                f"{failures:.0%} of the requests were not answered, before {self._usual_failures:.0%}",
            )
        elif not full:
            self.why = "more would wait for the pauses of hosts, and be idle"
        elif busy >= _BUSY:
            self.why = "this process uses a whole processor, so more would not be faster"
        elif self.number >= self._upper:
            self.why = "no more are allowed"
        elif now.now_s >= self._hold_until_s:
            self._grow(rate, failures, before is not None)
        self._usual_failures += 0.3 * (failures - self._usual_failures)

    def _grow(self, rate: float, failures: float, again: bool) -> None:
        self._before = self.number, rate, failures
        self.number = min(self._upper, max(self.number + 1, int(self.number * _GROWTH)))
        if again:
            self._hold_s = _HOLD_S
        self.why = "more make the crawl faster" if again else "to see whether more make the crawl faster"

    def _step_back(self, before: tuple[int, float, float], now_s: float, why: str) -> None:
        self.number = before[0]
        self._hold(now_s, why)

    def _hold(self, now_s: float, why: str) -> None:
        self.why = why
        self._hold_until_s = now_s + self._hold_s
        self._hold_s = min(_LONGEST_HOLD_S, 2 * self._hold_s)

    def _shrink(self, now_s: float, why: str) -> None:
        self.number, self.why = max(LEAST, int(self.number * _SHRINKAGE)), why
        self._hold_until_s = now_s + self._hold_s


def make_finder(wanted: list[Fetching], fixed: int, most: int) -> ConnectionFinder:
    """Make the finder of a process: fixed if it is told so or every task is, and then by the task that wants the most."""
    if fixed or (wanted and all(task.connections for task in wanted)):
        return ConnectionFinder(most, fixed or max(task.connections for task in wanted))
    upper = max((task.connections or task.most_connections for task in wanted), default=most)
    return ConnectionFinder(min(most, upper))


def measure_process(now_s: float, visits: int, unanswered: int) -> Measurement:
    """Measure this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Measurement(now_s, visits, unanswered, used.ru_utime + used.ru_stime, is_memory_short())


def is_memory_short() -> bool:
    """Say whether this process has most of the machine's memory, or little of it is left; False where that is not told."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            amounts = {
                line.split(":")[0]: int(line.split()[1]) * 1024 for line in file if line.startswith("Mem")
            }
        with open("/proc/self/statm", encoding="ascii") as file:
            own = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        total = amounts["MemTotal"]
        return own > _MOST_OF_MEMORY * total or amounts["MemAvailable"] < _LEAST_MEMORY * total
    except (OSError, KeyError, ValueError, IndexError):
        return False
