"""The events of a crawl, for the live display, `--json` and listeners."""

from collections.abc import Callable
from typing import Any

import msgspec


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """Something happened at this time."""

    when_s: float


class PageVisited(Event, frozen=True, tag="page"):
    """A request was finished."""

    task: str
    url: str
    result: str
    status: int = 0
    cause: str = ""
    body_bytes: int = 0
    took_s: float = 0.0
    depth: int = 0
    title: str = ""
    host: str = ""
    request: int = 0
    """The number of the request, as the state of the web has it."""


class TrapFound(Event, frozen=True, tag="trap"):
    """A spider trap was found: a family of URLs that is no longer followed."""

    task: str
    reason: str
    pattern: str


class TopicFound(Event, frozen=True, tag="topic"):
    """A page is about a topic that its task looks out for."""

    task: str
    topic: str
    url: str
    title: str = ""
    relevance: float = 0.0
    """The probability that it is about the topic."""


class Progress(Event, frozen=True, tag="progress"):
    """The state of the crawl; sent once a second."""

    counts: dict[str, dict[str, int]]
    """By task."""
    hosts: dict[str, int]
    pages_per_s: float
    bytes_per_s: float


class Notice(Event, frozen=True, tag="notice", omit_defaults=True):
    """A message for people: a stall, a full disk, a restart."""

    text: str
    is_trouble: bool = True
    """Whether something is wrong, as the log distinguishes it."""


class LogLine(Event, frozen=True, tag="log"):
    """A line for the log alone: what a visit waits for, a batch that was written."""

    category: str
    level: int
    text: str
    task: str = ""
    host: str = ""
    request: int = 0
    url: str = ""


class TaskEnded(Event, frozen=True, tag="end"):
    """A task has ended, and why."""

    task: str
    state: str
    reason: str
    counts: dict[str, int]


Watcher = Callable[[Any], None]
"""Receives every event. It must be quick. A notice that the event loop is blocked comes from another thread."""
