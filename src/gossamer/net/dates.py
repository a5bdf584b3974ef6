"""Dates as the web writes them: RFC 822, RFC 850, asctime, ISO 8601 and its W3C profile."""

import re
from datetime import UTC, datetime, timedelta

_LONGEST = 64
_YEAR_OR_MONTH = re.compile(r"(\d{4})(?:-(\d{2}))?")
_BLANK_BEFORE_ZONE = re.compile(r"\s+(?=[Z+-])")
_NAMED_UTC = re.compile(r"\s*(?:UTC|GMT)\Z")


def parse_date(text: str) -> datetime | None:
    """Return the moment that a text names, or None; without a time zone it is read as UTC."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    try:
        moment = _iso(text) if text[:4].isdigit() else _mail(text)
        if moment is None or moment.tzinfo is UTC:
            return moment
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        # Beyond ValueError, this is what parsedate_tz and year 0 or 10,000 are known to raise.
        return None


def _iso(text: str) -> datetime | None:
    """Read ISO 8601, blanks and zone names allowed; the W3C profile leaves out the day, or the month as well."""
    if text.isdigit() and len(text) > len("20300625"):
        return None  # a count of seconds, perhaps; Python would make out a date
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        if short := _YEAR_OR_MONTH.fullmatch(text):
            return datetime(int(short[1]), int(short[2] or 1), 1, tzinfo=UTC)
    return datetime.fromisoformat(_BLANK_BEFORE_ZONE.sub("", _NAMED_UTC.sub("Z", text.upper())))


def _mail(text: str) -> datetime | None:
    """Read what mail and HTTP write; a date without a time means its first moment."""
    from email.utils import parsedate_tz  # late: few pages have such a date, and e-mail takes 3 ms to load

    fields = parsedate_tz(text) or parsedate_tz(f"{text} 00:00:00 GMT")
    if fields is None:
        return None
    moment = datetime(*fields[:6], tzinfo=UTC)
    return moment - timedelta(seconds=fields[9] or 0)
