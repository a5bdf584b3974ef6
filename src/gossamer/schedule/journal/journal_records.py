"""What the journal holds: runs, missed runs, events of the runner, and notices that are still to be told."""

from typing import Literal

import msgspec

State = Literal["waiting", "running", "done", "failed"]
NoticeState = Literal["waiting", "sent", "given up"]


class Run(msgspec.Struct, frozen=True):
    """A run that was due, or that a person asked for."""

    number: int
    entry: str
    due_s: float
    state: State
    asked_by: str = ""
    """Who asked for it; "" if it was due by its rule."""
    tries: int = 0
    """How often it was started."""
    began_s: float = 0.0
    ended_s: float = 0.0
    not_before_s: float = 0.0
    code: int = 0
    why: str = ""
    """Why it failed, or was interrupted."""
    news: int = 0
    """How much new it has brought."""


class MissedRuns(msgspec.Struct, frozen=True):
    """Moments at which an entry was due and did not run, and why."""

    number: int
    entry: str
    first_s: float
    last_s: float
    times: int
    why: str
    told_s: float = 0.0


class JournalEvent(msgspec.Struct, frozen=True):
    """Something that happened to the runner: it began, ended, or the clock jumped."""

    when_s: float
    text: str


class NewsItem(msgspec.Struct, frozen=True):
    """One thing that a run found."""

    key: str
    """Tells it from others; an item with a known key is not new."""
    title: str
    url: str = ""


class News(msgspec.Struct, frozen=True):
    """What a run found, as its process wrote it down."""

    summary: str = ""
    items: tuple[NewsItem, ...] = ()
    remember: bool = True
    """Whether items that were found before are left out."""
    first_is_new: bool = True
    """Whether the items of the very first run are told."""


class Notice(msgspec.Struct, frozen=True):
    """Something that is to be told on one channel."""

    number: int
    id: str
    channel: str
    entry: str
    subject: str
    text: str
    items: tuple[NewsItem, ...]
    created_s: float
    state: NoticeState = "waiting"
    tries: int = 0
    next_s: float = 0.0
    why: str = ""
    """Why it could not be told the last time."""


class EntryState(msgspec.Struct, frozen=True):
    """How far the due times of an entry have been dealt with."""

    name: str
    key: str
    upto_s: float
