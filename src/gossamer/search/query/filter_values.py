"""Parse the values of fields such as `host:`, `language:`, `after:` and `depth:`."""

import re
from calendar import timegm

LATEST = 2**62
NEEDS_DATE = "needs a date such as 2026, 2026-05 or 2026-05-31"
NEEDS_RANGE = "needs a number or a range such as 2, 0..3 or ..3"

_SCHEME = re.compile(r"^\w+://")
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_RANGE = re.compile(r"(\d{1,9})?(\.\.)?(\d{1,9})?")


def parse_name(value: str) -> str:
    """Return a name in lower case; of a whole address, the host."""
    return _SCHEME.sub("", value.lower()).partition("/")[0].strip(". ")


def parse_language(value: str) -> str:
    """Return the language of a code such as de-AT: countries are not indexed."""
    return re.split(r"[-_]", value.lower())[0]


def parse_day(value: str) -> int | None:
    """Return the Unix time at which a day, a month or a year begins; None if it is not a date."""
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    if not (1 <= month <= 12 and 1 <= day <= 31 and year > 0):
        return None
    return timegm((year, month, day, 0, 0, 0))


def parse_range(value: str) -> tuple[int, int] | None:
    """Return the ends of a range of whole numbers, both included; None if it is not a range."""
    found = _RANGE.fullmatch(value)
    if found is None or not (found[1] or found[3]) or (found[1] and found[3] and not found[2]):
        return None
    least = int(found[1] or 0)
    return least, int(found[3]) if found[3] else (LATEST if found[2] else least)
