"""Forecast when a task will have ended, and with how many pages. Pure: all it needs is given.

Three questions are answered one after the other. *What is still found?* The share of links that lead to unknown pages is
compared with the share of pages that are unknown; popular pages are found first, so the first falls faster than the second.
*How many requests are left until the end?* All of those, or what the nearest limit leaves. *How long do they take?* Each host
answers one request in each pause, until its queue is empty; the slowest host or the pace of the crawl decides.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from gossamer.crawl.status.status_records import Forecast

LEAST_FINISHED = 5
LEAST_S = 2.0
"""Less than this says nothing."""
_WINDOW = 0.5
"""The part of the finished requests, counted from the newest, whose links are looked at."""
_PACE_PARTS = (0.1, 0.25, 0.5, 1.0)
_MOST_TIMES = 50.0
"""What would take so many times as long as everything so far is not forecast."""
_SLOWEST = 1.3
"""A host takes its pauses and, on top, the time of its answers: at most this much in all."""
_SOONER, _LATER = 0.1, 0.2
"""However well all fits, the end comes by such parts sooner or later: most worlds have more than they show."""
_TURN = 0.3
"""The end comes so many pauses earlier or later, since hosts take turns."""
_ENDLESS = 0.98
"""If this share of links leads to unknown pages, nothing tells how many there are."""
_LONGEST_GETS = 0.7
"""How new requests are spread over hosts until nothing is left: this part by their queues, the rest by their known sizes.
By known sizes alone, the last host would end too early, and by queues alone too late."""


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
    """Links that the rules follow, each time that one was found: to new pages and to known ones."""
    most_pages: int = 0
    """How many pages the budgets of all known hosts leave; 0 without such a budget."""


class _Case(msgspec.Struct, frozen=True):
    """How discovery may go on."""

    skew: float
    """The share of links to unknown pages is the share of unknown pages to this power: 1 if all are linked alike."""
    luck: float
    """By how many standard deviations the number of pages found lately was too small."""


# In the middle of 110 simulated crawls of the lab the power was 1 to 3, and from 2 to 3.5 before; the forecast hardly depends on it.
_LIKELY = _Case(2.2, 0.4)
_CASES = (_Case(1.2, -1.0), _LIKELY, _Case(4.0, 1.0))


class _Work(msgspec.Struct, frozen=True):
    """What is left to do in one case: so many requests, so many of them still to be found, for this reason."""

    requests: float
    new: float
    why: str


def forecast(signs: ForecastSigns) -> Forecast | None:
    """Return when a task will have ended; None if too little is known, or if no end is in sight."""
    now = signs.moments[-1]
    enough = len(signs.moments) >= 3 and now.finished >= LEAST_FINISHED and now.elapsed_s >= LEAST_S
    if not enough or not signs.waiting:
        return None
    if _is_still(signs):
        return _end_at_time_limit(signs, None, 0.0)
    recent = _find_pace(signs.moments, 0.25) or now.finished / now.elapsed_s
    paces = [pace for part in _PACE_PARTS if (pace := _find_pace(signs.moments, part))] or [recent]
    works = [_find_work(signs, case) for case in _CASES]
    most = _MOST_TIMES * (now.finished + signs.waiting)
    if works[1].requests > most:
        return _end_at_time_limit(signs, None, recent)
    fits = zip(works, (max(paces), recent, min(paces)), strict=True)
    times_s = [_find_time(signs, work, pace, max(paces)) for work, pace in fits]
    chance = 0.5 / math.sqrt(now.finished)
    turn_s = _TURN * max((pause_s for left, pause_s in signs.hosts if left), default=0.0)
    pages = now.pages + round(works[1].requests * _find_yield(signs.moments))
    pages = min(pages, signs.limit_pages) if signs.limit_pages else pages
    least_s = max(0.0, min(times_s) / (1 + _SOONER + chance) - turn_s)
    most_s = min(max(times_s), _MOST_TIMES * times_s[1]) * (1 + _LATER + chance) + turn_s
    return _end_at_time_limit(signs, Forecast(times_s[1], least_s, most_s, pages, works[1].why), recent)


def _is_still(signs: ForecastSigns) -> bool:
    """Say whether nothing was finished in the newest half of the time, although hosts could have been asked."""
    now = signs.moments[-1]
    longest_s = max((pause_s for _, pause_s in signs.hosts), default=0.0)
    if now.elapsed_s < 6 * longest_s:
        return False
    return not any(one.finished < now.finished for one in signs.moments if 2 * one.elapsed_s >= now.elapsed_s)


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


def _find_work(signs: ForecastSigns, case: _Case) -> _Work:
    """Return how many requests will have been finished until the end: all that are left, or what the nearest limit leaves."""
    now, share = signs.moments[-1], _find_yield(signs.moments)
    new = _find_new(signs, case)
    works = [_Work(signs.waiting + new, new, "what waits and what is still found")]
    if signs.limit_pages and share:
        works.append(_Work(max(0, signs.limit_pages - now.pages) / share, new, "the page limit"))
    if signs.limit_bytes and now.bytes:
        each = now.bytes / now.finished
        works.append(_Work(max(0, signs.limit_bytes - now.bytes) / each, new, "the limit of bytes"))
    if signs.most_pages and share:
        works.append(_Work(signs.most_pages / share, 0.0, "the page budgets of hosts"))
    return min(works, key=lambda work: work.requests)


def _find_new(signs: ForecastSigns, case: _Case) -> float:
    """Return how many requests are still found; infinity if no end is in sight.

    If N pages can be found and a share u of them is unknown, a link leads to an unknown page with the probability u ** skew.
    The links of the newest part of the past show that probability, and so N.
    """
    now, past = signs.moments[-1], _look_back(signs.moments, _WINDOW)
    done = now.finished - past.finished
    if not done or not signs.links:
        return math.inf
    each = signs.links / now.finished
    found = now.queued - past.queued
    found_likely = max(0.0, found + case.luck * math.sqrt(found + 1))
    chance = (found_likely + 0.5) / (each * done + 1)
    if chance >= _ENDLESS:
        return _find_new_by_depth(signs, found / done, 0.0) if signs.depths else math.inf
    known_then = (now.queued + past.queued) / 2
    site = max(now.queued, known_then / (1 - chance ** (1 / case.skew)))
    unknown = 1 - now.queued / site
    if signs.depths:
        decline = case.skew * each / site * unknown ** (case.skew - 1)
        return _find_new_by_depth(signs, each * unknown**case.skew, decline)
    return _follow_links(signs.waiting, site, unknown, each, case.skew)


def _follow_links(waiting: int, site: float, unknown: float, each: float, skew: float) -> float:
    """Return how many pages are found by what waits, and by what that finds, until nothing is left.

    The unknown share u declines with every request by each / site * u ** skew, for a skew above 1.
    """
    if not unknown:
        return 0.0
    new = 0.0
    for _ in range(200):
        links = each / site * (waiting + new)
        left = (unknown ** (1 - skew) + (skew - 1) * links) ** (1 / (1 - skew))
        found: float = site * (unknown - left)
        if found - new < 0.3:
            return found
        new = found
    return new


def _find_new_by_depth(signs: ForecastSigns, rate: float, decline: float) -> float:
    """Return the same for a task with a depth limit: what requests bring is one deeper, and at the limit they bring nothing.

    `rate` is of all requests, those at the limit among them; those that wait show how many of them there are. A page brings no
    more than it has links. `decline` is how quickly the rate falls with each request.
    """
    fertile = sum(signs.depths[:-1])
    if not fertile:
        return 0.0
    each = signs.links / signs.moments[-1].finished
    rate = min(rate * signs.waiting / fertile, max(rate, each))
    most = _MOST_TIMES * (signs.moments[-1].finished + signs.waiting)
    done, all_new, new = 0.0, 0.0, 0.0
    for waiting in signs.depths[:-1]:
        through = waiting + new
        new = rate * through
        if decline > 0:
            new = rate / decline * math.exp(-decline * done) * -math.expm1(-decline * through)
        done += through
        all_new += new
        if all_new > most:
            return math.inf
    return all_new


def _find_time(signs: ForecastSigns, work: _Work, pace: float, fastest: float) -> float:
    """Return how long the work takes: by the pauses of hosts, and not less than by the pace of the crawl.

    Where pauses allow twice the fastest pace or more, something else sets the pace.
    """
    hosts = [(left, pause_s) for left, pause_s in signs.hosts if left and pause_s > 0]
    at_once = sum(1 / pause_s for _, pause_s in hosts)
    by_pace_s = work.requests / (pace if not hosts or at_once > 2 * fastest else fastest)
    if not hosts:
        return by_pace_s
    slower = min(max(1.0, at_once / fastest), _SLOWEST)
    all_left = signs.waiting + work.new
    ends = work.requests >= all_left - 0.5
    loads = _spread(signs, hosts, min(work.new, work.requests), slower, ends)
    if ends:
        return max(by_pace_s, max(left * pause_s for left, pause_s in loads))
    part = sum(left for left, _ in loads) / max(all_left, 1.0) if math.isfinite(all_left) else 1.0
    return max(by_pace_s, _drain(loads, work.requests * min(part, 1.0)))


def _spread(
    signs: ForecastSigns, hosts: Sequence[tuple[int, float]], new: float, slower: float, ends: bool
) -> list[tuple[float, float]]:
    """Return the requests of each host until the end, new ones too, and what each of them takes.

    New ones go to hosts as the known ones did. A host with a queue has been asked after each pause so far, which tells
    how many of its pages are known. For the end itself, the host that is the last counts; it is the one that gets more.
    """
    now = signs.moments[-1]
    known = [left + now.elapsed_s / pause_s for left, pause_s in hosts]
    all_known = max(sum(known), now.finished + signs.waiting)
    all_waiting = max(1, sum(left for left, _ in signs.hosts))
    by_queue = _LONGEST_GETS if ends else 0.0
    return [
        (left + new * ((1 - by_queue) * size / all_known + by_queue * left / all_waiting), pause_s * slower)
        for (left, pause_s), size in zip(hosts, known, strict=True)
    ]


def _drain(loads: Sequence[tuple[float, float]], requests: float) -> float:
    """Return how long hosts with these queues and pauses take for so many requests, while one after the other runs dry.

    Cost: hosts times their logarithm.
    """
    speed, done, at_s = sum(1 / pause_s for _, pause_s in loads), 0.0, 0.0
    for dry_s, pause_s in sorted((left * pause_s, pause_s) for left, pause_s in loads):
        if done + speed * (dry_s - at_s) >= requests:
            return at_s + (requests - done) / speed
        done, at_s, speed = done + speed * (dry_s - at_s), dry_s, max(speed - 1 / pause_s, 1e-9)
    return at_s


def _look_back(moments: Sequence[Moment], part: float) -> Moment:
    """Return the moment before the newest part of the finished requests."""
    now = moments[-1]
    return next((one for one in reversed(moments) if one.finished <= (1 - part) * now.finished), moments[0])


def _find_pace(moments: Sequence[Moment], part: float) -> float:
    """Return how many requests were finished a second, in this part of them, counted from the newest."""
    now, past = moments[-1], _look_back(moments, part)
    took_s = now.elapsed_s - past.elapsed_s
    return (now.finished - past.finished) / took_s if took_s > 0 else 0.0


def _find_yield(moments: Sequence[Moment]) -> float:
    """Return how many pages a finished request brings, lately."""
    now, past = moments[-1], _look_back(moments, 0.5)
    done = now.finished - past.finished
    return (now.pages - past.pages) / done if done else now.pages / max(1, now.finished)


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
