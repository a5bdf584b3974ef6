"""The display of a crawl on a terminal: drawn anew once a second, in place."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from gossamer.cli.output.tables import clean_text
from gossamer.cli.output.wording import (
    count_causes,
    count_waiting,
    format_bytes,
    format_count,
    format_duration,
)
from gossamer.crawl.events import Notice, PageVisited, Progress, TrapFound
from gossamer.crawl.run.background import ObservedTask
from gossamer.errors import GossamerError

_BAR_WIDTH = 24
_NAME_WIDTH = 12
_CAUSES_SHOWN = 6
_DEPTHS_SHOWN = 8
# Counting what waits takes some 0.2 s a million, without holding up the crawl.
_COUNTED_UP_TO = 5_000_000
_COUNT_EVERY_S = 5.0


class LiveDisplay:
    """Hears the events of a crawl and shows how it stands."""

    def __init__(self, console: Console, title: str, queue: Callable[[], dict[int, int]]) -> None:
        self._console = console
        self._title = title
        self._queue = queue
        self._queued: dict[int, int] = {}
        self._counting: threading.Thread | None = None
        self._count_again_s = 0.0
        self._tasks: Sequence[ObservedTask] = ()
        self._depths: Counter[int] = Counter()
        self._last = ""
        # Drawn when there is something new to show, by the crawl's own thread: none is needed for it.
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "LiveDisplay":
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def follow(self, tasks: Sequence[ObservedTask]) -> None:
        """Show the progress of these tasks against their limits, as these are at each moment."""
        self._tasks = tasks

    def hear(self, event: object) -> None:
        """Take in an event; the picture changes with each `Progress`."""
        match event:
            case PageVisited():
                self._depths[event.depth] += 1
                self._last = event.url
            case Progress():
                self._count_queue(event)
                self._live.update(self._picture(event), refresh=True)
            case TrapFound():
                self._console.print(f"trap: {event.reason}: {event.pattern}", markup=False)
            case Notice():
                self._console.print(event.text, markup=False)

    def _count_queue(self, progress: Progress) -> None:
        """Count what waits by depth, apart from the crawl: that is a walk over everything that waits."""
        waiting = sum(map(count_waiting, progress.counts.values()))
        idle = self._counting is None or not self._counting.is_alive()
        if idle and waiting <= _COUNTED_UP_TO and progress.when_s >= self._count_again_s:
            self._count_again_s = progress.when_s + _COUNT_EVERY_S
            self._counting = threading.Thread(target=self._count, daemon=True)
            self._counting.start()

    def _count(self) -> None:
        with suppress(GossamerError):  # it is only a picture
            self._queued = self._queue()

    def _picture(self, progress: Progress) -> RenderableType:
        counts = Counter[str]()
        for of_task in progress.counts.values():
            counts.update(of_task)
        facts = Table.grid(padding=(0, 2), expand=True)
        facts.add_column(style="dim", width=_NAME_WIDTH, no_wrap=True)
        facts.add_column(ratio=1, overflow="ellipsis", no_wrap=True)
        for name, said in facts_of(progress, counts, self._depths, self._queued):
            facts.add_row(name, said)
        facts.add_row("last", clean_text(self._last, 100))
        # The last line is empty: the terminal writes ^C behind it, and from a full line that would run into another one,
        # which nobody erases.
        return Group(Text(self._title, style="bold"), *self._limits(progress.when_s), facts, Text())

    def _limits(self, now_s: float) -> list[RenderableType]:
        shown = Table.grid(padding=(0, 2))
        for task in self._tasks:
            for done, limit, said in limits_of(task, now_s):
                bar = ProgressBar(total=limit, completed=min(done, limit), width=_BAR_WIDTH)
                shown.add_row(clean_text(task.name, 30), bar, said)
        return [shown] if shown.rows else []


def limits_of(task: ObservedTask, now_s: float) -> list[tuple[float, float, str]]:
    """Say how far a task is on its way to each of its limits: done, limit, and both in words."""
    limits, tally = task.spec.limits, task.tally
    found: list[tuple[float, float, str]] = []
    if limits.pages:
        said = f"{tally['downloaded']:,} of {format_count(limits.pages, 'page')}"
        found.append((tally["downloaded"], limits.pages, said))
    if limits.body_bytes:
        said = f"{format_bytes(tally['bytes'])} of {format_bytes(limits.body_bytes)}"
        found.append((tally["bytes"], limits.body_bytes, said))
    if limits.time_s:
        elapsed_s = task.elapsed_s(now_s)
        found.append(
            (elapsed_s, limits.time_s, f"{format_duration(elapsed_s)} of {format_duration(limits.time_s)}")
        )
    return found


def facts_of(
    progress: Progress, counts: Counter[str], depths: Mapping[int, int], queued: Mapping[int, int]
) -> list[tuple[str, RenderableType]]:
    """Say how the crawl stands: speed, hosts, what waits, how visits ended."""
    hosts = [f"{number:,} {what}" for what, number in progress.hosts.items()]
    ended = [f"{counts['redirected']:,} redirected"] if counts["redirected"] else []
    for kind in ("failed", "refused"):
        causes = count_causes(counts, kind)
        ended += [f"{times:,} {kind}: {cause}" for cause, times in causes[:_CAUSES_SHOWN]]
    filtered = [f"{times:,} {rule}" for rule, times in count_causes(counts, "filtered")]
    rows = [
        ("pages", f"{counts['downloaded']:,} · {progress.pages_per_s:,.0f}/s"),
        ("bytes", f"{format_bytes(counts['bytes'])} · {format_bytes(progress.bytes_per_s)}/s"),
        ("hosts", " · ".join(hosts)),
        ("waiting", f"{count_waiting(counts):,} of {counts['queued']:,} queued"),
        ("queue", _by_depth(queued)),
        ("visited", _by_depth(depths)),
        ("trouble", " · ".join(ended)),
        ("not followed", " · ".join(filtered)),
    ]
    return [(name, Text(said)) for name, said in rows if said]


def _by_depth(numbers: Mapping[int, int]) -> str:
    deepest = sorted(numbers)[-_DEPTHS_SHOWN:]
    return " · ".join(f"{numbers[depth]:,} at depth {depth}" for depth in deepest)
