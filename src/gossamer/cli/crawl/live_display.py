"""The live display of a crawl on a terminal, redrawn in place once a second."""

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

from gossamer.cli.crawl.describe_topic_page import describe_topic_page
from gossamer.cli.crawl.time_left import LongestQueue, TimeLeft
from gossamer.cli.output.tables import clean_text, style_line
from gossamer.cli.output.wording import (
    count_causes,
    count_waiting,
    format_bytes,
    format_count,
    format_duration,
)
from gossamer.crawl.events import Notice, PageVisited, Progress, TopicFound, TrapFound
from gossamer.crawl.run.background import ObservedTask
from gossamer.errors import GossamerError

_BAR_WIDTH = 24
_NAME_WIDTH = 12
_CAUSES_SHOWN = 6
_DEPTHS_SHOWN = 8
# Counting the waiting links takes some 0.2 s a million, in a thread beside the crawl.
_MOST_COUNTED = 5_000_000
_COUNT_EVERY_S = 5.0


class LiveDisplay:
    """Receives the events of a crawl and draws its state."""

    def __init__(
        self,
        console: Console,
        title: str,
        count_queue: Callable[[], dict[int, int]],
        find_longest: Callable[[], LongestQueue] = LongestQueue,
    ) -> None:
        self._console = console
        self._title = title
        self._count_queue = count_queue
        self._queued: dict[int, int] = {}
        self._find_longest = find_longest
        self._longest = LongestQueue()
        self._time_left = TimeLeft()
        self._counting: threading.Thread | None = None
        self._count_again_s = 0.0
        self._tasks: Sequence[ObservedTask] = ()
        self._depths: Counter[int] = Counter()
        self._last = ""
        # The thread of the crawl redraws it when there is something new, so it needs no thread of its own.
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "LiveDisplay":
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def attach(self, tasks: Sequence[ObservedTask]) -> None:
        """Show the progress of these tasks against their current limits."""
        self._tasks = tasks

    def show_event(self, event: object) -> None:
        """Take in an event; each `Progress` redraws the display."""
        match event:
            case PageVisited():
                self._depths[event.depth] += 1
                self._last = event.url
            case Progress():
                self._start_count(event)
                self._time_left.add(event)
                self._live.update(self._render(event), refresh=True)
            case TrapFound():
                self._console.print(style_line(f"trap: {event.reason}: {event.pattern}"))
            case TopicFound():
                self._console.print(style_line(describe_topic_page(event)))
            case Notice():
                self._console.print(style_line(event.text))

    def _start_count(self, progress: Progress) -> None:
        """Count waiting links by depth in a thread, since that reads all of them."""
        waiting = sum(map(count_waiting, progress.counts.values()))
        idle = self._counting is None or not self._counting.is_alive()
        if idle and waiting <= _MOST_COUNTED and progress.when_s >= self._count_again_s:
            self._count_again_s = progress.when_s + _COUNT_EVERY_S
            self._counting = threading.Thread(target=self._count, daemon=True)
            self._counting.start()

    def _count(self) -> None:
        with suppress(GossamerError):  # the display can do without
            self._longest = self._find_longest()
            self._queued = self._count_queue()

    def _render(self, progress: Progress) -> RenderableType:
        counts = Counter[str]()
        for of_task in progress.counts.values():
            counts.update(of_task)
        facts = Table.grid(padding=(0, 2), expand=True)
        facts.add_column(style="dim", width=_NAME_WIDTH, no_wrap=True)
        facts.add_column(ratio=1, overflow="ellipsis", no_wrap=True)
        for name, text in list_facts(progress, counts, self._depths, self._queued):
            facts.add_row(name, text)
        if left := self._time_left.describe(self._tasks, self._longest):
            facts.add_row("time left", style_line(left))
        facts.add_row("last", style_line(clean_text(self._last, 100)))
        # The last line is empty: the terminal prints ^C after it, and after a full line ^C would wrap into a line that
        # is never erased.
        return Group(style_line((self._title, "bold")), *self._render_limits(progress.when_s), facts, Text())

    def _render_limits(self, now_s: float) -> list[RenderableType]:
        shown = Table.grid(padding=(0, 2))
        for task in self._tasks:
            for done, limit, text in list_limits(task, now_s):
                bar = ProgressBar(total=limit, completed=min(done, limit), width=_BAR_WIDTH)
                shown.add_row(style_line(clean_text(task.name, 30)), bar, text)
        return [shown] if shown.rows else []


def list_limits(task: ObservedTask, now_s: float) -> list[tuple[float, float, str]]:
    """Return the progress of a task towards each of its limits: done, limit, and both as text."""
    limits, tally = task.spec.limits, task.tally
    found: list[tuple[float, float, str]] = []
    if limits.pages:
        text = f"{tally['downloaded']:,} of {format_count(limits.pages, 'page')}"
        found.append((tally["downloaded"], limits.pages, text))
    if limits.body_bytes:
        text = f"{format_bytes(tally['bytes'])} of {format_bytes(limits.body_bytes)}"
        found.append((tally["bytes"], limits.body_bytes, text))
    if limits.time_s:
        elapsed_s = task.elapsed_s(now_s)
        found.append(
            (elapsed_s, limits.time_s, f"{format_duration(elapsed_s)} of {format_duration(limits.time_s)}")
        )
    return found


def list_facts(
    progress: Progress, counts: Counter[str], depths: Mapping[int, int], queued: Mapping[int, int]
) -> list[tuple[str, RenderableType]]:
    """Return the lines of the display: speed, hosts, waiting links, results of visits."""
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
        ("queue", _format_depths(queued)),
        ("visited", _format_depths(depths)),
        ("trouble", " · ".join(ended)),
        ("not followed", " · ".join(filtered)),
    ]
    return [(name, style_line(text)) for name, text in rows if text]


def _format_depths(numbers: Mapping[int, int]) -> str:
    deepest = sorted(numbers)[-_DEPTHS_SHOWN:]
    return " · ".join(f"{numbers[depth]:,} at depth {depth}" for depth in deepest)
