"""The requests of one task at one host: the best few in memory, the rest in the store."""

import heapq

from gossamer.records import Request

# Seed 002, section 4.2.2: only p requests of each host are held, and p more are loaded when they are used up.
# 32 are some 15 kB; reading them costs 0.5 ms at ten million requests in the store.
WINDOW_SIZE = 32

_Key = tuple[float, int]
_NONE: _Key = (float("inf"), 0)


class RequestWindow:
    """A bounded heap of requests. What does not fit is left to the store, which has everything.

    Invariant: whatever only the store has goes after `_bound`, and whatever is in memory goes before it. So
    taking from memory first is exact.
    """

    __slots__ = ("_bound", "_heap", "held")

    def __init__(self, stored: bool = False) -> None:
        self._heap: list[tuple[float, int, Request]] = []
        self._bound: _Key = (float("-inf"), 0) if stored else _NONE
        self.held: set[int] = set()
        """Numbers of the requests in memory or under way: not to be loaded again."""

    def __bool__(self) -> bool:
        return bool(self._heap)

    @property
    def hungry(self) -> bool:
        """Whether the store must be asked before the next can be taken."""
        return not self._heap and self._bound != _NONE

    @property
    def spent(self) -> bool:
        """Whether nothing is left, here or in the store, nor under way."""
        return not self._heap and self._bound == _NONE and not self.held

    def add(self, request: Request) -> None:
        """Accept a new request, in memory if it belongs there."""
        entry = (-request.priority, request.number, request)
        if entry[:2] < self._bound:
            heapq.heappush(self._heap, entry)
            self.held.add(request.number)
            if len(self._heap) > 2 * WINDOW_SIZE:
                self._shrink()

    @property
    def best(self) -> float:
        """The priority of what would be taken next, of what is in memory."""
        return -self._heap[0][0] if self._heap else float("-inf")

    def move(self, moved: dict[int, Request]) -> None:
        """Requests that wait have other priorities now: they are in memory from now on only if they belong there."""
        here = {entry[1] for entry in self._heap if entry[1] in moved}
        if here:
            self._heap = [entry for entry in self._heap if entry[1] not in here]
            heapq.heapify(self._heap)
            self.held -= here
        for number, after in moved.items():
            if number not in self.held:  # else it is under way
                self.add(after)

    def load(self, best: list[Request], whole: bool) -> None:
        """Take in the best that the store had; `whole` says that it has no more than these."""
        for request in best:
            if request.number not in self.held:
                heapq.heappush(self._heap, (-request.priority, request.number, request))
                self.held.add(request.number)
        self._bound = _NONE if whole else (-best[-1].priority, best[-1].number)

    def take(self) -> Request:
        """Take the best; it stays held until it is finished."""
        return heapq.heappop(self._heap)[2]

    def put_back(self, request: Request) -> None:
        """A request that was taken waits again."""
        heapq.heappush(self._heap, (-request.priority, request.number, request))

    def finish(self, number: int) -> None:
        """A request that was taken is done with."""
        self.held.discard(number)

    def drop(self) -> list[Request]:
        """Give up everything that waits in memory; the store is told by the caller."""
        dropped = [request for _, _, request in self._heap]
        self._heap.clear()
        self._bound = _NONE
        self.held.difference_update(request.number for request in dropped)
        return dropped

    def _shrink(self) -> None:
        self._heap.sort()
        left = self._heap[WINDOW_SIZE:]
        del self._heap[WINDOW_SIZE:]
        self.held.difference_update(number for _, number, _ in left)
        self._bound = min(self._bound, left[0][:2])
