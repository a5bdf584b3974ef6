"""Rules that hold at some hours: `08:00-18:00`, `mon-fri 22:00-06:00 Europe/Berlin`, `www.example.org 12:00-13:00`."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache

import msgspec

from gossamer.errors import BadInput
from gossamer.frontier.byte_rate import parse_rate

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_EVERY_DAY = frozenset(range(7))
_HOURS = re.compile(r"(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})\Z")
_DAY_LIST = re.compile(rf"(?:{'|'.join(_DAYS)})(?:[-,](?:{'|'.join(_DAYS)}))*\Z")
_ZONE = re.compile(r"(?:[A-Za-z]+/[A-Za-z0-9_+/-]+|UTC|GMT)\Z")
_HOST = re.compile(r"(?:[\w-]+\.)*[\w-]+(?::\d{1,5})?\Z|\[[0-9a-fA-F:.]+\](?::\d{1,5})?\Z")
_DAY_MINUTES = 24 * 60


class WeekHours(msgspec.Struct, frozen=True):
    """Some hours of some days of the week. Hours that pass midnight belong to the day on which they begin."""

    begin: int
    """Minutes after midnight."""
    end: int
    """Minutes after the same midnight, so more than 1440 if the hours pass the next one."""
    days: frozenset[int] = _EVERY_DAY
    """Monday is 0."""
    zone: str = ""
    """"" for the time zone of this machine."""

    def find_end(self, now_s: float) -> float | None:
        """Return when the hours that hold now will end, as Unix time; None if none hold."""
        now = datetime.fromtimestamp(now_s, _find_zone(self.zone)) if self.zone else _to_local(now_s)
        for back in (0, 1):
            day = now.date() - timedelta(days=back)
            minute = now.hour * 60 + now.minute + back * _DAY_MINUTES
            if day.weekday() in self.days and self.begin <= minute < self.end:
                ended = datetime(day.year, day.month, day.day, tzinfo=now.tzinfo if self.zone else None)
                # Wall-clock arithmetic: hours are those that a clock on the wall shows, also when it is set.
                return (ended + timedelta(minutes=self.end)).timestamp()
        return None


class TimedRule(msgspec.Struct, frozen=True):
    """One rule: for a host or for all, at some hours or always, with or without a rate."""

    text: str
    host: str = ""
    hours: WeekHours | None = None
    rate: float | None = None
    """Bytes a second."""


def parse_rule(text: str) -> TimedRule:
    """Parse a rule; its words may stand in any order."""
    host, zone = "", ""
    days: frozenset[int] | None = None
    hours: tuple[int, int] | None = None
    rate: float | None = None
    for word in text.split():
        if found := _HOURS.match(word):
            hours = _read_hours(text, *map(int, found.groups()))
        elif _DAY_LIST.match(word.lower()):
            days = _read_days(word.lower())
        elif (parsed := parse_rate(word)) is not None:
            rate = parsed
        elif _ZONE.match(word):
            _find_zone(word)
            zone = word
        elif (_HOST.match(word) and not host and any(mark in word for mark in ".:")) or word == "localhost":
            host = word.lower()
        else:
            raise BadInput(
                f"{word!r} in {text!r} is no hours (08:00-18:00), days (mon-fri), rate (2MB/s), time zone "
                "(Europe/Berlin) or host"
            )
    if hours is None and (zone or days):
        hours = (0, _DAY_MINUTES)
    return TimedRule(text, host, WeekHours(*hours, days or _EVERY_DAY, zone) if hours else None, rate)


def strip_port(host: str) -> str:
    """Return a host without its port: rules name hosts with or without one."""
    return host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host


def format_time(when_s: float, zone: str = "") -> str:
    """Return a time as people write it, in a time zone: `18:00`, or `Mon 18:00` if it is another day."""
    when = datetime.fromtimestamp(when_s, _find_zone(zone)) if zone else _to_local(when_s)
    return when.strftime("%a %H:%M") + (f" {zone}" if zone else "")


def _read_hours(text: str, begin_h: int, begin_min: int, end_h: int, end_min: int) -> tuple[int, int]:
    begin, end = 60 * begin_h + begin_min, 60 * end_h + end_min
    if begin_min > 59 or end_min > 59 or begin >= _DAY_MINUTES or end > _DAY_MINUTES or begin == end:
        raise BadInput(f"{text!r} has hours that do not exist: write them as 08:00-18:00 or 22:00-06:00")
    return begin, end if end > begin else end + _DAY_MINUTES


def _read_days(word: str) -> frozenset[int]:
    found: set[int] = set()
    for part in word.split(","):
        first, _, last = part.partition("-")
        begin, end = _DAYS.index(first[:3]), _DAYS.index((last or first)[-3:])
        found.update((begin + each) % 7 for each in range((end - begin) % 7 + 1))
    return frozenset(found)


def _to_local(now_s: float) -> datetime:
    return datetime.fromtimestamp(now_s, UTC).astimezone().replace(tzinfo=None)


@cache
def _find_zone(name: str) -> tzinfo:
    import zoneinfo  # late: few tasks name a time zone

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(
            f"this machine does not know the time zone {name!r}: write it as Europe/Berlin or UTC"
        ) from None
