"""The parameters and answers of the console's API."""

from typing import Literal

import msgspec

from gossamer.crawl.status.status_records import (
    CountedDocument,
    Forecast,
    HostStatus,
    TaskStatus,
    VisitUnderWay,
)


class TaskParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of the status."""

    task: int = 0
    """The number of a task; 0 for all."""


class HostParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of the hosts."""

    task: int = 0
    """Only hosts at which requests of this task wait; 0 for all."""
    order: Literal["waiting", "pause", "failures", "turn", "name"] = "waiting"
    """The column that is sorted by."""
    name: str = ""
    """Only hosts whose names contain this."""
    page: int = 1
    """A hundred hosts each, from 1."""


class HistoryParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of the counts over time."""

    task: int | Literal[""] = 0
    """The number of a task; 0 for all."""
    span: Literal["10m", "1h", "1d", "all"] = "10m"
    """The last ten minutes, hour or day, or everything."""


class DocumentParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of the documents behind a count."""

    task: int
    """The number of a task."""
    count: str
    """The name of a count: failed:404, refused:robots, filtered:exclude, downloaded, waiting …"""
    after: int = 0
    """The `next_after` of the page before."""
    most: int = 100
    """How many to return, at most 1,000."""


class ExplainParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of the story of a URL."""

    url: str
    """Any URL, whether it is in the web or not."""


class TaskSummary(msgspec.Struct, frozen=True):
    """The state of a task, and its counts."""

    number: int
    name: str
    state: str
    reason: str
    active: bool
    """Whether a process works on it."""
    waiting: int
    under_way: int
    pages_per_s: float
    bytes_per_s: float
    counts: dict[str, int]
    """checked, queued, seen, filtered:RULE, downloaded, cache hits, redirected, refused:CAUSE, failed:CAUSE …"""
    forecast: Forecast | None = None


class ConsoleStatus(msgspec.Struct, frozen=True):
    """Everything about the crawls of a web at one moment."""

    when_s: float
    running: bool
    """Whether any process crawls this web."""
    stall: str
    """Why no page comes, in one sentence; "" if pages come, or if nothing runs."""
    tasks: list[TaskSummary]
    visits: list[VisitUnderWay]
    """The oldest visits under way, oldest first."""


class HostList(msgspec.Struct, frozen=True):
    """A page of hosts."""

    hosts: list[HostStatus]
    page: int
    is_last: bool


class CountedDocuments(msgspec.Struct, frozen=True):
    """Some documents behind a count."""

    documents: list[CountedDocument]
    next_after: int
    """Ask again with this as `after`; 0 at the end."""
    remark: str = ""


def summarise_task(task: TaskStatus) -> TaskSummary:
    """Return the state of a task without its settings, which may name what only its owner should know."""
    note = task.note
    return TaskSummary(
        note.number,
        note.name,
        note.state,
        note.reason,
        task.active,
        task.waiting,
        task.under_way,
        task.pages_per_s,
        task.bytes_per_s,
        note.counts,
        task.forecast,
    )
