"""Watching a crawl from the command line: events as JSON, a live display, or lines; Ctrl-C stops it cleanly."""

import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import Any

import msgspec
from rich.markup import escape

from gossamer.cli.show import console, harmless, table
from gossamer.cli.words import bytes_said, count_rows, meaning, outstanding
from gossamer.crawl.background import UnderWay
from gossamer.crawl.events import Notice, Progress, TaskEnded, TrapFound
from gossamer.crawl.task import Task
from gossamer.store.batch import TaskNote
from gossamer.web import Web, reading

_STOPPING = "Stopping: what is under way comes to its end. Ctrl-C once more stops at once."
_LINE_EVERY_S = 10.0
_FETCHED = ("downloaded", "cache hits", "not modified")


def run_watched(web: Web, new: Sequence[Task], again: Sequence[TaskNote], json: bool) -> int:
    """Run tasks while somebody watches; return the exit code: 1 if a task that ended could fetch nothing at all."""
    view: _Json | _Lines | _Live = _Json() if json else _Live(web) if console.is_terminal else _Lines()
    ends: dict[str, TaskEnded] = {}

    def hear(event: Any) -> None:
        if isinstance(event, TaskEnded):
            ends[event.task] = event  # a task that was paused may go on, and end once more
        view.hear(event)

    with view.shown(), _Stopping(view.say) as stopping:

        def ready(under_way: UnderWay) -> None:
            view.follow(under_way)
            stopping.use(under_way)

        web.run(new, again, hear, ready)
    if not json:
        for task in ends.values():
            _summarise(task)
        _point_out(web)
    return int(any(_got_nothing(task) for task in ends.values()))


class _Stopping:
    """The first Ctrl-C lets what is under way come to its end, the second ends at once."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._under_way: UnderWay | None = None
        self._asked = False
        self._before: dict[int, Any] = {}

    def use(self, under_way: UnderWay) -> None:
        self._under_way = under_way

    def __enter__(self) -> "_Stopping":
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        if self._under_way is None or self._asked:
            raise KeyboardInterrupt
        self._asked = True
        self._under_way.stop("stopped by a signal")
        self._say(_STOPPING)


class _Json:
    """Events, one a line, for machines."""

    def shown(self) -> AbstractContextManager[object]:
        return nullcontext()

    def follow(self, under_way: UnderWay) -> None:
        """Machines follow by themselves."""

    def say(self, sentence: str) -> None:
        print(f"gossamer: {sentence}", file=sys.stderr)  # noqa: T201 - this is the program's voice

    def hear(self, event: Any) -> None:
        sys.stdout.write(msgspec.json.encode(event).decode() + "\n")
        sys.stdout.flush()


class _Lines:
    """A line now and then, where nothing can be drawn."""

    def __init__(self) -> None:
        self._told_s = 0.0

    def shown(self) -> AbstractContextManager[object]:
        return nullcontext()

    def follow(self, under_way: UnderWay) -> None:
        """Lines say how it stands, not how far it is."""

    def say(self, sentence: str) -> None:
        console.print(sentence, markup=False)

    def hear(self, event: Any) -> None:
        match event:
            case Progress() if event.when_s - self._told_s >= _LINE_EVERY_S:
                self._told_s = event.when_s
                self.say(_line(event))
            case TrapFound():
                self.say(f"trap: {event.reason}: {event.pattern}")
            case Notice():
                self.say(event.text)


class _Live:
    """A display that is drawn anew once a second; rich's parts for it are loaded only here."""

    def __init__(self, web: Web) -> None:
        from gossamer.cli.live import LiveDisplay

        def queue() -> dict[int, int]:
            with reading(web.folder) as own:  # its own connection: the crawl's is not held up
                return own.store.waiting_by_depth()

        self._display = LiveDisplay(console, f"Crawling into {web.folder} (Ctrl-C stops)", queue)

    def shown(self) -> AbstractContextManager[object]:
        return self._display

    def follow(self, under_way: UnderWay) -> None:
        self._display.follow(under_way.tasks)

    def say(self, sentence: str) -> None:
        console.print(sentence, markup=False)

    def hear(self, event: Any) -> None:
        self._display.hear(event)


def _line(event: Progress) -> str:
    pages = sum(counts.get("downloaded", 0) for counts in event.counts.values())
    waiting = sum(map(outstanding, event.counts.values()))
    hosts = [f"{number:,} hosts {what}" for what, number in event.hosts.items() if number]
    said = [
        f"{pages:,} pages",
        f"{event.pages_per_s:,.0f}/s",
        f"{bytes_said(event.bytes_per_s)}/s",
        f"{waiting:,} waiting",
    ]
    return ", ".join(said + hosts)


def _summarise(task: TaskEnded) -> None:
    rows = [(escape(name), number) for name, number in count_rows(task.counts)]
    table(f"{harmless(task.task)}: {task.state}, {harmless(task.reason, 200)}", ["what", "how many"], rows)


def _point_out(web: Web) -> None:
    """Say what is in the web now, and what can be done with it."""
    counts = web.store.counts()
    console.print(
        f"{web.folder} holds {counts['pages']:,} pages and {counts['links']:,} links. "
        f"`gossamer explain URL --web {web.folder}` tells why a URL is in it or not.",
        markup=False,
    )


def _got_nothing(task: TaskEnded) -> bool:
    """Say whether a task came to its end without a single page."""
    counts = task.counts
    if task.state != "finished" or any(counts.get(name) for name in _FETCHED):
        return False
    causes = [name for name in counts if name.partition(":")[0] in ("failed", "refused") and counts[name]]
    why = meaning(causes[0].partition(":")[2]) if causes else "nothing was found"
    print(f"gossamer: {task.task} could fetch no page: {why}.", file=sys.stderr)  # noqa: T201
    return True
