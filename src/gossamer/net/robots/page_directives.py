"""What a page asks of robots: its robots meta tags and the X-Robots-Tag headers it came with."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from gossamer.net.dates import parse_date
from gossamer.net.robots.user_agent import product_token

_GENERAL = ("robots", "*")
_SEPARATOR = re.compile(r"[,;]")
_SCOPE = re.compile(r"\s*([A-Za-z_][\w.-]*|\*)\s*:(.*)", re.DOTALL)
_VALUED = re.compile(
    r"\s*(unavailable_after|max-snippet|max-image-preview|max-video-preview)\s*[:\s](.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?\d{1,9}")
_MAX_CHARS = 65_536
"""More than this in one tag or header is no longer read: it costs time and no honest page has it."""

# What each word forbids; `index`, `follow`, `all` and unknown words forbid nothing.
_FORBIDS: dict[str, tuple[str, ...]] = {
    "noindex": ("index",),
    "nofollow": ("follow",),
    "none": ("index", "follow"),
    "noarchive": ("archive",),
    "nocache": ("archive",),
    "nosnippet": ("snippet",),
    "noimageindex": ("image_index",),
}

_REVISIT = re.compile(r"(\d{1,6})\s*([a-z]*)\.?")
_DAY_S = 86_400.0
_UNIT_S = {
    "hour": _DAY_S / 24,
    "day": _DAY_S,
    "week": 7 * _DAY_S,
    "month": 30 * _DAY_S,
    "year": 365 * _DAY_S,
}
_UNIT_NAMES = {
    "": "day",
    "h": "hour",
    "std": "hour",
    "stunde": "hour",
    "stunden": "hour",
    "tag": "day",
    "tage": "day",
    "woche": "week",
    "wochen": "week",
    "monat": "month",
    "monate": "month",
    "jahr": "year",
    "jahre": "year",
} | {name + end: name for name in _UNIT_S for end in ("", "s")}
_FREQUENCIES = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
_MAX_REVISIT_S = 10 * _UNIT_S["year"]


class Directives(msgspec.Struct, frozen=True):
    """What may be done with a page. Without any tag all is allowed."""

    index: bool = True
    follow: bool = True
    archive: bool = True
    snippet: bool = True
    image_index: bool = True
    max_snippet_chars: int | None = None
    """None where no limit is given; 0 forbids the snippet."""
    unavailable_after: datetime | None = None
    """From when on the page shall not be shown, with time zone."""
    revisit_after_s: float | None = None
    """How long the page asks to wait before it is fetched again."""


def directives(
    meta: Iterable[tuple[str, str]],
    headers: Mapping[str, Any] | Iterable[tuple[Any, Any]] | None = None,
    agent: str = "",
) -> Directives:
    """Read the tags (name, content) and headers that speak to all robots or to this agent.

    What is general and what names the agent add up, and the most restrictive wins, as Google documents it:
    `noindex` anywhere forbids indexing whatever else says `index` or `all`; of several limits the smallest
    counts, of several dates the earliest. Headers come as a mapping (to a value or a list of values) or as
    pairs; one header may hold parts for several agents, each begun by `name:`. A word that is not known, or
    a date that is none, asks for nothing. The first `revisit-after` that makes sense counts.
    """
    token = product_token(agent)
    found = _Found()
    for name, content in meta:
        name, content = str(name).strip().lower(), str(content)[:_MAX_CHARS]
        if name in _GENERAL or (token and name == token):
            found.add(_SEPARATOR.split(content))
        elif name == "revisit-after" and found.revisit_after_s is None:
            found.revisit_after_s = _revisit_after_s(content)
    for value in _tag_values(headers):
        for scope, items in _by_scope(value):
            if scope in _GENERAL or (token and scope == token):
                found.add(items)
    return found.summary()


class _Found:
    """What the tags read so far forbid."""

    def __init__(self) -> None:
        self.forbidden: set[str] = set()
        self.limits: list[int] = []
        self.dates: list[datetime] = []
        self.revisit_after_s: float | None = None

    def add(self, items: list[str]) -> None:
        """Add the words and values of one tag."""
        for at, item in enumerate(items):
            if valued := _VALUED.fullmatch(item):
                self._add_value(valued[1].lower(), valued[2], items[at + 1 : at + 2])
            else:
                for word in item.lower().split():
                    self.forbidden.update(_FORBIDS.get(word, ()))

    def _add_value(self, name: str, value: str, following: list[str]) -> None:
        """Add a limit or a date; "Friday, 25 Jun 2030" was cut at its comma and is put together again."""
        if name == "unavailable_after":
            date = parse_date(value) or parse_date(",".join([value, *following]))
            self.dates += [date] if date else []
        elif name == "max-snippet" and _NUMBER.fullmatch(value.strip()):
            self._add_limit(int(value))

    def _add_limit(self, chars: int) -> None:
        """Add a limit of characters; -1 sets none, and 0 means no snippet."""
        if chars >= 0:
            self.limits.append(chars)
        if chars == 0:
            self.forbidden.add("snippet")

    def summary(self) -> Directives:
        """Put together what holds."""
        return Directives(
            **dict.fromkeys(self.forbidden, False),
            max_snippet_chars=min(self.limits, default=None),
            unavailable_after=min(self.dates, default=None),
            revisit_after_s=self.revisit_after_s,
        )


def _tag_values(headers: Mapping[str, Any] | Iterable[tuple[Any, Any]] | None) -> Iterator[str]:
    """Yield the value of every X-Robots-Tag header."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers or ()
    for name, value in pairs:
        if _text(name).strip().lower() == "x-robots-tag":
            for one in value if isinstance(value, list | tuple) else (value,):
                yield _text(one)[:_MAX_CHARS]


def _text(value: object) -> str:
    """Return a header's name or value as text."""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _by_scope(value: str) -> Iterator[tuple[str, list[str]]]:
    """Split a header at the names of agents; what stands before the first is for all."""
    scope = "*"
    items: list[str] = []
    for item in _SEPARATOR.split(value):
        named = None if _VALUED.fullmatch(item) else _SCOPE.fullmatch(item)
        if named:
            yield scope, items
            scope, items, item = named[1].lower(), [], named[2]
        items.append(item)
    yield scope, items


def _revisit_after_s(content: str) -> float | None:
    """Read "7 days", "1 month", "14" (days) or "weekly"."""
    content = content.strip().lower()
    if content in _FREQUENCIES:
        return _UNIT_S[_FREQUENCIES[content]]
    found = _REVISIT.fullmatch(content)
    unit = _UNIT_NAMES.get(found[2]) if found else None
    if found is None or unit is None:
        return None
    wait_s = int(found[1]) * _UNIT_S[unit]
    return wait_s if 0 < wait_s <= _MAX_REVISIT_S else None
