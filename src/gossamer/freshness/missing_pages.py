"""Pages that are missing on a revisit: how long they are left alone, and when they are given up."""

import math

import msgspec

from gossamer.freshness.change_history import DAY_S, PageHistory


class Grace(msgspec.Struct, frozen=True):
    """How long, and how often, a missing page is tried before it is given up."""

    days: float
    times: int


GRACE: dict[str, Grace] = {
    "404": Grace(7.0, 3),
    "410": Grace(2.0, 2),  # gone for good, says the server
    "301": Grace(7.0, 2),
    "308": Grace(7.0, 2),  # moved for good, and visited at its new address
    "refused": Grace(math.inf, 1),  # robots.txt may allow it again
    "": Grace(30.0, 5),
}
"""By status; "" covers every other failure."""
_LONGEST_PAUSE_DAYS = 7.0


def record_absence(note: PageHistory, now_s: float, why: str) -> PageHistory:
    """Record a failed visit; give the page up after its period of grace."""
    grace = GRACE.get(why, GRACE[""])
    since_s, times = (
        min(note.gone_s or now_s, now_s),
        note.gone_times + 1,
    )  # a wrong clock may have been ahead
    out = times >= grace.times and now_s - since_s >= grace.days * DAY_S
    return msgspec.structs.replace(note, tried_s=now_s, gone_s=since_s, gone_times=times, out=out)


def pause_days(times: int) -> float:
    """Return how long to leave a page alone after this many failures: 1, 2, 4 days, at most a week."""
    return min(2.0 ** (times - 1), _LONGEST_PAUSE_DAYS) if times else 0.0
