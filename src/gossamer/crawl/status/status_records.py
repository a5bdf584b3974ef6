"""What is known of a crawl, wherever it runs: its tasks, the visits under way, its hosts, and its counts over time."""

import msgspec

from gossamer.store.batch import TaskNote


class VisitUnderWay(msgspec.Struct, frozen=True):
    """A page that is being fetched or read at this moment."""

    url: str
    host: str
    task: int
    step: str
    """What it waits for, as `crawl.loop.visit_step` names it: dns, robots, fetch, document, function …"""
    since_s: float
    """When the visit began, as Unix time."""
    shard: str = ""
    """The process or fetcher that makes it; "" if there is only one."""


class ShardStatus(msgspec.Struct, frozen=True):
    """What one process or fetcher says about itself, about once a second."""

    name: str
    when_s: float
    """When it said so, by the clock of its machine."""
    visits: list[VisitUnderWay] = []
    """The oldest visits under way; at most some hundreds are listed."""
    under_way: dict[int, int] = {}
    """How many visits of each task are under way."""
    pages_per_s: float = 0.0
    bytes_per_s: float = 0.0
    hosts: dict[str, int] = {}
    """How many hosts are ready, in their pause, being asked …"""
    stall: str = ""
    """Why it has stalled, in one sentence; "" if it has not."""
    notices: list[tuple[float, str]] = []
    """The newest messages for people, oldest first, each with its time."""
    rates: dict[int, tuple[float, float]] = {}
    """Pages and bytes a second of each task, over the last seconds."""
    turns: dict[str, tuple[float, float]] = {}
    """When each of its hosts may be asked again, and its pause between two requests; at most some hundreds are listed."""
    process: int = 0
    connections: int = 0
    """How many pages it fetches at the same time at most."""
    connections_why: str = ""
    """That number and why it is this one, in a sentence."""
    bandwidth: dict[int, str] = {}
    """The bandwidth limits that hold now, by task, in a few words."""
    place: str = ""
    """The machine, or the part of it, in which `process` is the number of a process."""


class Forecast(msgspec.Struct, frozen=True):
    """When a task will have ended, with its uncertainty."""

    left_s: float
    least_s: float
    most_s: float
    """It ends between these with a probability of four fifths."""
    pages: int
    """How many pages it will have kept by then."""
    why: str
    """What decides, in a few words: the page limit, the time limit, what waits and what is still found."""


class TaskStatus(msgspec.Struct, frozen=True):
    """The state of a task, and its counts in one snapshot of the store."""

    note: TaskNote
    active: bool
    """Whether a process works on it; a task that is `running` and not active was left by a process that died."""
    waiting: int
    """Requests that wait, in queues and inboxes, without those under way."""
    under_way: int
    """Visits that the shards report, at most as many as requests are left: the store may be a moment ahead of a report."""
    failed: int
    refused: int
    filtered: int
    deepest: int
    """The greatest depth of a waiting request."""
    pages_per_s: float = 0.0
    bytes_per_s: float = 0.0
    forecast: Forecast | None = None
    """None if it has ended, or if too little is known."""
    in_inboxes: int = 0
    """How many of the waiting requests are in inboxes. `note.counts` has them among those checked and queued."""


class CrawlStatus(msgspec.Struct, frozen=True):
    """Everything about the crawls of a web at one moment."""

    when_s: float
    running: bool
    """Whether any process crawls this web."""
    stall: str
    """Why no page comes, in one sentence; "" if pages come, or if nothing runs."""
    tasks: list[TaskStatus]
    shards: list[ShardStatus]


class HostStatus(msgspec.Struct, frozen=True):
    """A host of a crawl."""

    name: str
    waiting: int
    """Requests of all tasks that wait for it."""
    under_way: int
    pause_s: float
    """The pause between two requests."""
    next_turn_s: float
    """When it may be asked again, as Unix time; 0 for at once."""
    failures: int
    """Failed requests in a row."""
    address: str = ""


class CountHistory(msgspec.Struct, frozen=True):
    """Counts over time, as columns of equal length: what happened in the time that ends at each moment."""

    when_s: list[float]
    pages: list[int]
    bytes: list[int]
    failed: list[int]
    waiting: list[int]
    """How many requests waited at each moment."""


class CountedDocument(msgspec.Struct, frozen=True):
    """A URL behind a count: one that failed, was refused, was not followed, was kept, waits …"""

    url: str
    page: int
    """Its page id."""
    when_s: float
    status: int = 0
    detail: str = ""
