"""Parses dates as the web writes them: RFC 822, RFC 850, asctime, ISO 8601 and its W3C profile."""

import re
from datetime import UTC, datetime, timedelta

_LONGEST = 64
_YEAR_OR_MONTH = re.compile(r"(\d{4})(?:-(\d{2}))?")
_BLANK_BEFORE_ZONE = re.compile(r"\s+(?=[Z+-])")
_NAMED_UTC = re.compile(r"\s*(?:UTC|GMT)\Z")


def parse_date(text: str) -> datetime | None:
    """Parse a date; None if it is not one. A date without a time zone is taken as UTC."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    try:
        moment = _parse_iso(text) if text[:4].isdigit() else _parse_mail(text)
        if moment is None or moment.tzinfo is UTC:
            return moment
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        # Besides ValueError, parsedate_tz and the years 0 and 10,000 are known to raise these.
        return None


def _parse_iso(text: str) -> datetime | None:
    """Parse ISO 8601 with blanks and zone names; the W3C profile may leave out the day, or day and month."""
    if text.isdigit() and len(text) > len("20300625"):
        return None  # perhaps a count of seconds, which Python would take for a date
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        if short := _YEAR_OR_MONTH.fullmatch(text):
            return datetime(int(short[1]), int(short[2] or 1), 1, tzinfo=UTC)
    return datetime.fromisoformat(_BLANK_BEFORE_ZONE.sub("", _NAMED_UTC.sub("Z", text.upper())))


def _parse_mail(text: str) -> datetime | None:
    """Parse the formats of e-mail and HTTP; a date without a time means midnight."""
    from email.utils import (
        parsedate_tz,  # imported late: few pages have such a date, and the package takes 3 ms to load
    )

    fields = parsedate_tz(text) or parsedate_tz(f"{text} 00:00:00 GMT")
    if fields is None:
        return None
    moment = datetime(*fields[:6], tzinfo=UTC)
    return moment - timedelta(seconds=fields[9] or 0)
