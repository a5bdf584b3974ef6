"""Why a crawl has stalled, judged from its visible state. Pure: the time is an argument."""

import time

import msgspec

from gossamer.config import Fetching
from gossamer.crawl.loop.visit_step import Step, VisitState

SLACK_S = 30.0
"""How much longer than its time limits a visit may take on a busy machine."""
FUNCTION_S = 600.0
"""How long a user's function may take for one page."""
_HOSTS_NAMED = 3
_ROBOTS_HOPS = 6


class CrawlSigns(msgspec.Struct, frozen=True):
    """The visible state of a crawl."""

    now_s: float
    quiet_s: float
    """How long no visit has ended."""
    writing_s: float = 0.0
    """How long the current batch has been being written."""
    full: bool = False
    """Whether the disk is full, the store away, or this machine has run out of something, which is reported elsewhere."""
    under_way: int = 0
    """How many visits are under way."""
    visits: tuple[VisitState, ...] = ()
    """The visits that take long."""
    next_ready_s: float | None = None
    """When the next host may be asked; None if no host has requests left."""
    listener: str = ""
    """The listener that was called at the end of a task and has not returned."""


class Diagnosis(msgspec.Struct, frozen=True):
    """Why a crawl has stalled: one word for the cause, and a sentence."""

    cause: str
    text: str


_WAITING: dict[Step, str] = {
    "dns": "no name server has answered for {hosts} for {s:.0f} s",
    "robots": "no robots.txt has come from {hosts} for {s:.0f} s",
    "fetch": "no answer has come from {hosts} for {s:.0f} s",
    "web": "reading stored pages of {hosts} has taken {s:.0f} s: the disk is slow",
    "document": "reading the document {url} has taken {s:.0f} s",
    "function": "{function} has not returned for {s:.0f} s from {url}",
    "work": "the visit to {url} has taken {s:.0f} s",
}


def diagnose(signs: CrawlSigns, stall_s: float) -> Diagnosis | None:
    """Say why no visit has ended for `stall_s`; None if one has, or if the reason is reported elsewhere."""
    if signs.quiet_s < stall_s or signs.full:
        return None
    if signs.writing_s >= stall_s:
        return Diagnosis("writing", describe_writing(signs.writing_s))
    if signs.listener:
        why = (
            f"{signs.listener} was called at the end of a task and has not returned for {signs.quiet_s:.0f} s"
        )
        return Diagnosis("listener", why)
    if signs.visits:
        return _diagnose_visits(signs)
    if not signs.under_way and signs.next_ready_s is not None and signs.next_ready_s > signs.now_s:
        when = time.strftime("%H:%M:%S", time.localtime(signs.next_ready_s))
        why = "all hosts with requests left are in their pause"
        return Diagnosis("peace", f"{why}; the next may be asked at {when}")
    return None


def _diagnose_visits(signs: CrawlSigns) -> Diagnosis:
    """Say what visits wait for, the most frequent first."""
    by_step: dict[Step, list[VisitState]] = {}
    for one in sorted(signs.visits, key=lambda one: one.since_s):
        by_step.setdefault(one.step, []).append(one)
    told = sorted(by_step.items(), key=lambda each: -len(each[1]))
    text = "; ".join(describe_visits(step, visits, signs.now_s) for step, visits in told)
    return Diagnosis(" ".join(step for step, _ in told), f"no visit has ended: {text}")


def describe_visits(step: Step, visits: list[VisitState], now_s: float) -> str:
    """Describe what these visits, the oldest first, wait for."""
    oldest = visits[0]
    hosts = list(dict.fromkeys(one.request.host for one in visits))
    more = len(hosts) - _HOSTS_NAMED
    named = ", ".join(hosts[:_HOSTS_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    facts = {"hosts": named, "function": oldest.function, "url": oldest.request.url}
    return _WAITING[step].format(s=now_s - oldest.since_s, **facts)


def describe_writing(time_s: float) -> str:
    """Describe a batch that takes long to write."""
    why = "the disk is slow, or another program has locked the state of the web"
    return f"writing a batch has taken {time_s:.0f} s: {why}"


def step_limit_s(step: Step, settings: Fetching) -> float:
    """Return how long after its start a visit may still be at a step if nothing is wrong."""
    # Two name look-ups, the proxy's included, and the page.
    page_s = 2 * settings.connect_time_s + settings.page_time_s
    limits: dict[Step, float] = {
        "dns": settings.connect_time_s,
        "fetch": page_s,
        # Redirects wait for their hosts as well, a minute at most (`visit/host_turns.py`).
        "robots": _ROBOTS_HOPS * (page_s + 60.0),
    }
    return limits.get(step, page_s + FUNCTION_S) + SLACK_S
