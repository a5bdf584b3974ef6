"""Read times as people and programs write them: a year, a month, a day, today, yesterday, or a Unix time."""

import math
import re
from datetime import datetime, timedelta

from gossamer.errors import BadInput

_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")
_LONGEST_S = 1e11
_WORDS = {"today": 0, "yesterday": 1}


def read_time(text: str, is_end: bool = False) -> float:
    """Return the Unix time of a text: of a year, month or day its beginning, or its end, on this machine; 0 for none."""
    text = _write_day(text.strip())
    if not text:
        return 0.0
    found = _DATE.fullmatch(text)
    try:
        if found is None:
            time_s = float(text)
            if math.isfinite(time_s) and 0 <= time_s < _LONGEST_S:
                return time_s
            raise ValueError
        year, month, day = (int(part) if part else 0 for part in found.groups())
        begin = datetime(year, month or 1, day or 1)
        if not is_end:
            return begin.timestamp()
        return _find_end(begin, bool(month), bool(day)).timestamp()
    except (ValueError, OverflowError, OSError):
        raise BadInput(
            f"{text[:40]!r} is not a time; write it as 2026, 2026-05, 2026-05-31 or today"
        ) from None


def _write_day(text: str) -> str:
    days_ago = _WORDS.get(text.casefold())
    return text if days_ago is None else f"{datetime.now() - timedelta(days=days_ago):%Y-%m-%d}"


def _find_end(begin: datetime, has_month: bool, has_day: bool) -> datetime:
    if has_day:
        return datetime.fromordinal(begin.toordinal() + 1)
    if has_month:
        return datetime(begin.year + begin.month // 12, begin.month % 12 + 1, 1)
    return datetime(begin.year + 1, 1, 1)
