"""Watching a crawl from the command line: events as JSON, a live display, or lines; Ctrl-C stops it cleanly."""

import gc
import signal
import sys
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from types import FrameType
from typing import Any, Protocol

import msgspec

from gossamer.cli.output.wording import describe_cause
from gossamer.crawl.events import PageVisited, TaskEnded
from gossamer.crawl.run.background import RunningCrawl
from gossamer.crawl.run.process_crew import ProcessCrew
from gossamer.crawl.task.task import Task
from gossamer.store.batch import TaskNote
from gossamer.web import Web

_STOPPING = "Stopping: what is under way comes to its end. Ctrl-C once more stops at once."
_STOPPED_AT_ONCE = "Stopped at once. `gossamer resume` goes on."
_WRITTEN_EVERY_S = 0.1
_HEARD_IN_TURN = 2
"""So many times Ctrl-C waits for the event loop to come round."""
_JSON = msgspec.json.Encoder()
_FETCHED = ("downloaded", "cache hits", "not modified")


def run_watched(
    web: Web,
    new: Sequence[Task],
    again: Sequence[TaskNote],
    json: bool,
    crew: ProcessCrew,
    index: bool = False,
) -> int:
    """Run tasks while somebody watches; return the exit code: 1 if a task that ended could fetch nothing at all."""
    view = JsonLines() if json else _for_people(web)
    ends: dict[str, TaskEnded] = {}

    def hear(event: Any) -> None:
        if isinstance(event, TaskEnded):
            ends[event.task] = event  # a task that was paused may go on, and end once more
        view.hear(event)

    with view.shown(), _Stopping(view.say) as stopping:

        def ready(under_way: RunningCrawl) -> None:
            view.follow(under_way)
            stopping.use(under_way)
            gc.freeze()  # what is loaded by now stays: nobody need look at it again

        web.run(new, again, hear, ready, crew, index)
    if not json:
        from gossamer.cli.crawl.crawl_views import summarise

        summarise(web, ends.values())
    return int(any(_got_nothing(task) for task in ends.values()))


class View(Protocol):
    """What shows a crawl."""

    def shown(self) -> AbstractContextManager[object]:
        """Show it as long as the block lasts."""
        ...

    def follow(self, under_way: RunningCrawl) -> None:
        """Know the crawl that is about to begin."""
        ...

    def say(self, sentence: str) -> None:
        """Say something in between."""
        ...

    def hear(self, event: Any) -> None:
        """Show what happens."""
        ...


def _for_people(web: Web) -> View:
    from gossamer.cli.crawl.crawl_views import view_of  # late: machines need not wait for rich

    return view_of(web)


class _Stopping:
    """The first Ctrl-C lets what is under way come to its end, the second ends at once.

    Neither raises anything where it comes: libcurl's callbacks let no exception out, and other coroutines than the
    crawl's own would keep it for themselves. Only the third does, for functions that never return to the event loop.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._under_way: RunningCrawl | None = None
        self._times = 0
        self._before: dict[int, Any] = {}

    def use(self, under_way: RunningCrawl) -> None:
        self._under_way = under_way

    def __enter__(self) -> "_Stopping":
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._heard)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        if kind in (KeyboardInterrupt, CancelledError):
            self._say(_STOPPED_AT_ONCE)
        if kind is CancelledError:
            raise KeyboardInterrupt

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        self._times += 1
        if self._under_way is None or self._times > _HEARD_IN_TURN:
            raise KeyboardInterrupt
        under_way = self._under_way
        under_way.call_soon(partial(self._stop, under_way) if self._times == 1 else under_way.end)

    def _stop(self, under_way: RunningCrawl) -> None:
        under_way.stop("stopped by a signal")
        self._say(_STOPPING)


class JsonLines:
    """Events, one a line, for machines. PageStream that follow closely are written together: a write for each cost 10 µs."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._written_s = 0.0

    @contextmanager
    def shown(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._write()

    def follow(self, under_way: RunningCrawl) -> None:
        """Machines follow by themselves."""

    def say(self, sentence: str) -> None:
        print(f"gossamer: {sentence}", file=sys.stderr)  # noqa: T201 - this is the program's voice

    def hear(self, event: Any) -> None:
        self._lines.append(_JSON.encode(event))
        # Progress comes once a second, so that no page waits longer than that.
        if type(event) is not PageVisited or event.when_s >= self._written_s + _WRITTEN_EVERY_S:
            self._written_s = event.when_s
            self._write()

    def _write(self) -> None:
        lines, self._lines = self._lines, []
        sys.stdout.write(b"".join(line + b"\n" for line in lines).decode())
        sys.stdout.flush()


def _got_nothing(task: TaskEnded) -> bool:
    """Say whether a task came to its end without a single page."""
    counts = task.counts
    if task.state != "finished" or any(counts.get(name) for name in _FETCHED):
        return False
    causes = [name for name in counts if name.partition(":")[0] in ("failed", "refused") and counts[name]]
    why = describe_cause(causes[0].partition(":")[2]) if causes else "nothing was found"
    print(f"gossamer: {task.task} could fetch no page: {why}.", file=sys.stderr)  # noqa: T201
    return True
