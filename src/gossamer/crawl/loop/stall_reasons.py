"""Why a crawl stands still: judged from what can be seen of it, without a clock of its own."""

import time

import msgspec

from gossamer.config import Fetching
from gossamer.crawl.loop.visit_step import Step, VisitState

STALL_S = 20.0
"""So long nothing comes to its end before somebody is told why."""
SLACK_S = 30.0
"""A visit may take so much longer than its limits of time together: the machine may be busy."""
FUNCTION_S = 600.0
"""How long a user's function may think about one page."""
_HOSTS_NAMED = 3
_ROBOTS_HOPS = 6


class Signs(msgspec.Struct, frozen=True):
    """What can be seen of a crawl from outside."""

    now_s: float
    quiet_s: float
    """How long nothing has come to its end."""
    writing_s: float = 0.0
    """How long a batch has been being written."""
    full: bool = False
    """Whether the disk is full; everybody knows."""
    under_way: int = 0
    """How many visits there are."""
    visits: tuple[VisitState, ...] = ()
    """Those that take long."""
    next_ready_s: float | None = None
    """When the next host may be asked; None if none has anything left."""
    listener: str = ""
    """The user's function that was told of the end of a task and has not returned."""


class Diagnosis(msgspec.Struct, frozen=True):
    """Why a crawl stands still: a word for the cause, and a sentence."""

    cause: str
    text: str


_WAITING: dict[Step, str] = {
    "dns": "no name server has answered for {hosts} for {s:.0f} s",
    "robots": "robots.txt of {hosts} has been awaited for {s:.0f} s",
    "fetch": "no answer has come from {hosts} for {s:.0f} s",
    "web": "pages of {hosts} have been looked for in the web for {s:.0f} s: its disk is slow",
    "function": "{function} has not returned for {s:.0f} s from {url}",
    "work": "the visit to {url} has taken {s:.0f} s",
}


def diagnosis(signs: Signs) -> Diagnosis | None:
    """Say why nothing has come to its end for so long; None if it is not long, or known already."""
    if signs.quiet_s < STALL_S or signs.full:
        return None
    if signs.writing_s >= STALL_S:
        return Diagnosis("writing", said_of_writing(signs.writing_s))
    if signs.listener:
        why = (
            f"{signs.listener} was told that a task has ended, and has not returned for {signs.quiet_s:.0f} s"
        )
        return Diagnosis("listener", why)
    if signs.visits:
        return _of_visits(signs)
    if not signs.under_way and signs.next_ready_s is not None and signs.next_ready_s > signs.now_s:
        when = time.strftime("%H:%M:%S", time.localtime(signs.next_ready_s))
        why = "all hosts that have something left are to be left in peace"
        return Diagnosis("peace", f"{why}; the next may be asked at {when}")
    return None


def _of_visits(signs: Signs) -> Diagnosis:
    """Say what visits wait for, the most frequent first."""
    by_step: dict[Step, list[VisitState]] = {}
    for one in sorted(signs.visits, key=lambda one: one.since_s):
        by_step.setdefault(one.step, []).append(one)
    told = sorted(by_step.items(), key=lambda each: -len(each[1]))
    text = "; ".join(said_of(step, visits, signs.now_s) for step, visits in told)
    return Diagnosis(" ".join(step for step, _ in told), f"nothing comes in: {text}")


def said_of(step: Step, visits: list[VisitState], now_s: float) -> str:
    """Say what these visits, the oldest first, wait for."""
    oldest = visits[0]
    hosts = list(dict.fromkeys(one.request.host for one in visits))
    more = len(hosts) - _HOSTS_NAMED
    named = ", ".join(hosts[:_HOSTS_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    facts = {"hosts": named, "function": oldest.function, "url": oldest.request.url}
    return _WAITING[step].format(s=now_s - oldest.since_s, **facts)


def said_of_writing(time_s: float) -> str:
    """Say what a batch waits for that is not written."""
    why = "the disk is slow, or another program keeps the state of the web locked"
    return f"a batch has been being written for {time_s:.0f} s: {why}"


def longest_s(step: Step, settings: Fetching) -> float:
    """Return how long after its beginning a visit may still be at a step, if everything is in order."""
    # Two look-ups, of a proxy's name as well, and the page.
    page_s = 2 * settings.connect_time_s + settings.page_time_s
    limits: dict[Step, float] = {
        "dns": settings.connect_time_s,
        "fetch": page_s,
        # Redirects wait for their hosts as well, a minute at most (`hops.py`).
        "robots": _ROBOTS_HOPS * (page_s + 60.0),
    }
    return limits.get(step, page_s + FUNCTION_S) + SLACK_S
