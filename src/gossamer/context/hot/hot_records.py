"""What is asked about hot stories, and what is answered; the API, JSON output and pages share these records."""

from collections.abc import Callable
from datetime import date
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.context.hot.text_date import DateSource

Period = Literal["day", "week"]
ChoosePages = Callable[[NDArray[np.int64]], NDArray[np.bool_]]
"""Says which of these pages, by id, belong to a group, such as a theme."""
_DAYS_OF_WEEK = 7


class HotQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """Which texts are compared, and which periods are shown."""

    by: Period = "day"
    since_days: int = 1
    """So many days before the end are searched for stories."""
    until: date | None = None
    """The last day; None for the last one with text."""
    site: str = ""
    language: str = ""
    theme: str = ""
    """What the pages were chosen by, for people."""
    choose_pages: ChoosePages | None = None
    most: int = 10


class HotPage(msgspec.Struct, frozen=True):
    """A page that carries a story."""

    url: str
    title: str
    date: str
    dated_by: DateSource


class HotStory(msgspec.Struct, frozen=True, kw_only=True):
    """Words that rise together, with the pages that carry them."""

    words: tuple[str, ...]
    """The most surprising first."""
    score: float
    began: str
    """The first day of the first period in which it was hot, as YYYY-MM-DD."""
    latest: str
    """The first day of the last period in which it was hot."""
    texts: int
    """How many texts carry it."""
    curve: tuple[float, ...]
    """In how many texts of 1,000 its words occurred in each of the last periods; the last is the one of `until`."""
    pages: tuple[HotPage, ...]
    """The best of the pages that carry it, those of the last day first."""
    id: str
    """Stays the same as long as the story keeps its first words and its first day."""


class HotReport(msgspec.Struct, frozen=True, kw_only=True):
    """The hot stories of a web."""

    by: Period
    since: str
    until: str
    curve_since: str
    """The first day of the curves."""
    site: str
    language: str
    theme: str
    texts: int
    """How many texts are dated from `since` to `until`, after the choice of site, language and theme."""
    compared_periods: int
    """How many earlier periods have text to compare with."""
    dated_by: dict[DateSource, int]
    """How many of the texts are dated by their page, their URL, their server, or the first visit."""
    left_out: int
    """How many texts of these days do not count: they state no date, and others of their site do."""
    refreshed: str
    """When the pages of the web were last read, as ISO 8601; "" if never."""
    stories: tuple[HotStory, ...]


def find_period(day: int, by: Period) -> int:
    """Return the number of the period of a day: the day itself, or the number of its week, from Monday to Sunday."""
    return day if by == "day" else (day - 1) // _DAYS_OF_WEEK


def find_first_day(period: int, by: Period) -> int:
    """Return the first day of a period."""
    return period if by == "day" else period * _DAYS_OF_WEEK + 1


def format_day(day: int) -> str:
    """Return a day as YYYY-MM-DD."""
    return date.fromordinal(day).isoformat()
