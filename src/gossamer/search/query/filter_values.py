"""What the values of fields such as `host:`, `language:`, `after:` and `depth:` mean, for whatever asks for pages."""

import re
from calendar import timegm

LATEST = 2**62
WANTS_DATE = "wants a date such as 2026, 2026-05 or 2026-05-31"
WANTS_RANGE = "wants a number or a range such as 2, 0..3 or ..3"

_SCHEME = re.compile(r"^\w+://")
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_RANGE = re.compile(r"(\d{1,9})?(\.\.)?(\d{1,9})?")


def plain_name(told: str) -> str:
    """Return the name that a value says; whoever has an address at hand need not cut it down."""
    return _SCHEME.sub("", told.lower()).partition("/")[0].strip(". ")


def language_code(told: str) -> str:
    """Return the language of a code such as de-AT: countries are not indexed."""
    return re.split(r"[-_]", told.lower())[0]


def day_s(told: str) -> int | None:
    """Return when a day, a month or a year begins, as Unix time; None if that is no date."""
    found = _DATE.fullmatch(told)
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    if not (1 <= month <= 12 and 1 <= day <= 31 and year > 0):
        return None
    return timegm((year, month, day, 0, 0, 0))


def number_range(told: str) -> tuple[int, int] | None:
    """Return the ends of a range of whole numbers, both included; None if that is none."""
    found = _RANGE.fullmatch(told)
    if found is None or not (found[1] or found[3]) or (found[1] and found[3] and not found[2]):
        return None
    least = int(found[1] or 0)
    return least, int(found[3]) if found[3] else (LATEST if found[2] else least)
