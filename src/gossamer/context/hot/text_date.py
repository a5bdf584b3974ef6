"""The date of a text: what its page states, else what its server says, else when it was first fetched."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from typing import Literal, get_args

import msgspec

from gossamer.fields.structured_data import DataReader, read_attribute
from gossamer.net.dates import parse_date
from gossamer.net.html.document import Document
from gossamer.net.html.parse_tree import Tree, find_elements

DateSource = Literal["page", "url", "server", "fetch"]
DATE_SOURCES: tuple[DateSource, ...] = get_args(DateSource)
"""From the most to the least reliable; their order is part of the format of stored texts."""
STATED = 2
"""The first two are dates that the author states."""

_PROPERTIES = ("datepublished", "datecreated", "uploaddate")
_METAS = (
    *("article:published_time", "og:published_time", "datepublished", "dc.date.issued", "dc.date", "date"),
    *("dcterms.created", "dcterms.date", "pubdate", "publishdate", "publish-date", "parsely-pub-date"),
)
_HINTS = re.compile(
    rb"date[-_.]?published|published_time|datecreated|uploaddate|dc\.date|dcterms\.|pub-?date|publish-?date|"
    rb"name=.?date|<time[\s>]",
    re.IGNORECASE,
)
_DAY_IN_URL = re.compile(r"(?<!\d)(19[89]\d|20\d\d)([-/_]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
# A date without a day, such as 2024-05, says too little.
_HAS_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{8}|[A-Za-z]{3}")
_FIRST_YEAR = 1900
_DAY_S = 86_400.0


class TextDate(msgspec.Struct, frozen=True):
    """The day of a text, and how it is known."""

    day: int
    """The proleptic ordinal, as `date.toordinal` returns it."""
    source: DateSource


def find_stated_date(document: Document | None, url: str, fetched_s: float) -> TextDate | None:
    """Return the date that a page states, in its data for programs, a time element or its URL; None if it states none.

    A date after the visit, or before 1900, is none. Cost: that of parsing the page, if its source mentions a date.
    """
    latest = _find_day(fetched_s + _DAY_S)
    if document is not None and _HINTS.search(document.source):
        for found in _list_stated(document.tree):
            day = _parse_day(found)
            if day is not None and day <= latest:
                return TextDate(day, "page")
    for year, _, month, of_month in _DAY_IN_URL.findall(url):
        try:
            day = date(int(year), int(month), int(of_month)).toordinal()
        except ValueError:
            continue
        if day <= latest:
            return TextDate(day, "url")
    return None


def choose_date(
    stated: TextDate | None, last_modified: str, fetched_s: float, after_day: int = 0
) -> TextDate:
    """Return the first of stated date, Last-Modified and visit that is later than `after_day`: that of an earlier version."""
    server = parse_date(last_modified) if last_modified else None
    fetch_day = _find_day(fetched_s)
    server_day = server.date().toordinal() if server is not None and server.year >= _FIRST_YEAR else 0
    if stated is not None and stated.day > after_day:
        return stated
    if after_day < server_day <= fetch_day:
        return TextDate(server_day, "server")
    return TextDate(fetch_day, "fetch")


def _list_stated(tree: Tree) -> Iterator[str]:
    """Yield the dates of publication that a page states, the most reliable first."""
    data = DataReader(tree)
    for item in data.items:
        yield from _find_properties(item.properties)
    for name in _METAS:
        if name in data.meta:
            yield data.meta[name]
    yield from _read_time_elements(tree)


def _find_properties(properties: dict[str, object]) -> Iterator[str]:
    named = {key.lower(): value for key, value in properties.items()}
    for name in _PROPERTIES:
        value = named.get(name)
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str):
                yield one


def _read_time_elements(tree: Tree) -> Iterator[str]:
    """Yield the date of time elements, if all of them are of one day: lists of articles have several."""
    stated = [read_attribute(element, "datetime") for element in find_elements(tree, "time")]
    days = _list_days(stated)
    if len(days) == 1:
        yield date.fromordinal(days.pop()).isoformat()


def _list_days(stated: Iterable[str]) -> set[int]:
    return {day for one in stated if (day := _parse_day(one)) is not None}


def _parse_day(stated: str) -> int | None:
    if not _HAS_DAY.search(stated):
        return None
    moment = parse_date(stated)
    return moment.date().toordinal() if moment is not None and moment.year >= _FIRST_YEAR else None


def _find_day(when_s: float) -> int:
    return datetime.fromtimestamp(when_s, UTC).date().toordinal()
