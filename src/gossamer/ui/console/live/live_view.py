"""What the live page shows of a snapshot: sentences, tables and sums, ready for its template."""

import msgspec

from gossamer.crawl.status.status_records import CrawlStatus, HostStatus, TaskStatus, VisitUnderWay
from gossamer.printable_text import clean_text, format_bytes, format_duration
from gossamer.ui.console.live.count_sums import CountSums, make_sums
from gossamer.ui.console.live.crawl_watch import CrawlSnapshot

_VISITS_SHOWN = 20
_NOTICES_SHOWN = 5
_TASKS_SHOWN = 30
_STEPS = {
    "dns": "looks up its host",
    "robots": "asks for robots.txt",
    "fetch": "is fetched",
    "web": "reads its stored copy",
    "document": "is read as a document",
    "function": "is in a function of yours",
    "work": "is worked on",
}
_SHORT_S = 10.0


class VisitRow(msgspec.Struct, frozen=True):
    """A page that is being fetched or read."""

    url: str
    step: str
    time: str
    """How long it has taken so far."""
    shard: str


class HostRow(msgspec.Struct, frozen=True):
    """A host, as a line of a table."""

    name: str
    waiting: int
    under_way: int
    pause: str
    next_turn: str
    failures: int
    address: str


class TaskRow(msgspec.Struct, frozen=True):
    """A task, as a line of a table."""

    number: int
    name: str
    state: str
    pages: int
    expected: int
    """How many pages it will have in the end; 0 if that is not known."""
    rate: str
    waiting: int
    time_left: str
    why: str


class LiveView(msgspec.Struct, frozen=True):
    """Everything that changes on the live page."""

    task: int
    headline: str
    details: str
    stall: str
    tasks: tuple[TaskRow, ...]
    more_tasks: int
    visits: tuple[VisitRow, ...]
    more_visits: int
    hosts: tuple[HostRow, ...]
    sums: CountSums
    notices: tuple[tuple[float, str], ...]
    point: dict[str, float]
    """The newest point of each curve."""


def make_view(snapshot: CrawlSnapshot, task: int) -> LiveView:
    """Return what the live page shows of one task, or of all for 0."""
    status = snapshot.status
    chosen = [one for one in status.tasks if task in (0, one.note.number)]
    visits = sorted(
        (visit for shard in status.shards for visit in shard.visits if task in (0, visit.task)),
        key=lambda visit: visit.since_s,
    )
    under_way = max(sum(one.under_way for one in chosen), len(visits))
    rows = sorted(status.tasks, key=lambda one: (not one.active, -one.note.number))
    return LiveView(
        task,
        _make_headline(status, chosen),
        _make_details(status, chosen, under_way),
        status.stall,
        tuple(_describe_task(one) for one in rows[:_TASKS_SHOWN]),
        len(rows[_TASKS_SHOWN:]),
        tuple(_describe_visit(visit, status.when_s) for visit in visits[:_VISITS_SHOWN]),
        max(0, under_way - len(visits[:_VISITS_SHOWN])),
        tuple(describe_host(host, status.when_s) for host in snapshot.get_hosts(task)),
        make_sums(chosen),
        _list_notices(status),
        _make_point(status, chosen),
    )


def _make_headline(status: CrawlStatus, tasks: list[TaskStatus]) -> str:
    if not status.tasks:
        return "Nothing has been crawled yet"
    if not status.running:
        return "No crawl is running"
    rate = sum(one.pages_per_s for one in tasks)
    return f"{format_rate(rate)} pages/s"


def format_rate(rate: float) -> str:
    """Return a rate with as many digits as help: 123, 4.5."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def _make_details(status: CrawlStatus, tasks: list[TaskStatus], under_way: int) -> str:
    if not status.running:
        return ""
    parts = [f"{format_bytes(sum(one.bytes_per_s for one in tasks))}/s", f"{under_way:,} under way"]
    parts.append(f"{sum(one.waiting for one in tasks):,} waiting")
    if len(status.shards) > 1:
        parts.append(f"{len(status.shards)} processes")
    parts += list_limits(status, tasks)
    return " · ".join(parts)


def list_limits(status: CrawlStatus, tasks: list[TaskStatus]) -> list[str]:
    """Return what bounds the crawl: its connections, with the reason for their number, and its bandwidth."""
    numbers = [shard.connections for shard in status.shards if shard.connections]
    parts = [f"{sum(numbers):,} connections"] if len(numbers) > 1 else []
    if len(numbers) == 1:
        parts = [clean_text(shard.connections_why, 200) for shard in status.shards if shard.connections]
    chosen = {one.note.number for one in tasks}
    limits = {text for shard in status.shards for number, text in shard.bandwidth.items() if number in chosen}
    return parts + [f"at most {clean_text(text, 200)}" for text in sorted(limits) if text]


def _describe_task(task: TaskStatus) -> TaskRow:
    note, forecast = task.note, task.forecast
    state: str = note.state if note.state != "running" or task.active else "interrupted"
    if note.reason and note.state != "running":
        state = f"{state}: {clean_text(note.reason)}"
    return TaskRow(
        note.number,
        clean_text(note.name),
        state,
        note.counts.get("downloaded", 0),
        forecast.pages if forecast else 0,
        f"{format_rate(task.pages_per_s)}/s" if task.active else "",
        task.waiting,
        _format_time_left(forecast.left_s, forecast.least_s, forecast.most_s) if forecast else "",
        clean_text(forecast.why) if forecast else "",
    )


def _format_time_left(left_s: float, least_s: float, most_s: float) -> str:
    """Return the time left with its uncertainty: "about 12:30 (8:00 to 20:10)"."""
    if format_duration(least_s) == format_duration(most_s):
        return f"about {format_duration(left_s)}"
    return f"about {format_duration(left_s)} ({format_duration(least_s)} to {format_duration(most_s)})"


def _describe_visit(visit: VisitUnderWay, now_s: float) -> VisitRow:
    so_far_s = max(0.0, now_s - visit.since_s)
    time = f"{so_far_s:.1f} s" if so_far_s < _SHORT_S else f"{so_far_s:,.0f} s"
    return VisitRow(visit.url, _STEPS.get(visit.step, clean_text(visit.step)), time, clean_text(visit.shard))


def describe_host(host: HostStatus, now_s: float) -> HostRow:
    """Return a host as a line of a table."""
    left_s = host.next_turn_s - now_s
    turn = (
        "now"
        if left_s <= 0
        else f"in {left_s:.1f} s"
        if left_s < _SHORT_S
        else f"in {format_duration(left_s)}"
    )
    if not host.waiting and not host.under_way:
        turn = "–" if left_s <= 0 else turn
    return HostRow(
        host.name, host.waiting, host.under_way, f"{host.pause_s:.3g} s", turn, host.failures, host.address
    )


def _list_notices(status: CrawlStatus) -> tuple[tuple[float, str], ...]:
    told = sorted((notice for shard in status.shards for notice in shard.notices), reverse=True)
    return tuple((when_s, clean_text(text, 300)) for when_s, text in told[:_NOTICES_SHOWN])


def _make_point(status: CrawlStatus, tasks: list[TaskStatus]) -> dict[str, float]:
    return {
        "when_s": status.when_s,
        "pages": sum(one.pages_per_s for one in tasks),
        "bytes": sum(one.bytes_per_s for one in tasks),
        "failed_so_far": sum(one.failed for one in tasks),
        "waiting": sum(one.waiting for one in tasks),
    }
