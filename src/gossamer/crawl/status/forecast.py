"""Forecast when a task will have ended, and with how many pages. Pure: all it needs is given.

A site is finite: the more of it is known, the fewer new requests a finished one brings. The number of requests that were
queued by the time that so many were finished is fitted by a curve that levels off exponentially, as it does if links lead
anywhere in a finite site; how many links lead to known pages says the same in another way. Where the curve meets the number of finished requests, nothing is left. The time follows from the
recent pace, and from the longest queue of a host with its pauses, since hosts run dry one after the other.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from gossamer.crawl.status.status_records import Forecast

LEAST_FINISHED = 5
LEAST_S = 2.0
"""Less than this says nothing."""
_PARTS = (0.25, 0.5, 0.75)
"""The parts of the finished requests, counted from the newest, to which the curve is fitted."""
_PACE_PARTS = (0.1, 0.25, 0.5)
_DECLINES = [step / 4 for step in range(49)]
"""How steeply discovery declines over such a part: from not at all to by e to the 12th."""
_MOST_TIMES = 50.0
"""What would take so many times as long as everything so far is not forecast."""
_SLOWEST = 1.3
"""A host takes its pauses and, on top, the time of its answers: at most this much in all."""
_NARROWEST = 0.15
"""However well all fits, the future differs by so much. Measured by bench/forecast.py on four seeds: four fifths are within."""


class Moment(msgspec.Struct, frozen=True, gc=False):
    """The counts of a task after it has run for so long."""

    elapsed_s: float
    finished: int
    queued: int
    pages: int
    bytes: int = 0


class ForecastSigns(msgspec.Struct, frozen=True):
    """What a forecast is made from."""

    moments: Sequence[Moment]
    """Oldest first; the last is the present."""
    waiting: int
    """Requests that are left, those under way too."""
    hosts: Sequence[tuple[int, float]] = ()
    """For hosts with requests left, how many, and the pause of the host; the longest queues at least."""
    depths: Sequence[int] = ()
    """How many of the requests left are at each depth up to the limit, where they bring no others; none without a limit."""
    limit_pages: int = 0
    limit_bytes: int = 0
    limit_s: float = 0.0
    """How long the task may run in all; 0 for no limit."""
    links: int = 0
    """Links that the rules follow, each time that one was found: to new pages and to known ones; 0 if that is not known."""
    most_pages: int = 0
    """How many pages the budgets of all known hosts leave; 0 without such a budget."""


class _Work(msgspec.Struct, frozen=True):
    """What is left to do, by one fit: so many requests, for this reason."""

    requests: float
    why: str


def forecast(signs: ForecastSigns) -> Forecast | None:
    """Return when a task will have ended; None if too little is known, or if no end is in sight."""
    now = signs.moments[-1]
    if len(signs.moments) < 3 or now.finished < LEAST_FINISHED or now.elapsed_s < LEAST_S:
        return None
    pace = _find_pace(signs.moments, 0.25)
    if not pace or not signs.waiting:
        return _end_at_time_limit(signs, None, 0.0) if signs.limit_s and not pace else None
    works = sorted(
        (work for part in _PARTS if (work := _find_work(signs, part)) is not None),
        key=lambda work: work.requests,
    )
    if not works:
        return _end_at_time_limit(signs, None, pace) if signs.limit_s else None
    work = works[len(works) // 2]
    paces = [rate for part in _PACE_PARTS if (rate := _find_pace(signs.moments, part))]
    fits = (works[0], max(paces)), (work, pace), (works[-1], min(paces))
    times_s = [_find_time(signs, one.requests, at_pace) for one, at_pace in fits]
    wider = 1 + _NARROWEST + 1 / math.sqrt(now.finished)
    pages = now.pages + round(work.requests * _find_yield(signs.moments))
    pages = min(pages, signs.limit_pages) if signs.limit_pages else pages
    found = Forecast(times_s[1], times_s[0] / wider, times_s[2] * wider, pages, work.why)
    return _end_at_time_limit(signs, found, pace)


def _end_at_time_limit(signs: ForecastSigns, found: Forecast | None, pace: float) -> Forecast | None:
    """Return the forecast that the time limit makes, if it comes first."""
    now = signs.moments[-1]
    left_s = max(0.0, signs.limit_s - now.elapsed_s)
    if not signs.limit_s or (found is not None and found.left_s <= left_s):
        if found is None or not signs.limit_s:
            return found
        return msgspec.structs.replace(found, most_s=min(found.most_s, left_s))
    pages = now.pages + round(left_s * pace * _find_yield(signs.moments))
    least_s = min(found.least_s, left_s) if found is not None else left_s
    pages = min(pages, found.pages) if found is not None else pages
    return Forecast(left_s, least_s, left_s, pages, "the time limit")


def _find_work(signs: ForecastSigns, part: float) -> _Work | None:
    """Return how many requests will have been finished until the end, by a fit to a part of the past."""
    now = signs.moments[-1]
    share = _find_yield(signs.moments)
    limits = []
    if signs.limit_pages and share:
        limits.append(_Work(max(0, signs.limit_pages - now.pages) / share, "the page limit"))
    if signs.limit_bytes and now.bytes:
        each = now.bytes / now.finished
        limits.append(_Work(max(0, signs.limit_bytes - now.bytes) / each, "the limit of bytes"))
    if signs.most_pages and share:
        limits.append(_Work(signs.most_pages / share, "the page budgets of hosts"))
    left = _find_requests_left(signs, part)
    if left is not None:
        limits.append(_Work(left, "what waits and what is still found"))
    return min(limits, key=lambda work: work.requests, default=None)


def _find_requests_left(signs: ForecastSigns, part: float) -> float | None:
    """Return how many requests are left, those that are still to be found too; None if no end is in sight.

    Two estimates of how discovery declines are joined: the curve that fits the past, and the share of links that lead to
    new pages. The first is misled by a few pages with many new links, the second by links that all pages share.
    """
    fitted_rate, fitted_decline = _fit_discovery(signs.moments, part)
    by_past = _solve(signs, fitted_rate, fitted_decline)
    rate, decline = _compare_links(signs, part)
    if not decline:
        return by_past
    by_links = _solve(signs, rate, decline)
    if (
        by_past is None or by_links is None or not fitted_decline
    ):  # a past without a decline says nothing of the end
        return by_links
    return math.sqrt(by_past * by_links)


def _solve(signs: ForecastSigns, rate: float, decline: float) -> float | None:
    """Return after how many further requests nothing is left, if each brings `rate` new ones, which declines."""
    if signs.depths:
        return _solve_by_depth(signs, rate, decline)
    left = float(signs.waiting)
    most = _MOST_TIMES * (signs.moments[-1].finished + signs.waiting)
    for _ in range(1000):
        new = _find_new(rate, decline, 0.0, left)
        if signs.waiting + new > most:
            return None
        if signs.waiting + new - left < 0.5:
            return signs.waiting + new
        left = signs.waiting + new
    return None


def _solve_by_depth(signs: ForecastSigns, rate: float, decline: float) -> float | None:
    """Return the same for a task with a depth limit: what requests bring is one deeper, and at the limit they bring nothing.

    `rate` is of all requests, those at the limit among them; those that wait show how many of them there are. A page brings no
    more than it has links.
    """
    most = _MOST_TIMES * (signs.moments[-1].finished + signs.waiting)
    fertile = sum(signs.depths[:-1])
    if not fertile:
        return float(signs.waiting)
    each = signs.links / signs.moments[-1].finished if signs.links else math.inf
    rate = min(rate * signs.waiting / fertile, max(rate, each))
    done, all_new, new = 0.0, 0.0, 0.0
    for waiting in signs.depths[:-1]:
        through = waiting + new
        new = _find_new(rate, decline, done, through)
        done += through
        all_new += new
        if all_new > most:
            return None
    return signs.waiting + all_new


def _find_new(rate: float, decline: float, done: float, through: float) -> float:
    """Return how many new requests so many bring, after `done` others, if each brings `rate` at first."""
    if decline <= 0:
        return rate * through
    return rate / decline * math.exp(-decline * done) * -math.expm1(-decline * through)


def _compare_links(signs: ForecastSigns, part: float) -> tuple[float, float]:
    """Return how many new requests a finished one brings lately, and how that declines, by the share of links that are new.

    If links lead anywhere in a site, the share of those to unknown pages is the share of pages that are unknown.
    """
    now = signs.moments[-1]
    past = [one for one in signs.moments if one.finished <= (1 - part) * now.finished] or [signs.moments[0]]
    done = now.finished - past[-1].finished
    if not done or not signs.links:
        return 0.0, 0.0
    rate, each = (now.queued - past[-1].queued) / done, signs.links / now.finished
    if rate >= each:
        return 0.0, 0.0
    site = now.queued / (1 - rate / each)
    return rate, each / site


def _fit_discovery(moments: Sequence[Moment], part: float) -> tuple[float, float]:
    """Return how many new requests a finished one brings now, and how quickly that declines with each.

    Least squares for the rate, at each of some declines. Cost: moments times declines.
    """
    now = moments[-1]
    since = [one for one in moments if one.finished >= (1 - part) * now.finished]
    if len(since) < 3:
        since = list(moments[-3:])
    back = [now.finished - one.finished for one in since[:-1]]
    found = [now.queued - one.queued for one in since[:-1]]
    span = max(back)
    if not span:
        return 0.0, 0.0
    best = (math.inf, 0.0, 0.0)
    for steps in _DECLINES:
        decline = steps / span
        # With a rate of 1 at present, so many would have been found since each moment.
        grown = [math.expm1(decline * one) / decline if decline else float(one) for one in back]
        squares = sum(one * one for one in grown)
        rate = sum(a * b for a, b in zip(grown, found, strict=True)) / squares if squares else 0.0
        error = sum((rate * a - b) ** 2 for a, b in zip(grown, found, strict=True))
        if error < best[0] * 0.999:
            best = (error, rate, decline)
    return best[1:]


def _find_pace(moments: Sequence[Moment], part: float) -> float:
    """Return how many requests were finished a second, in this part of them, counted from the newest."""
    now = moments[-1]
    past = [one for one in moments if one.finished <= (1 - part) * now.finished] or [moments[0]]
    took_s = now.elapsed_s - past[-1].elapsed_s
    return (now.finished - past[-1].finished) / took_s if took_s > 0 else 0.0


def _find_yield(moments: Sequence[Moment]) -> float:
    """Return how many pages a finished request brings, lately."""
    now = moments[-1]
    past = [one for one in moments if one.finished <= 0.5 * now.finished] or [moments[0]]
    done = now.finished - past[-1].finished
    return (now.pages - past[-1].pages) / done if done else now.pages / max(1, now.finished)


def _find_time(signs: ForecastSigns, requests: float, pace: float) -> float:
    """Return how long so many requests take: at this pace, and not less than the longest queue with its pauses."""
    growth = requests / signs.waiting
    at_once = sum(1 / pause_s for left, pause_s in signs.hosts if left and pause_s > 0)
    slower = min(max(1.0, at_once / pace), _SLOWEST)
    longest_s = max((left * pause_s for left, pause_s in signs.hosts), default=0.0)
    if growth < 1:  # a limit comes first: queues do not run dry
        return requests / pace
    return max(requests / pace, longest_s * slower * growth)


def thin_out(moments: Sequence[Moment], most: int = 200) -> list[Moment]:
    """Return some of many moments, the first and the last among them, at nearly equal distances of finished requests."""
    if len(moments) <= most:
        return list(moments)
    step = max(1, moments[-1].finished // most)
    kept = [moments[0]]
    for one, after in pairwise(moments):
        if after.finished - kept[-1].finished >= step or after is moments[-1]:
            kept.append(after if after is moments[-1] else one)
    return kept
