"""The moments at which a rule is due, from a calendar or by an interval, in any time zone.

A time of day that does not exist, because clocks go forward, is due as long after midnight as on other days: half past two
becomes half past three. A time that comes twice, because clocks go back, is due the first time only.
"""

import math
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import msgspec

# 29 February is 8 years apart around 1900 and 2100.
_MOST_DAYS = 9 * 366
_FIRST_DAY = date(2001, 1, 1)
"""A Monday: from here days, weeks and intervals are counted, so that a restart changes none of them."""
LAST_DAY = -1
"""Stands for the last day of a month."""
_LATEST = date(9990, 1, 1)


class Interval(msgspec.Struct, frozen=True, tag=True):
    """Due every so many seconds of real time, counted from midnight of 1 January 2001 in its time zone."""

    every_s: int


class Calendar(msgspec.Struct, frozen=True, tag=True):
    """Due on some days at some times; an empty set means any."""

    minutes: tuple[int, ...]
    """Minutes after midnight."""
    weekdays: frozenset[int] = frozenset()
    """Monday is 0."""
    days: frozenset[int] = frozenset()
    """Days of the month; `LAST_DAY` is its last."""
    months: frozenset[int] = frozenset()
    every_days: int = 1
    """Every so many days, counted from Monday, 1 January 2001."""


class SitemapChange(msgspec.Struct, frozen=True, tag=True):
    """Due when a sitemap has changed; there is no moment known before."""


Rule = Interval | Calendar | SitemapChange


def find_next(rule: Rule, after_s: float, zone: ZoneInfo) -> float | None:
    """Return the first moment after `after_s` at which a rule is due; None if it never is, or if no clock tells."""
    return next(islice(_list_after(rule, after_s, zone), 1), None)


def list_between(rule: Rule, after_s: float, until_s: float, zone: ZoneInfo) -> Iterator[float]:
    """Yield the moments after `after_s` up to `until_s`, in order."""
    for when_s in _list_after(rule, after_s, zone):
        if when_s > until_s:
            return
        yield when_s


def find_last(rule: Rule, after_s: float, until_s: float, zone: ZoneInfo) -> float | None:
    """Return the last moment after `after_s` up to `until_s`; None if there is none."""
    if isinstance(rule, Interval):
        last_s = _find_step(rule, until_s, zone)
        return last_s if after_s < last_s <= until_s else None
    last = None
    for last in list_between(rule, after_s, until_s, zone):  # noqa: B007 - the last one is wanted
        pass
    return last


def count_between(rule: Rule, after_s: float, until_s: float, zone: ZoneInfo) -> int:
    """Return how many moments there are after `after_s` up to `until_s`; years of an interval cost nothing."""
    if until_s <= after_s:
        return 0
    if isinstance(rule, Interval):
        return round((_find_step(rule, until_s, zone) - _find_step(rule, after_s, zone)) / rule.every_s)
    return sum(1 for _ in list_between(rule, after_s, until_s, zone))


def _find_step(rule: Interval, until_s: float, zone: ZoneInfo) -> float:
    """Return the last step of an interval up to a moment."""
    first_s = _to_seconds(_FIRST_DAY, 0, zone)
    return first_s + math.floor((until_s - first_s) / rule.every_s) * rule.every_s


def _list_after(rule: Rule, after_s: float, zone: ZoneInfo) -> Iterator[float]:
    if isinstance(rule, Interval):
        step_s = _find_step(rule, after_s, zone)
        while True:
            step_s += rule.every_s
            yield step_s
    if isinstance(rule, Calendar):
        yield from _list_calendar(rule, after_s, zone)


def _list_calendar(rule: Calendar, after_s: float, zone: ZoneInfo) -> Iterator[float]:
    """Yield the moments of a calendar; end when none has come for nine years."""
    # A day earlier: a shifted time may fall on the day after its own.
    day = datetime.fromtimestamp(after_s, zone).date() - timedelta(days=1)
    without = 0
    while without < _MOST_DAYS and day < _LATEST:
        without += 1
        if _is_on(rule, day):
            for when_s in sorted({_to_seconds(day, minute, zone) for minute in rule.minutes}):
                if when_s > after_s:
                    after_s, without = when_s, 0
                    yield when_s
        day += timedelta(days=1)


def _is_on(rule: Calendar, day: date) -> bool:
    """Say whether a calendar has a day."""
    if rule.months and day.month not in rule.months:
        return False
    if rule.weekdays and day.weekday() not in rule.weekdays:
        return False
    if rule.every_days > 1 and (day - _FIRST_DAY).days % rule.every_days:
        return False
    if not rule.days or day.day in rule.days:
        return True
    return LAST_DAY in rule.days and (day + timedelta(days=1)).month != day.month


def _to_seconds(day: date, minute: int, zone: ZoneInfo) -> float:
    """Return a time of day in Unix seconds: the first of two, and one that does not exist shifted by the gap."""
    return datetime.combine(day, time(minute // 60, minute % 60), zone).timestamp()
