"""Run a crawl and show it: events as JSON, a live display or lines; Ctrl-C stops it cleanly."""

import gc
import signal
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from gossamer.cli.crawl.choose_crew import Crew
from gossamer.cli.crawl.prompt_for_password import ask_for_known_tasks
from gossamer.cli.output.json_lines import write_json_lines
from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.output.wording import describe_cause
from gossamer.cli.run_options import Display
from gossamer.crawl.events import PageVisited, TaskEnded
from gossamer.crawl.run.background import RunningCrawl
from gossamer.crawl.task.task import Task
from gossamer.store.batch import TaskNote
from gossamer.web import Web

if TYPE_CHECKING:  # imported when pages are piped
    from gossamer.cli.crawl.pipe_pages import PagePipe

_STOPPING = "Stopping after the requests in progress. Press Ctrl-C again to stop at once."
_STOPPED_AT_ONCE = "Stopped at once by {}. `gossamer resume` continues."
_SIGNAL_NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
_WRITE_EVERY_S = 0.1
_CLEAN_STOPS = 2
"""The first signals are handled by the event loop; later ones raise KeyboardInterrupt where they arrive."""
_JSON = msgspec.json.Encoder()
_FETCHED = ("downloaded", "cache hits", "not modified")


def run_watched(
    web: Web,
    new: Sequence[Task],
    again: Sequence[TaskNote],
    json: bool,
    crew: Crew,
    index: bool = False,
    pipe: "PagePipe | None" = None,
    keeps_empty: bool = True,
) -> int:
    """Run tasks and show their progress; return the exit code: 1 if a finished task could not fetch any page.

    With `pipe`, each page also goes to another program. Without `keeps_empty`, a web without pages is not described: the
    caller removes it.
    """
    ask_for_known_tasks(web, again)
    view = JsonView() if json else _make_view(web)
    ends: dict[str, TaskEnded] = {}

    def show_event(event: Any) -> None:
        if isinstance(event, TaskEnded):
            ends[event.task] = event  # a paused task may continue and end again
        if pipe is not None:
            pipe.count_event(event)
        view.show_event(event)

    with view.open(), StopSignals(view.print_message) as signals:

        def ready(under_way: RunningCrawl) -> None:
            view.attach(under_way)
            signals.attach(under_way)
            if pipe is not None:
                pipe.attach(under_way)
            gc.freeze()  # what is loaded by now stays, so the collector can skip it

        web.run(new, again, show_event, ready, crew, index)
    is_worth_showing = keeps_empty or any(map(_has_pages, ends.values()))
    if not json and not Display.hidden and is_worth_showing:
        from gossamer.cli.crawl.crawl_views import summarise

        summarise(web, ends.values())
    return int(any(_report_empty(task) for task in ends.values()))


def run_piped(
    web: Web,
    new: Sequence[Task],
    again: Sequence[TaskNote],
    json: bool,
    crew: Crew,
    index: bool,
    form: str,
) -> int:
    """Run tasks, write their pages to standard output and the progress to standard error; return 1 if the reader has gone."""
    from gossamer.cli.crawl.pipe_pages import PagePipe, parse_format

    pipe = PagePipe()
    with pipe.open(web, parse_format(form)):
        code = run_watched(web, new, again, json, crew, index, pipe)
    return _report_reader(pipe, code)


def write_rest(web: Web, form: str) -> int:
    """Write what the readers of earlier crawls did not get, though nothing is left to crawl."""
    from gossamer.cli.crawl.pipe_pages import PagePipe, parse_format

    pipe = PagePipe()
    with pipe.open(web, parse_format(form)):
        pipe.write_rest()
    return _report_reader(pipe, 0)


def _report_reader(pipe: "PagePipe", code: int) -> int:
    if pipe.is_gone:
        print_error("The program that reads the pages has gone. `gossamer resume --out -` continues.")
        return 1
    return code


class CrawlView(Protocol):
    """Shows the events of a crawl."""

    def open(self) -> AbstractContextManager[object]:
        """Return a context in which the view is shown."""
        ...

    def attach(self, under_way: RunningCrawl) -> None:
        """Receive the crawl when it starts."""
        ...

    def print_message(self, sentence: str) -> None:
        """Print a sentence between events."""
        ...

    def show_event(self, event: Any) -> None:
        """Show one event."""
        ...


def _make_view(web: Web) -> CrawlView:
    from gossamer.cli.crawl.crawl_views import make_view  # late: --json does not load rich

    return make_view(web)


class Interrupted(KeyboardInterrupt):
    """A stop that has been reported already."""


class StopSignals:
    """Handles Ctrl-C and SIGTERM: the first waits for the requests in progress, the second ends the crawl at once.

    Neither raises an exception where the signal arrives: callbacks of libcurl swallow exceptions, and so might other
    coroutines than the crawl's. Only the third does, for functions that never return to the event loop.
    """

    def __init__(self, print_message: Callable[[str], None]) -> None:
        self._print_message = print_message
        self._under_way: RunningCrawl | None = None
        self._signals = 0
        self._signal_name = "Ctrl-C"
        self._before: dict[int, Any] = {}

    def attach(self, under_way: RunningCrawl) -> None:
        self._under_way = under_way

    def __enter__(self) -> "StopSignals":
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        if kind in (KeyboardInterrupt, CancelledError):
            self._print_message(_STOPPED_AT_ONCE.format(self._signal_name))
            raise Interrupted

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self._signals += 1
        self._signal_name = _SIGNAL_NAMES[signal.Signals(number)]
        if self._under_way is None or self._signals > _CLEAN_STOPS:
            raise KeyboardInterrupt
        under_way = self._under_way
        under_way.call_soon(partial(self._stop, under_way) if self._signals == 1 else under_way.end)

    def _stop(self, under_way: RunningCrawl) -> None:
        under_way.stop(f"stopped by {self._signal_name}")
        self._print_message(_STOPPING)


class JsonView:
    """Prints events as JSON lines; pages within 0.1 s are written together, since each write cost 10 µs."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._written_s = 0.0

    @contextmanager
    def open(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._write()

    def attach(self, under_way: RunningCrawl) -> None:
        """Do nothing: the events are enough."""

    def print_message(self, sentence: str) -> None:
        print_error(sentence)

    def show_event(self, event: Any) -> None:
        self._lines.append(_JSON.encode(event))
        # A Progress event comes once a second, so no page waits longer than that.
        if type(event) is not PageVisited or event.when_s >= self._written_s + _WRITE_EVERY_S:
            self._written_s = event.when_s
            self._write()

    def _write(self) -> None:
        lines, self._lines = self._lines, []
        write_json_lines(lines)


def _has_pages(task: TaskEnded) -> bool:
    """Return whether a task brought a page, or may still bring one."""
    return task.state != "finished" or any(task.counts.get(name) for name in _FETCHED)


def _report_empty(task: TaskEnded) -> bool:
    """Return whether a task finished without a single page, and print why."""
    if _has_pages(task):
        return False
    counts = task.counts
    kinds = ("failed", "refused", "filtered")
    causes = [name for kind in kinds for name in counts if name.startswith(f"{kind}:") and counts[name]]
    why = describe_cause(causes[0].partition(":")[2]) if causes else "no link was found"
    if causes and counts.get("redirected"):
        why = f"it redirects, and the target was not fetched: {why}"
    print_error(f"{task.task} could not fetch any page: {why}.")
    return True
