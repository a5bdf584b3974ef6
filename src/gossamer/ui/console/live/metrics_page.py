"""The state of a crawl as numbers for Prometheus, in its text format 0.0.4."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.status.status_records import CrawlStatus, TaskStatus
from gossamer.crawl.task_counts import RESULTS
from gossamer.errors import GossamerError
from gossamer.schedule.read_state import ScheduleView, read_state
from gossamer.ui.console.live.crawl_watch import read_recent_status
from gossamer.ui.page_context import get_context

_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_LABELLED = {"failed": "cause", "refused": "cause", "filtered": "rule"}
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})

Labels = Sequence[tuple[str, str]]


class Metric(msgspec.Struct, frozen=True):
    """A quantity with a value for each combination of labels."""

    name: str
    kind: str
    """counter or gauge."""
    help: str
    samples: Sequence[tuple[Labels, float]]


def send_metrics(request: Request) -> Response:
    """Send all metrics."""
    context = get_context(request)
    status = read_recent_status(request, context)
    metrics = [*list_metrics(status), *_read_schedule(context.schedule)]
    text = "".join(format_metric(metric) for metric in metrics)
    return Response(text.encode("utf-8", "replace"), media_type=_TYPE)


def list_metrics(status: CrawlStatus) -> Iterator[Metric]:
    """Yield what is known of all tasks, and of the processes that crawl."""
    tasks = [(_label(task), task) for task in status.tasks]
    yield Metric("gossamer_running", "gauge", "Whether any process crawls this web.", [((), status.running)])
    yield Metric(
        "gossamer_stalled", "gauge", "Whether no page comes though it should.", [((), bool(status.stall))]
    )
    yield Metric(
        "gossamer_processes", "gauge", "Processes or fetchers that crawl.", [((), len(status.shards))]
    )
    yield from _list_counters(tasks)
    yield from _list_gauges(tasks)
    yield Metric(
        "gossamer_oldest_visit_seconds",
        "gauge",
        "How long the oldest visit under way has taken so far.",
        [((), _find_oldest(status))],
    )


def _read_schedule(path: Path | None) -> list[Metric]:
    """Return the metrics of the schedule; none if there is none, or if it cannot be read at the moment."""
    if path is None:
        return []
    with suppress(GossamerError):
        return list(list_schedule_metrics(read_state(path, time.time())))
    return []


def list_schedule_metrics(state: ScheduleView) -> Iterator[Metric]:
    """Yield what is known of a schedule: its runner, and the runs of each entry."""
    yield Metric("gossamer_schedule_alive", "gauge", "Whether a runner works.", [((), state.alive)])
    entries = [((("entry", one.name), ("web", one.web)), one) for one in state.entries]
    for name in ("done", "failed", "missed"):
        samples = [(labels, float(one.counts.get(name, 0))) for labels, one in entries]
        yield Metric(f"gossamer_schedule_{name}_total", "counter", f"Runs: {name}.", samples)
    open_runs = [
        (labels, float(one.counts.get("waiting", 0) + one.counts.get("running", 0)))
        for labels, one in entries
    ]
    yield Metric("gossamer_schedule_open", "gauge", "Runs that wait or are under way.", open_runs)
    due = [(labels, one.next_s) for labels, one in entries if one.next_s is not None]
    yield Metric("gossamer_schedule_next_timestamp_seconds", "gauge", "When it is due next.", due)
    ended = [(labels, one.last.ended_s) for labels, one in entries if one.last is not None]
    yield Metric("gossamer_schedule_last_end_timestamp_seconds", "gauge", "When its last run ended.", ended)
    unsent = sum(notice.state == "waiting" for notice in state.notices)
    yield Metric("gossamer_schedule_untold", "gauge", "Notices that wait to be told.", [((), unsent)])


def _list_counters(tasks: Sequence[tuple[Labels, TaskStatus]]) -> Iterator[Metric]:
    for name, text in (
        ("checked", "Links checked."),
        ("queued", "Requests queued."),
        ("seen", "Links to pages seen before."),
    ):
        yield _count(f"gossamer_{name}_total", text, tasks, name)
    for name in RESULTS:
        yield _count(
            f"gossamer_{name.replace(' ', '_')}_total", f"Requests that ended so: {name}.", tasks, name
        )
    yield _count("gossamer_bytes_total", "Bytes of page bodies.", tasks, "bytes")
    for kind, label in _LABELLED.items():
        samples = [
            ((*labels, (label, name.partition(":")[2])), float(times))
            for labels, task in tasks
            for name, times in sorted(task.note.counts.items())
            if name.startswith(f"{kind}:")
        ]
        yield Metric(
            f"gossamer_{kind}_total", "counter", f"Links or requests that were {kind}, by {label}.", samples
        )


def _count(name: str, text: str, tasks: Sequence[tuple[Labels, TaskStatus]], count: str) -> Metric:
    return Metric(
        name, "counter", text, [(labels, float(task.note.counts.get(count, 0))) for labels, task in tasks]
    )


def _list_gauges(tasks: Sequence[tuple[Labels, TaskStatus]]) -> Iterator[Metric]:
    gauges = (
        ("waiting", "Requests that wait.", [(labels, task.waiting) for labels, task in tasks]),
        ("under_way", "Requests under way.", [(labels, task.under_way) for labels, task in tasks]),
        ("active", "Whether a process works on the task.", [(labels, task.active) for labels, task in tasks]),
        ("pages_per_second", "Pages a second.", [(labels, task.pages_per_s) for labels, task in tasks]),
        ("bytes_per_second", "Bytes a second.", [(labels, task.bytes_per_s) for labels, task in tasks]),
        (
            "time_left_seconds",
            "Expected time until the task ends.",
            [(labels, task.forecast.left_s) for labels, task in tasks if task.forecast],
        ),
    )
    for name, text, samples in gauges:
        yield Metric(f"gossamer_{name}", "gauge", text, [(labels, float(value)) for labels, value in samples])


def _label(task: TaskStatus) -> Labels:
    return (("task", str(task.note.number)), ("name", task.note.name))


def _find_oldest(status: CrawlStatus) -> float:
    begun_s = [visit.since_s for shard in status.shards for visit in shard.visits]
    return max(0.0, status.when_s - min(begun_s)) if begun_s else 0.0


def format_metric(metric: Metric) -> str:
    """Return the lines of a metric; none if it has no samples."""
    if not metric.samples:
        return ""
    lines = [f"# HELP {metric.name} {metric.help}", f"# TYPE {metric.name} {metric.kind}"]
    lines += [f"{metric.name}{_format_labels(labels)} {float(value)!r}" for labels, value in metric.samples]
    return "\n".join(lines) + "\n"


def _format_labels(labels: Iterable[tuple[str, str]]) -> str:
    written = ",".join(f'{name}="{value.translate(_ESCAPES)}"' for name, value in labels)
    return f"{{{written}}}" if written else ""


ROUTES = (Route("/metrics", send_metrics),)
