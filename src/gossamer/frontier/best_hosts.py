"""Ready hosts of a task in best-first order: the host whose best request has the highest priority goes first.

Good hosts are often pausing while poor ones are ready, so politeness alone would spend most fetches on poor hosts.
A host whose best request is worth much less therefore waits for a better one that will be ready soon.
"""

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.frontier.host_queue import HostQueue

PATIENCE_S = 5.0
"""The longest wait for a better host, and for one that is slow to answer: several pauses of the usual length."""
WORTH = 0.3
"""A request worth less than this share of the best one that will be ready soon has to wait for that one."""


class _HostHeap:
    """A heap of hosts by best priority. A changed host gets a new entry; its old ones stay until they are popped."""

    def __init__(self) -> None:
        self.entries: list[tuple[float, int, HostQueue]] = []
        self._newest: dict[HostQueue, float] = {}
        self._sequence = 0

    def push(self, queue: "HostQueue", best: float) -> None:
        """Add a host under this priority, unless that is its newest entry already."""
        if self._newest.get(queue) != best:
            self._newest[queue] = best
            self._sequence += 1
            heapq.heappush(self.entries, (-best, self._sequence, queue))

    def pop(self) -> tuple[float, "HostQueue"]:
        """Remove and return the first entry."""
        rank, _, queue = heapq.heappop(self.entries)
        if self._newest.get(queue) == -rank:
            del self._newest[queue]
        return -rank, queue


class BestHosts:
    """The ready hosts of one task, by the priority of their best request; used in place of a deque."""

    def __init__(self, task: int) -> None:
        self._task = task
        self._ready = _HostHeap()
        self._soon = _HostHeap()
        self._size = 0

    def __bool__(self) -> bool:
        return self._size > 0

    def append(self, queue: "HostQueue") -> None:
        """Add a host that has become ready."""
        self._size += 1
        self._ready.push(queue, self._find_best(queue))

    def update(self, queue: "HostQueue") -> None:
        """Reorder a host whose best request has changed, or which has begun to pause."""
        window = queue.windows.get(self._task)
        if window:
            (self._ready if self._task in queue.ready_for else self._soon).push(queue, window.best_priority)

    def popleft(self) -> "HostQueue":
        """Remove and return the ready host with the best request; there must be one."""
        while True:
            recorded, queue = self._ready.pop()
            if self._task not in queue.ready_for:
                continue  # an old entry of a host that was removed
            best = self._find_best(queue)
            if best == recorded or best == float("-inf"):
                self._size -= 1
                return queue
            if best < recorded:
                self._ready.push(queue, best)

    def should_take_now(self, now_s: float) -> bool:
        """Say whether the best ready request is good enough not to wait for a host that will be ready soon."""
        while self._soon.entries:
            rank, _, queue = self._soon.entries[0]
            if self._is_soon(queue, -rank, now_s):
                return self._find_best_ready() >= -rank * WORTH
            self._soon.pop()
        return True

    def _find_best_ready(self) -> float:
        while self._ready.entries:
            rank, _, queue = self._ready.entries[0]
            best = self._find_best(queue) if self._task in queue.ready_for else float("inf")
            if best == -rank:
                return best
            self._ready.pop()
            if best < -rank:
                self._ready.push(queue, best)
        return float("-inf")

    def _is_soon(self, queue: "HostQueue", best: float, now_s: float) -> bool:
        if queue.pace.failures:  # it may not answer at all
            return False
        since_s = now_s - PATIENCE_S
        soon = queue.pace.asked_s >= since_s if queue.pace.busy else queue.waits
        in_time = queue.pace.ready_s <= now_s + PATIENCE_S
        return soon and in_time and self._task not in queue.ready_for and self._find_best(queue) == best

    def _find_best(self, queue: "HostQueue") -> float:
        window = queue.windows.get(self._task)
        return window.best_priority if window is not None else float("-inf")
