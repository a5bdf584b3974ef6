"""Reads the robots meta tags of a page and its X-Robots-Tag headers."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from gossamer.net.dates import parse_date
from gossamer.net.robots.match_user_agent import find_agent_name

_GENERAL = ("robots", "*")
_SEPARATOR = re.compile(r"[,;]")
_SCOPE = re.compile(r"\s*([A-Za-z_][\w.-]*|\*)\s*:(.*)", re.DOTALL)
_VALUED = re.compile(
    r"\s*(unavailable_after|max-snippet|max-image-preview|max-video-preview)\s*[:\s](.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?\d{1,9}")
_MAX_CHARS = 65_536
"""The rest of a longer tag or header is ignored: it costs time, and no honest page has it."""

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
    """What may be done with a page. Without any tag, everything is allowed."""

    index: bool = True
    follow: bool = True
    archive: bool = True
    snippet: bool = True
    image_index: bool = True
    max_snippet_chars: int | None = None
    """None where no limit is given; 0 forbids the snippet."""
    unavailable_after: datetime | None = None
    """From when on the page must not be shown, with time zone."""
    revisit_after_s: float | None = None
    """How long the page asks to wait before it is fetched again."""


def directives(
    meta: Iterable[tuple[str, str]],
    headers: Mapping[str, Any] | Iterable[tuple[Any, Any]] | None = None,
    agent: str = "",
) -> Directives:
    """Read the tags (name, content) and headers that apply to all robots or to this agent.

    General directives and those for the agent are combined, and the most restrictive wins, as Google documents:
    `noindex` anywhere forbids indexing, even if another directive is `index` or `all`; of several limits the smallest
    counts, of several dates the earliest. Headers are a mapping (to a value or a list of values) or pairs; one header
    may have parts for several agents, each after `name:`. Unknown words and invalid dates have no effect. The first
    valid `revisit-after` counts.
    """
    own_name = find_agent_name(agent)
    found = _DirectiveList()
    for name, content in meta:
        name, content = str(name).strip().lower(), str(content)[:_MAX_CHARS]
        if name in _GENERAL or (own_name and name == own_name):
            found.add(_SEPARATOR.split(content))
        elif name == "revisit-after" and found.revisit_after_s is None:
            found.revisit_after_s = _parse_revisit_after(content)
    for value in _find_tag_values(headers):
        for scope, items in _split_scopes(value):
            if scope in _GENERAL or (own_name and scope == own_name):
                found.add(items)
    return found.combine()


class _DirectiveList:
    """Collects the directives of all tags."""

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
        """Add a limit or a date; join "Friday, 25 Jun 2030", which was split at its comma."""
        if name == "unavailable_after":
            date = parse_date(value) or parse_date(",".join([value, *following]))
            self.dates += [date] if date else []
        elif name == "max-snippet" and _NUMBER.fullmatch(value.strip()):
            self._add_limit(int(value))

    def _add_limit(self, chars: int) -> None:
        """Add a limit of characters; -1 means no limit, and 0 no snippet."""
        if chars >= 0:
            self.limits.append(chars)
        if chars == 0:
            self.forbidden.add("snippet")

    def combine(self) -> Directives:
        """Return the combined directives."""
        return Directives(
            **dict.fromkeys(self.forbidden, False),
            max_snippet_chars=min(self.limits, default=None),
            unavailable_after=min(self.dates, default=None),
            revisit_after_s=self.revisit_after_s,
        )


def _find_tag_values(headers: Mapping[str, Any] | Iterable[tuple[Any, Any]] | None) -> Iterator[str]:
    """Yield the value of every X-Robots-Tag header."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers or ()
    for name, value in pairs:
        if _to_text(name).strip().lower() == "x-robots-tag":
            for one in value if isinstance(value, list | tuple) else (value,):
                yield _to_text(one)[:_MAX_CHARS]


def _to_text(value: object) -> str:
    """Return the name or value of a header as text."""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _split_scopes(value: str) -> Iterator[tuple[str, list[str]]]:
    """Split a header at the names of agents; the part before the first name is for all agents."""
    scope = "*"
    items: list[str] = []
    for item in _SEPARATOR.split(value):
        named = None if _VALUED.fullmatch(item) else _SCOPE.fullmatch(item)
        if named:
            yield scope, items
            scope, items, item = named[1].lower(), [], named[2]
        items.append(item)
    yield scope, items


def _parse_revisit_after(content: str) -> float | None:
    """Parse "7 days", "1 month", "14" (days) or "weekly"; None if it is none of these."""
    content = content.strip().lower()
    if content in _FREQUENCIES:
        return _UNIT_S[_FREQUENCIES[content]]
    found = _REVISIT.fullmatch(content)
    unit = _UNIT_NAMES.get(found[2]) if found else None
    if found is None or unit is None:
        return None
    wait_s = int(found[1]) * _UNIT_S[unit]
    return wait_s if 0 < wait_s <= _MAX_REVISIT_S else None
