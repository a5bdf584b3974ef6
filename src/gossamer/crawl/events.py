"""What happens in a crawl, for whoever watches: the live display, `--json`, listeners."""

from collections.abc import Callable
from typing import Any

import msgspec


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """Something happened at this time."""

    when_s: float


class PageVisited(Event, frozen=True, tag="page"):
    """A request came to its end."""

    task: str
    url: str
    result: str
    status: int = 0
    cause: str = ""
    body_bytes: int = 0
    took_s: float = 0.0
    depth: int = 0
    title: str = ""


class TrapFound(Event, frozen=True, tag="trap"):
    """A family of URLs is not worth following."""

    task: str
    reason: str
    pattern: str


class Progress(Event, frozen=True, tag="progress"):
    """How the crawl stands; sent once a second."""

    counts: dict[str, dict[str, int]]
    """By task."""
    hosts: dict[str, int]
    pages_per_s: float
    bytes_per_s: float


class Notice(Event, frozen=True, tag="notice"):
    """Something that a person should know: a stall, a full disk, a restart."""

    text: str


class TaskEnded(Event, frozen=True, tag="end"):
    """A task has ended, and why."""

    task: str
    state: str
    reason: str
    counts: dict[str, int]


Watcher = Callable[[Any], None]
"""Hears every event. Must be quick. That the crawl itself is held up is told from another thread."""
