"""Read a rule as people write it: "every Monday at 3", "every 6 hours", "on the 1st at 04:30", "when a sitemap changes"."""

import re
from collections.abc import Iterable

from gossamer.errors import BadInput
from gossamer.schedule.rules.due_times import LAST_DAY, Calendar, Interval, Rule, SitemapChange

UNDERSTOOD = (
    '"every 6 hours", "every day at 3:30", "every Monday and Friday at 3", "every weekday at 6 and 18:30", '
    '"every 2 weeks at 4", "on the 1st and 15th at 04:30", "on the last day at 23", "on 24 December at 8" and '
    '"when a sitemap changes"'
)
_UNITS_S = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_GROUPS = {
    "weekday": range(5),
    "weekdays": range(5),
    "weekend": (5, 6),
    "weekends": (5, 6),
}
_INTERVAL = re.compile(r"every (?:(\d{1,6}) )?(second|minute|hour)s?")
_DAYS = re.compile(r"every (?:(\d{1,4}) )?(day|week)s?")
_AMOUNT = re.compile(r"(\d{1,6}(?:\.\d+)?)\s*(second|minute|hour|day|week)s?")
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?: ?(am|pm))?(?: o'clock)?")
_NAMED_TIMES = {"noon": 720, "midnight": 0}
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_LONGEST = 200


def parse_rule(text: str) -> Rule:
    """Return the rule that a text means; raise BadInput with what is understood."""
    plain = " ".join(text[:_LONGEST].lower().replace(",", " and ").split())
    plain = re.sub(r"\band( and)+\b", "and", plain)
    if plain in ("when a sitemap changes", "when the sitemap changes"):
        return SitemapChange()
    if found := _INTERVAL.fullmatch(plain):
        number = int(found[1] or 1)
        if number:
            return Interval(number * _UNITS_S[found[2]])
    days, _, times = plain.partition(" at ")
    rule = _parse_days(days, _parse_times(times) if times else (0,))
    if rule is None or not rule.minutes:
        raise BadInput(f"{text[:_LONGEST]!r} is not a rule; understood are {UNDERSTOOD}")
    return rule


def parse_duration(text: str, key: str) -> float:
    """Return a duration such as "6 hours" in seconds."""
    found = _AMOUNT.fullmatch(text.strip().lower())
    if found is None or not float(found[1]):
        raise BadInput(f'{key} is a duration such as "30 minutes", "6 hours" or "2 days", not {text[:80]!r}')
    return float(found[1]) * _UNITS_S[found[2]]


def _parse_times(text: str) -> tuple[int, ...]:
    """Return times of day as minutes after midnight; none if one of them is not a time."""
    minutes = [_parse_time(one) for one in text.split(" and ")]
    return tuple(sorted({one for one in minutes if one is not None})) if None not in minutes else ()


def _parse_time(text: str) -> int | None:
    if text in _NAMED_TIMES:
        return _NAMED_TIMES[text]
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (found[3] == "pm")
    return hour * 60 + minute if hour < 24 and minute < 60 else None


def _parse_days(text: str, minutes: tuple[int, ...]) -> Calendar | None:
    """Return the calendar of some days at these times; None if they are not understood."""
    if found := _DAYS.fullmatch(text):
        number = int(found[1] or 1) * (7 if found[2] == "week" else 1)
        return Calendar(minutes, every_days=number) if number else None
    words = re.fullmatch(r"(?:every month on|every|on)(?: the)? (.+)", text)
    if words is None:
        return None
    rest = re.sub(r" of (?:every|each|the) month$", "", words[1])
    if rest == "month":
        return Calendar(minutes, days=frozenset({1}))
    names = rest.split(" and ")
    weekdays = [_find_weekdays(one) for one in names]
    if all(weekdays):
        return Calendar(minutes, weekdays=frozenset(day for group in weekdays for day in group))
    return _parse_dates(rest, minutes)


def _find_weekdays(name: str) -> Iterable[int]:
    if name in _GROUPS:
        return _GROUPS[name]
    single = name.removesuffix("s")
    if len(single) >= 3:
        return [at for at, day in enumerate(_WEEKDAYS) if day == single or day[:3] == name]
    return ()


def _parse_dates(text: str, minutes: tuple[int, ...]) -> Calendar | None:
    """Read days of the month, with or without months: "1st and 15th", "last day", "24 december", "1st of may and june"."""
    months = [at for at, name in enumerate(_MONTHS, 1) if re.search(rf"\b(?:{name}|{name[:3]})\b", text)]
    plain = re.sub(rf"\b(?:{'|'.join(f'{name}|{name[:3]}' for name in _MONTHS)})\b", "", text)
    plain = " ".join(re.sub(r"\b(?:of|the)\b", " ", plain).split())
    days = set()
    for one in (re.sub(r"^and | and$", "", part).strip() for part in f" {plain} ".split(" and ")):
        found = _DAY.fullmatch(one)
        if one in ("last day", "last"):
            days.add(LAST_DAY)
        elif found and 1 <= int(found[1]) <= 31:
            days.add(int(found[1]))
        elif one:
            return None
    return Calendar(minutes, days=frozenset(days), months=frozenset(months)) if days else None
