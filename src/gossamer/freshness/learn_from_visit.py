"""What one visit teaches: from what was remembered of a page and what came, to what is remembered from now on."""

import math

import msgspec

from gossamer.freshness.change_history import DAY_S, PageLearnt
from gossamer.freshness.conditional_request import chance_of_change, gap_place

# Servers that make pages when asked call them new each time: such a date tells nothing.
_JUST_NOW_S = 60.0
# Halved in 40 changes. Where pages of a simulated web take on another rate every 45 days (4,000 pages, 120 days, each visited
# every third day), 73.8 % of the copies are fresh by that or by 20, 73.3 % if nothing fades, 73.7 % if it is 6. Where pages keep
# their rates, 74.3 % are fresh by each of them.
FADES = 0.5 ** (1 / 40)
_LEAST_TIMES = 0.05
"""What counts less is forgotten, so that a note stays small."""
# The first date of a page is what its server says, and nobody has checked: it counts a quarter, and of long times only
# this much. On a world of the lab whose pages had stood still for years before they began to move, full weight and no limit
# made rates five times too low after 40 days.
_FIRST_DATE_WEIGHT = 0.25
_LONGEST_QUIET_DAYS = 30.0


class Grace(msgspec.Struct, frozen=True):
    """How long a page that is not there is looked for."""

    days: float
    times: int


GRACE: dict[str, Grace] = {
    "404": Grace(7.0, 3),
    "410": Grace(2.0, 2),  # the server says that it is gone for good
    "301": Grace(7.0, 2),
    "308": Grace(7.0, 2),  # it is elsewhere for good, and visited there
    "refused": Grace(math.inf, 1),  # robots.txt may allow it again
    "": Grace(30.0, 5),
}
"""By status; "" for everything else that keeps a page from us."""
_LONGEST_PAUSE_DAYS = 7.0


def begun(fetched_s: float, key: int) -> PageLearnt:
    """Return what is known of a page that was fetched once."""
    return PageLearnt(seen_s=fetched_s, tried_s=fetched_s, key=key)


def hinted(fetched_s: float, last_change_s: float | None) -> tuple[float, float]:
    """Return quiet days and dated changes of a page that was fetched once, by the date of its last change."""
    if last_change_s is None or fetched_s - last_change_s <= _JUST_NOW_S:
        return 0.0, 0.0
    days = (fetched_s - last_change_s) / DAY_S
    seen = days < _LONGEST_QUIET_DAYS
    return _FIRST_DATE_WEIGHT * min(days, _LONGEST_QUIET_DAYS), _FIRST_DATE_WEIGHT * seen


def stayed(note: PageLearnt, now_s: float, checked: bool) -> PageLearnt:
    """The page is as it was; `checked` says that we have seen it, and not only heard so."""
    gap_days = _gap_days(note, now_s)
    note = faded(note, chance_of_change(note, gap_days))
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


def changed(note: PageLearnt, now_s: float, key: int, last_change_s: float | None) -> PageLearnt:
    """The page has changed since it was seen last: at a time that is known, or some time in between."""
    gap_days = _gap_days(note, now_s)
    note = faded(note, 1.0 if gap_days else 0.0)
    gaps, quiet_days, dated = note.gaps, note.quiet_days, note.dated
    if last_change_s is not None and note.seen_s < last_change_s <= now_s - _JUST_NOW_S:
        quiet_days, dated = quiet_days + (now_s - last_change_s) / DAY_S, dated + 1
    elif gap_days > 0:
        place = gap_place(gap_days)
        gaps = gaps | {place: gaps.get(place, 0) + 1}
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


def faded(note: PageLearnt, told: float) -> PageLearnt:
    """Let what was known fade by a visit that told so much: a change tells 1, silence as much as a change was likely.

    So pages may change their habits, while a hundred visits within a day, none of which could show much, wipe out nothing.
    """
    kept = FADES**told
    gaps = {place: kept * times for place, times in note.gaps.items() if kept * times > _LEAST_TIMES}
    return msgspec.structs.replace(
        note, quiet_days=kept * note.quiet_days, dated=kept * note.dated, gaps=gaps
    )


def absent(note: PageLearnt, now_s: float, why: str) -> PageLearnt:
    """The page could not be had; after a while of grace it is given up."""
    grace = GRACE.get(why, GRACE[""])
    since_s, times = note.gone_s or now_s, note.gone_times + 1
    out = times >= grace.times and now_s - since_s >= grace.days * DAY_S
    return msgspec.structs.replace(note, tried_s=now_s, gone_s=since_s, gone_times=times, out=out)


def pause_days(times: int) -> float:
    """Return how long a page that was absent so many times is left alone: a day, two, four, at most a week."""
    return min(2.0 ** (times - 1), _LONGEST_PAUSE_DAYS) if times else 0.0


def _gap_days(note: PageLearnt, now_s: float) -> float:
    return max(now_s - note.seen_s, 0.0) / DAY_S if note.seen_s else 0.0
