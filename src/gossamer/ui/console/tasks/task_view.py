"""What the console shows of a task: its state in words, its counts, and the time left as a forecast."""

import time

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.status.status_records import CrawlStatus, Forecast, TaskStatus
from gossamer.crawl.steer.command_lines import make_command, make_stop_command, make_submit_command
from gossamer.crawl.steer.start_process import StartReport, read_start
from gossamer.web import Web

_SEEDS_SHOWN = 3
_LEFT = "its process ended; resume continues it"
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400
_STARTING_S = 30.0


class TaskView(msgspec.Struct, frozen=True):
    """A task as the console shows it."""

    number: int
    name: str
    state: str
    """running, starting, left, paused, stopped or finished."""
    reason: str
    seeds: tuple[str, ...]
    """The first start pages."""
    more_seeds: int
    depth: str
    waiting: int
    under_way: int
    kept: int
    failed: int
    refused: int
    filtered: int
    rate: str
    left: str
    """When it will have ended, with the uncertainty; "" if that is not known."""
    left_why: str
    created_s: float
    crawls: bool
    """Whether it has start pages: an import has none."""
    start: StartReport | None = None
    """The process that was started for it, if it says something."""
    share: float | None = None
    """How much of its page limit is done."""

    @property
    def can_stop(self) -> bool:
        """Whether there is something to stop."""
        return self.state in ("running", "starting", "left", "paused")

    @property
    def can_pause(self) -> bool:
        """Whether there is something to pause."""
        return self.state in ("running", "starting")

    @property
    def can_resume(self) -> bool:
        """Whether it can continue: a finished task only if a limit has left something."""
        left = self.state in ("left", "paused", "stopped") or (self.state == "finished" and self.waiting > 0)
        return self.crawls and left


class ConsoleView(msgspec.Struct, frozen=True):
    """All tasks of a web at one moment, the newest first."""

    running: bool
    stall: str
    tasks: list[TaskView]


def view_console(web: Web, status: CrawlStatus) -> ConsoleView:
    """Return the tasks of a web with this status."""
    tasks = [_view_task(web, one) for one in status.tasks]
    return ConsoleView(status.running, status.stall, sorted(tasks, key=lambda one: -one.number))


def view_task(web: Web, status: CrawlStatus, number: int) -> tuple[ConsoleView, TaskView, TaskStatus]:
    """Return one task; the status must have it."""
    (found,) = [one for one in status.tasks if one.note.number == number]
    view = _view_task(web, found)
    return ConsoleView(status.running, status.stall, [view]), view, found


def list_commands(web: Web, task: TaskView) -> dict[str, str]:
    """Return the command that does the same as each button."""
    number = str(task.number)
    return {
        "stop": make_stop_command(web.folder, task.number),
        "pause": make_stop_command(web.folder, task.number, pause=True),
        "resume": make_command(web.folder, "resume", number),
        "tasks": make_command(web.folder, "tasks"),
        "submit": make_submit_command(web.folder, task.number, ["URL"]),
        "withdraw": make_submit_command(web.folder, task.number, ["URL"], withdraw=True),
    }


def list_causes(found: TaskStatus) -> list[tuple[str, str, int]]:
    """Return why pages failed or were refused and links were not followed: the kind, the cause, how often."""
    listed = []
    for name, times in found.note.counts.items():
        kind, colon, cause = name.partition(":")
        if colon and times and kind in ("failed", "refused", "filtered"):
            listed.append((kind, cause, times))
    return sorted(listed, key=lambda one: (one[0], -one[2]))


def list_counts(found: TaskStatus) -> list[tuple[str, int]]:
    """Return the counts of a task that are not 0."""
    names = (
        "checked",
        "queued",
        "seen",
        "downloaded",
        "redirected",
        "cache hits",
        "not modified",
        "requisites",
    )
    counts = found.note.counts
    return [(name, counts[name]) for name in names if counts.get(name)]


def _view_task(web: Web, found: TaskStatus) -> TaskView:
    note = found.note
    spec = read_spec(note)
    start = read_start(web.folder, note.number)
    state, reason = _describe_state(found, start)
    seeds = (*spec.seeds, *spec.sitemaps)
    kept = note.counts.get("downloaded", 0)
    forecast = found.forecast
    return TaskView(
        note.number,
        note.name,
        state,
        reason,
        seeds[:_SEEDS_SHOWN],
        len(seeds[_SEEDS_SHOWN:]),
        _describe_depth(spec, found),
        found.waiting,
        found.under_way,
        kept,
        found.failed,
        found.refused,
        found.filtered,
        format_rate(found.pages_per_s) if state == "running" else "",
        format_forecast(forecast) if forecast else "",
        forecast.why if forecast else "",
        note.created_s,
        bool(seeds or spec.seed_files),
        start if start and start.said and not start.alive and not found.active else None,
        min(1.0, kept / spec.limits.pages) if spec.limits.pages else None,
    )


def _describe_state(found: TaskStatus, start: StartReport | None) -> tuple[str, str]:
    note = found.note
    if found.active:
        return "running", ""
    if start and start.alive and time.time() - start.when_s < _STARTING_S and not note.ended_s > start.when_s:
        return "starting", "its process is starting"
    return ("left", _LEFT) if note.state == "running" else (note.state, note.reason)


def _describe_depth(spec: TaskSpec, found: TaskStatus) -> str:
    limit = "no limit" if spec.limits.depth < 0 else f"limit {spec.limits.depth}"
    return f"{found.deepest} so far, {limit}" if found.waiting else limit


def format_rate(pages_per_s: float) -> str:
    """Return a rate in pages a second, or a minute if it is low."""
    if pages_per_s >= 10:
        return f"{pages_per_s:,.0f} pages/s"
    if pages_per_s >= 0.5 or not pages_per_s:
        return f"{pages_per_s:.1f} pages/s"
    return f"{60 * pages_per_s:.1f} pages/min"


def format_forecast(forecast: Forecast) -> str:
    """Return the time left with its uncertainty, as in 5 min (4 min to 9 min)."""
    left, least, most = map(format_time, (forecast.left_s, forecast.least_s, forecast.most_s))
    return left if least == most else f"{left} ({least} to {most})"


def format_time(time_s: float) -> str:
    """Return a duration with one or two units."""
    if time_s < _MINUTE_S:
        return f"{max(0.0, time_s):.0f} s"
    if time_s < _HOUR_S:
        return f"{time_s / _MINUTE_S:.0f} min"
    if time_s < _DAY_S:
        hours, minutes = divmod(round(time_s / _MINUTE_S), 60)
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{time_s / _DAY_S:.1f} days" if time_s < 10 * _DAY_S else f"{time_s / _DAY_S:,.0f} days"
