"""The requests of one task at one host: the best few in memory, the rest in the store."""

import heapq

from gossamer.records import Request

# Schmitz 2001, section 4.2.2: only p requests of each host are in memory, and p more are loaded when they are used up.
# 32 are some 15 kB; reading them costs 0.5 ms at ten million requests in the store.
WINDOW_SIZE = 32

REQUISITES_FIRST = 1e6
"""Added to the priority of a page, it is that of its requisites: they go before all pages of their host."""

_Key = tuple[float, int]
_NONE: _Key = (float("inf"), 0)


class RequestWindow:
    """A bounded heap of requests. The store has all of them, those that do not fit here too.

    Invariant: every request that is only in the store sorts after `_bound`, and every request in memory sorts before
    it. So the best request in memory is the best of all.
    """

    __slots__ = ("_bound", "_heap", "held")

    def __init__(self, stored: bool = False) -> None:
        self._heap: list[tuple[float, int, Request]] = []
        self._bound: _Key = (float("-inf"), 0) if stored else _NONE
        self.held: set[int] = set()
        """Numbers of the requests in memory or under way, which are not to be loaded again."""

    def __bool__(self) -> bool:
        return bool(self._heap)

    @property
    def needs_loading(self) -> bool:
        """Whether requests must be loaded from the store before the next one can be taken."""
        return not self._heap and self._bound != _NONE

    @property
    def is_finished(self) -> bool:
        """Whether no request is left in memory, in the store or under way."""
        return not self._heap and self._bound == _NONE and not self.held

    @property
    def best_priority(self) -> float:
        """The priority of the next request in memory; a requisite counts as much as the page that it belongs to."""
        if not self._heap:
            return float("-inf")
        priority = -self._heap[0][0]
        return priority - REQUISITES_FIRST if priority > REQUISITES_FIRST / 2 else priority

    @property
    def starts_with_requisite(self) -> bool:
        """Whether the next request is for a requisite; if it is not, none waits here."""
        return bool(self._heap) and self._heap[0][2].type == "requisite"

    def add(self, request: Request) -> None:
        """Add a new request, if it is good enough to be in memory."""
        entry = (-request.priority, request.number, request)
        if entry[:2] < self._bound:
            heapq.heappush(self._heap, entry)
            self.held.add(request.number)
            if len(self._heap) > 2 * WINDOW_SIZE:
                self._shrink()

    def update_priorities(self, changed: dict[int, Request]) -> None:
        """Replace waiting requests by copies with other priorities, and drop those that no longer belong in memory."""
        here = {entry[1] for entry in self._heap if entry[1] in changed}
        if here:
            self._heap = [entry for entry in self._heap if entry[1] not in here]
            heapq.heapify(self._heap)
            self.held -= here
        for number, after in changed.items():
            if number not in self.held:  # otherwise it is under way
                self.add(after)

    def load(self, best: list[Request], is_all: bool) -> None:
        """Add the best requests of the store; `is_all` says that the store has no others."""
        for request in best:
            if request.number not in self.held:
                heapq.heappush(self._heap, (-request.priority, request.number, request))
                self.held.add(request.number)
        self._bound = _NONE if is_all else (-best[-1].priority, best[-1].number)

    def take(self) -> Request:
        """Remove and return the best request; its number stays in `held` until `finish`."""
        return heapq.heappop(self._heap)[2]

    def put_back(self, request: Request) -> None:
        """Let a request that was taken wait again."""
        heapq.heappush(self._heap, (-request.priority, request.number, request))

    def finish(self, number: int) -> None:
        """Forget a request that was taken."""
        self.held.discard(number)

    def drop(self) -> list[Request]:
        """Remove and return all requests that wait in memory; the caller updates the store."""
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
