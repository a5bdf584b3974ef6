"""What a schedule says: webs, entries, and the ways to tell what is new."""

from typing import Annotated, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from gossamer.schedule.rules.due_times import Rule

Action = Literal[
    "crawl",
    "resume",
    "recrawl",
    "check",
    "index",
    "hot",
    "search",
    "watch",
    "themes",
    "verify",
    "export",
    "mirror",
    "backup",
    "forget",
]
Missed = Literal["once", "skip"]
Security = Literal["starttls", "tls", "none"]
Channel = Literal["mail", "feed", "webhook", "command"]
CHANNELS: tuple[Channel, ...] = ("mail", "feed", "webhook", "command")


class Mail(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How mail is sent."""

    to: Annotated[tuple[str, ...], Meta(min_length=1)]
    sender: str = msgspec.field(name="from")
    server: str
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """0 takes the usual one: 587, or 465 for `tls`, or 25 for `none`."""
    security: Security = "starttls"
    user: str = ""
    password_file: str = ""
    password_variable: str = ""
    """The name of the environment variable with the password."""
    ca_file: str = ""
    """Certificates of authorities that the mail server is checked with, beside those of the system."""


class WrittenEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry as it stands in the file."""

    name: Annotated[str, Meta(pattern=r"^[\w.-]{1,60}$")]
    web: str
    do: Action
    when: str
    task: str = ""
    query: str = ""
    arguments: tuple[str, ...] = ()
    sitemap: str = ""
    look_every: str = "1 hour"
    time_zone: str = ""
    missed: Missed | None = None
    longest: str = ""
    tries: Annotated[int, Meta(ge=1, le=20)] = 3
    tell: tuple[Channel, ...] | None = None


class WrittenSchedule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A schedule as it stands in its file."""

    webs: dict[str, str]
    entries: Annotated[tuple[WrittenEntry, ...], Meta(min_length=1)]
    time_zone: str = "UTC"
    missed: Missed = "once"
    longest: str = "24 hours"
    at_once: Annotated[int, Meta(ge=1, le=64)] = 2
    grace: str = "90 seconds"
    serve: bool = False
    serve_arguments: tuple[str, ...] = ()
    contact: str = ""
    mail: Mail | None = None
    feed: str = ""
    webhook: str = ""
    command: tuple[str, ...] = ()
    allow_private: tuple[str, ...] = ()


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that was checked, with its rule read."""

    name: str
    web: str
    """The name of its web in the schedule."""
    do: Action
    when: str
    rule: Rule
    zone: ZoneInfo
    written: WrittenEntry
    missed: Missed
    longest_s: float
    look_every_s: float
    tries: int
    tell: tuple[Channel, ...]

    @property
    def key(self) -> str:
        """What the journal compares: a change of it begins a new count of due times."""
        return f"{self.when}\n{self.zone.key}\n{self.written.sitemap}"


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule that was checked."""

    webs: dict[str, str]
    """Folder or address, by name."""
    entries: dict[str, Entry]
    at_once: int
    """So many runs at the same time, at most."""
    grace_s: float
    """So long what runs may take to stop."""
    written: WrittenSchedule
