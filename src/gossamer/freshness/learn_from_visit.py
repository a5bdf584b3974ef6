"""Update a page's history with the result of one visit."""

import msgspec

from gossamer.freshness.change_history import DAY_S, PageHistory
from gossamer.freshness.conditional_request import estimate_change_chance, gap_to_bucket

# Servers that generate pages on request date them "now" each time: such a date carries no information.
_JUST_NOW_S = 60.0
# Halves in 40 changes. In a simulated web whose pages take on another rate every 45 days (4,000 pages, 120 days, each visited
# every third day), 73.8 % of the copies are fresh with a half-life of 40 or of 20 changes, 73.7 % with 6, and 73.3 % without
# fading. Where pages keep their rates, 74.3 % are fresh with each of them.
FADES = 0.5 ** (1 / 40)
_LEAST_TIMES = 0.05
"""Gaps whose weight falls below this are dropped, which keeps notes small."""
# The first date of a page is the server's unchecked claim: it counts a quarter, and long quiet times are capped.
# In a lab world whose pages had stood still for years before they began to change, full weight and no cap made
# rates five times too low after 40 days.
_FIRST_DATE_WEIGHT = 0.25
_LONGEST_QUIET_DAYS = 30.0


def begin_history(fetched_s: float, key: int) -> PageHistory:
    """Return the history of a page after its first fetch."""
    return PageHistory(seen_s=fetched_s, tried_s=fetched_s, key=key)


def read_date_hint(fetched_s: float, last_change_s: float | None) -> tuple[float, float]:
    """Return the quiet days and dated changes that the last-change date of a page fetched once stands for."""
    if last_change_s is None or fetched_s - last_change_s <= _JUST_NOW_S:
        return 0.0, 0.0
    days = (fetched_s - last_change_s) / DAY_S
    seen = days < _LONGEST_QUIET_DAYS
    return _FIRST_DATE_WEIGHT * min(days, _LONGEST_QUIET_DAYS), _FIRST_DATE_WEIGHT * seen


def record_unchanged(note: PageHistory, now_s: float, checked: bool) -> PageHistory:
    """Record a visit that found no change; `checked` if the content was compared, not only a 304 received."""
    gap_days = _gap_days(note, now_s)
    note = fade_history(note, estimate_change_chance(note, gap_days))
    return msgspec.structs.replace(
        note,
        seen_s=now_s,
        tried_s=now_s,
        quiet_days=note.quiet_days + gap_days,
        unheard=0 if checked else note.unheard + 1,
        gone_s=0.0,
        gone_times=0,
        out=False,
    )


def record_change(note: PageHistory, now_s: float, key: int, last_change_s: float | None) -> PageHistory:
    """Record a change since the last visit: at a known time, or at some time in between."""
    gap_days = _gap_days(note, now_s)
    note = fade_history(note, 1.0 if gap_days else 0.0)
    gaps, quiet_days, dated = note.gaps, note.quiet_days, note.dated
    if last_change_s is not None and note.seen_s < last_change_s <= now_s - _JUST_NOW_S:
        quiet_days, dated = quiet_days + (now_s - last_change_s) / DAY_S, dated + 1
    elif gap_days > 0:
        bucket = gap_to_bucket(gap_days)
        gaps = gaps | {bucket: gaps.get(bucket, 0) + 1}
    return msgspec.structs.replace(
        note,
        seen_s=now_s,
        tried_s=now_s,
        key=key,
        quiet_days=quiet_days,
        dated=dated,
        gaps=gaps,
        unheard=0,
        gone_s=0.0,
        gone_times=0,
        out=False,
    )


def fade_history(note: PageHistory, information: float) -> PageHistory:
    """Reduce the weight of older observations by the information of one visit.

    A change carries 1; a visit without a change carries the probability of a change. So pages may change their habits,
    while a hundred visits within a day, each of which could show little, erase nothing.
    """
    kept = FADES**information
    gaps = {bucket: kept * times for bucket, times in note.gaps.items() if kept * times > _LEAST_TIMES}
    return msgspec.structs.replace(
        note, quiet_days=kept * note.quiet_days, dated=kept * note.dated, gaps=gaps
    )


def _gap_days(note: PageHistory, now_s: float) -> float:
    return max(now_s - note.seen_s, 0.0) / DAY_S if note.seen_s else 0.0
