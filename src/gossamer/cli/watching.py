"""Watching a crawl from the command line: events as JSON, or lines for people; Ctrl-C stops it cleanly."""

import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any

import msgspec

from gossamer.cli.show import console, table
from gossamer.crawl.events import Notice, Progress, TaskEnded, TrapFound
from gossamer.crawl.local import Crawl
from gossamer.crawl.task import Task
from gossamer.store.batch import TaskNote
from gossamer.web import Web


def run_watched(web: Web, new: Sequence[Task], again: Sequence[TaskNote], json: bool) -> None:
    """Run tasks while somebody watches."""
    if not new and not again:
        console.print("Nothing is left to do: all tasks of this web have ended.")
        return
    with _Stopping() as stopping:
        web.run(new, again, _print_json if json else _print_lines, stopping.use)


class _Stopping:
    """The first Ctrl-C lets what is under way come to its end, the second ends at once."""

    def __init__(self) -> None:
        self._crawl: Crawl | None = None
        self._before: dict[int, Any] = {}

    def use(self, crawl: Crawl) -> None:
        self._crawl = crawl

    def __enter__(self) -> "_Stopping":
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        if self._crawl is None or self._crawl.stopping:
            raise KeyboardInterrupt
        self._crawl.stop("stopped by a signal")


def _print_json(event: msgspec.Struct) -> None:
    sys.stdout.write(msgspec.json.encode(event).decode() + "\n")
    sys.stdout.flush()


def _print_lines(event: msgspec.Struct) -> None:
    match event:
        case Progress():
            pages = sum(counts.get("downloaded", 0) for counts in event.counts.values())
            queued = sum(
                counts.get("queued", 0) - counts.get("finished", 0) for counts in event.counts.values()
            )
            console.print(
                f"{pages:,} pages, {event.pages_per_s:,.0f}/s, {event.bytes_per_s / 1e6:.1f} MB/s, {queued:,} waiting, "
                + ", ".join(f"{number} hosts {what}" for what, number in event.hosts.items() if number)
            )
        case TrapFound():
            console.print(f"trap: {event.reason}: {event.pattern}", markup=False)
        case Notice():
            console.print(event.text, markup=False)
        case TaskEnded():
            shown = [(name, number) for name, number in sorted(event.counts.items()) if name != "finished"]
            table(f"{event.task}: {event.state}, {event.reason}", ["what", "how many"], shown)
