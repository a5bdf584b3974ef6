"""How long a crawl will take: exactly by a time limit, otherwise by its pace and by the requests that wait."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import NamedTuple

from gossamer.cli.output.wording import count_waiting, format_count, format_duration
from gossamer.crawl.events import Progress
from gossamer.crawl.run.background import ObservedTask

_PACE_S = 60.0
"""The pace is that of the last minute: hosts come and go."""
_SHORTEST_S = 3.0
"""A shorter time says nothing about the pace."""


class LongestQueue(NamedTuple):
    """The host at which the most requests wait, and the pause between two of its pages."""

    requests: int = 0
    pause_s: float = 0.0


class _Moment(NamedTuple):
    when_s: float
    pages: dict[str, int]
    """By task."""
    finished: int


_NO_QUEUE = LongestQueue()


class TimeLeft:
    """Estimates the time left from one `Progress` to the next."""

    def __init__(self) -> None:
        self._moments: deque[_Moment] = deque()
        self._counts: Counter[str] = Counter()

    def add(self, progress: Progress) -> None:
        """Take in the state of the crawl."""
        self._counts = Counter()
        for counts in progress.counts.values():
            self._counts.update(counts)
        pages = {name: counts.get("downloaded", 0) for name, counts in progress.counts.items()}
        now = _Moment(progress.when_s, pages, self._counts["finished"])
        self._moments.append(now)
        while self._moments[0].when_s < now.when_s - _PACE_S:
            self._moments.popleft()

    def describe(self, tasks: Sequence[ObservedTask], queue: LongestQueue = _NO_QUEUE) -> str:
        """Return the time left and where it comes from; "" if nothing is known yet.

        Limits come first: the crawl ends at the one that is reached first, and only if all its tasks have one. Otherwise
        the requests that wait take at least as long as those of the host with most of them, one pause each.
        """
        if not self._moments:
            return ""
        limited = [self._find_limit(task) for task in tasks]
        if limited and all(limited):
            left_s, why = max(one for one in limited if one)
            return f"at most {format_duration(left_s)}{why}"
        return self._describe_waiting(queue)

    def _find_limit(self, task: ObservedTask) -> tuple[float, str] | None:
        """Return how long a task takes to its nearest limit, and which one that is; None without one or a pace."""
        limits = task.spec.limits
        found: list[tuple[float, str]] = []
        if limits.time_s:
            left_s = max(0.0, limits.time_s - task.elapsed_s(self._moments[-1].when_s))
            found.append((left_s, ", the time limit"))
        first, last = self._moments[0].pages, self._moments[-1].pages
        pace = self._find_pace(last.get(task.name, 0) - first.get(task.name, 0))
        if limits.pages and pace:
            pages = max(0, limits.pages - task.tally["downloaded"])
            found.append((pages / pace, f" at this pace, for {format_count(pages, 'page')} up to the limit"))
        return min(found, default=None)

    def _describe_waiting(self, queue: LongestQueue) -> str:
        waiting = count_waiting(self._counts)
        pace = self._find_pace(self._moments[-1].finished - self._moments[0].finished)
        if not waiting or not (pace or queue.requests):
            return ""
        left_s = max(waiting / pace if pace else 0.0, queue.requests * queue.pause_s)
        return f"about {format_duration(left_s)} for what waits now; links found meanwhile add to it"

    def _find_pace(self, done: int) -> float:
        """Return how much was done a second since the first moment; 0 if that was too short a time ago."""
        took_s = self._moments[-1].when_s - self._moments[0].when_s
        return done / took_s if took_s >= _SHORTEST_S else 0.0
