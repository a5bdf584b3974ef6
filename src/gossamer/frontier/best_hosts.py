"""The ready hosts of a task that wants the best first, whichever host has it: for orders that know what links are worth.

Politeness alone would spend most fetches on hosts that nobody cares for, for they are ready while the good ones pause.
So a host whose best request is worth much less has to wait for one that will be ready soon.
"""

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.frontier.host_queue import HostQueue

PATIENCE_S = 5.0
"""So long a better host is waited for, and so long one that does not answer: several pauses of the usual length."""
WORTH = 0.3
"""What is worth less than this share of the best that will be ready soon has to wait for it."""


class _Ranked:
    """Hosts by what they have to offer. Entries are not corrected but made anew, and never twice the same."""

    def __init__(self) -> None:
        self.entries: list[tuple[float, int, HostQueue]] = []
        self._newest: dict[HostQueue, float] = {}
        self._sequence = 0

    def push(self, line: "HostQueue", best: float) -> None:
        """Let a host stand where this belongs."""
        if self._newest.get(line) != best:
            self._newest[line] = best
            self._sequence += 1
            heapq.heappush(self.entries, (-best, self._sequence, line))

    def pop(self) -> tuple[float, "HostQueue"]:
        """Take the first entry out."""
        rank, _, line = heapq.heappop(self.entries)
        if self._newest.get(line) == -rank:
            del self._newest[line]
        return -rank, line


class BestHosts:
    """Hosts of one task by the priority of their best request."""

    def __init__(self, task: int) -> None:
        self._task = task
        self._ready = _Ranked()
        self._soon = _Ranked()
        self._size = 0

    def __bool__(self) -> bool:
        return self._size > 0

    def append(self, line: "HostQueue") -> None:
        """A host has become ready."""
        self._size += 1
        self._ready.push(line, self._best(line))

    def offer(self, line: "HostQueue") -> None:
        """What a host has to offer has changed, or it pauses from now on."""
        window = line.windows.get(self._task)
        if window:
            (self._ready if self._task in line.ready_for else self._soon).push(line, window.best)

    def popleft(self) -> "HostQueue":
        """Take the host out that has the best to offer; there must be one."""
        while True:
            told, line = self._ready.pop()
            if self._task not in line.ready_for:
                continue  # an older entry of a host that is gone
            best = self._best(line)
            if best == told or best == float("-inf"):
                self._size -= 1
                return line
            if best < told:
                self._ready.push(line, best)

    def worth_asking(self, now_s: float) -> bool:
        """Say whether the best that is ready is good enough not to wait for a better one that will be."""
        while self._soon.entries:
            rank, _, line = self._soon.entries[0]
            if self._is_soon(line, -rank, now_s):
                return self._best_ready() >= -rank * WORTH
            self._soon.pop()
        return True

    def _best_ready(self) -> float:
        while self._ready.entries:
            rank, _, line = self._ready.entries[0]
            best = self._best(line) if self._task in line.ready_for else float("inf")
            if best == -rank:
                return best
            self._ready.pop()
            if best < -rank:
                self._ready.push(line, best)
        return float("-inf")

    def _is_soon(self, line: "HostQueue", best: float, now_s: float) -> bool:
        if line.pace.failures:  # nobody knows whether it will answer at all
            return False
        since_s = now_s - PATIENCE_S
        soon = line.pace.asked_s >= since_s if line.pace.busy else line.waits
        in_time = line.pace.ready_s <= now_s + PATIENCE_S
        return soon and in_time and self._task not in line.ready_for and self._best(line) == best

    def _best(self, line: "HostQueue") -> float:
        window = line.windows.get(self._task)
        return window.best if window is not None else float("-inf")
