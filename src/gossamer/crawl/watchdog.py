"""The watchdog: notices that a crawl stands still, says why, and makes anew what died.

Seed 002 (section 6.1) has a thread that looks after the worker threads and starts new ones. Here visits are
coroutines, so three things can go wrong, and each is looked after: what a visit waits for never comes (it is named; beyond
every limit of time the visit is ended and tried again), what fetching rests on has died (it is made anew), or the
event loop itself is held up by a function that does not return (a thread of our own says by which).
"""

import asyncio
import sys
import threading
import time
from collections.abc import Set

import msgspec

from gossamer.config import Fetching
from gossamer.crawl.committing import Commits
from gossamer.crawl.ending import keep, retry, worth_another_try
from gossamer.crawl.events import Notice
from gossamer.crawl.parts import Parts
from gossamer.crawl.whereabouts import (
    Step,
    Whereabouts,
    calls_of,
    function_in,
    request_in,
    waits_for,
    whereabouts,
)
from gossamer.records import Failed

LOOK_S = 1.0
STALL_S = 20.0
"""So long nothing comes to its end before somebody is told why."""
AGAIN_S = 600.0
"""So long after it was told, the same cause is told again."""
SLACK_S = 30.0
"""A visit may take so much longer than its limits of time together: the machine may be busy."""
FUNCTION_S = 600.0
"""How long a user's function may think about one page."""
UNANSWERED = 20
"""So many requests in a row to which nobody answers at all are no chance."""
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
    visits: tuple[Whereabouts, ...] = ()
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
    "fetch": "{hosts} have kept their answers back for {s:.0f} s",
    "web": "pages of {hosts} have been looked for in the web for {s:.0f} s: its disk is slow",
    "function": "{function} has not returned for {s:.0f} s from {url}",
    "work": "the visit to {url} has taken {s:.0f} s",
}


def diagnosis(signs: Signs) -> Diagnosis | None:
    """Say why nothing has come to its end for so long; None if it is not long, or known already."""
    if signs.quiet_s < STALL_S or signs.full:
        return None
    if signs.writing_s >= STALL_S:
        why = "the disk is slow, or another program keeps the state of the web locked"
        return Diagnosis("writing", f"a batch has been being written for {signs.writing_s:.0f} s: {why}")
    if signs.listener:
        why = (
            f"{signs.listener} was told that a task has ended, and has not returned for {signs.quiet_s:.0f} s"
        )
        return Diagnosis("listener", why)
    waiting = [one for one in signs.visits if signs.now_s - one.since_s >= STALL_S]
    if waiting:
        return _of_visits(waiting, signs.now_s)
    if signs.next_ready_s is not None and signs.next_ready_s > signs.now_s:
        when = time.strftime("%H:%M:%S", time.localtime(signs.next_ready_s))
        why = "all hosts that have something left are to be left in peace"
        return Diagnosis(f"peace until {when}", f"{why}; the next may be asked at {when}")
    return None


def _of_visits(waiting: list[Whereabouts], now_s: float) -> Diagnosis:
    """Say what visits wait for, the most frequent first."""
    by_step: dict[Step, list[Whereabouts]] = {}
    for one in sorted(waiting, key=lambda one: one.since_s):
        by_step.setdefault(one.step, []).append(one)
    told = sorted(by_step.items(), key=lambda each: -len(each[1]))
    text = "; ".join(_said(step, visits, now_s) for step, visits in told)
    return Diagnosis(" ".join(step for step, _ in told), f"nothing comes in: {text}")


def _said(step: Step, visits: list[Whereabouts], now_s: float) -> str:
    oldest = visits[0]
    hosts = list(dict.fromkeys(one.request.host for one in visits))
    more = len(hosts) - _HOSTS_NAMED
    named = ", ".join(hosts[:_HOSTS_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    facts = {"hosts": named, "function": oldest.function, "url": oldest.request.url}
    return _WAITING[step].format(s=now_s - oldest.since_s, **facts)


def longest_s(step: Step, settings: Fetching) -> float:
    """Return how long after its beginning a visit may still be at a step, if everything is in order."""
    page_s = (
        2 * settings.connect_time_s + settings.page_time_s
    )  # of a name and of a proxy's, then of the page
    limits: dict[Step, float] = {
        "dns": settings.connect_time_s,
        "fetch": page_s,
        # Redirects wait for their hosts as well, a minute at most (`hops.py`).
        "robots": _ROBOTS_HOPS * (page_s + 60.0),
    }
    return limits.get(step, page_s + FUNCTION_S) + SLACK_S


class Watchdog:
    """Looks at a shard once a second, from its event loop, and at that loop from a thread."""

    def __init__(self, parts: Parts, commits: Commits, under_way: Set["asyncio.Task[None]"]) -> None:
        self._parts = parts
        self._commits = commits
        self._under_way = under_way
        self._life: tuple[int, ...] = ()
        self._alive_s = parts.clock()
        self._told: dict[str, float] = {}
        self._renewed_s = 0.0
        self._looks = 0
        self._end = threading.Event()
        self._shard: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look at the task that calls this, in its event loop."""
        self._shard = asyncio.current_task()
        self._watching = asyncio.create_task(self._watch())
        thread = threading.get_ident()
        threading.Thread(
            target=self._watch_loop, args=(thread,), name="gossamer watchdog", daemon=True
        ).start()

    def stop(self) -> None:
        """Look no more."""
        self._end.set()
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._looks += 1
            await self.look()

    async def look(self) -> None:
        """See whether the crawl goes on; else say why not, and mend what can be mended."""
        now_s = self._parts.clock()
        self._feel_pulse(now_s)
        standing = {one: at for one in self._under_way if (at := whereabouts(one, self._parts))}
        if found := diagnosis(self._signs(now_s, tuple(standing.values()))):
            self._tell_now_and_then(found, now_s)
        await self._mend(standing, now_s)

    # Seeing

    def _feel_pulse(self, now_s: float) -> None:
        """Note whether anything has come to its end since the last look."""
        parts = self._parts
        ended = sum(task.tally["finished"] for task in parts.tasks.values())
        life = (ended, len(parts.filling.batch.visits), len(parts.touched))
        if life == self._life:
            return
        if self._told:
            self._tell(f"the crawl goes on, after {now_s - self._alive_s:.0f} s")
        self._life, self._alive_s, self._told = life, now_s, {}

    def _signs(self, now_s: float, visits: tuple[Whereabouts, ...]) -> Signs:
        commits = self._commits
        return Signs(
            now_s,
            now_s - self._alive_s,
            now_s - commits.writing_since_s if commits.writing_since_s else 0.0,
            commits.full,
            visits,
            self._parts.frontier.next_ready_s(),
            waits_for(self._shard) if self._shard is not None else "",
        )

    # Saying

    def _tell_now_and_then(self, found: Diagnosis, now_s: float) -> None:
        if now_s - self._told.get(found.cause, -AGAIN_S) >= AGAIN_S:
            self._told[found.cause] = now_s
            self._tell(found.text)

    def _tell(self, text: str) -> None:
        self._parts.watch(Notice(self._parts.clock(), text))

    # Mending

    async def _mend(self, standing: dict["asyncio.Task[None]", Whereabouts], now_s: float) -> None:
        """End visits that hang beyond every limit; what they rest on is made anew first."""
        unanswered = self._parts.fetcher.unanswered
        if unanswered >= UNANSWERED:
            self._tell(
                f"{unanswered} requests in a row were not answered: connections are made anew; is the network down?"
            )
            await self._parts.fetcher.renew()
        hung = {one: at for one, at in standing.items() if self._is_hung(at, now_s)}
        network = [at for at in hung.values() if at.step in ("dns", "robots", "fetch")]
        if network and now_s - self._renewed_s > SLACK_S:
            self._renewed_s = now_s
            self._tell(f"{_said(network[0].step, network, now_s)}: connections and look-ups are made anew")
            await self._parts.fetcher.renew()
            return  # what was under way is told, and tried again
        for one, at in hung.items():
            self._interrupt(one, at)

    def _is_hung(self, at: Whereabouts, now_s: float) -> bool:
        settings = self._parts.task(at.request).spec.fetching
        return now_s - at.since_s > longest_s(at.step, settings)

    def _interrupt(self, one: "asyncio.Task[None]", at: Whereabouts) -> None:
        """End a visit; unless its page is kept already, the request is tried again, or fails with its cause."""
        parts, why = self._parts, _said(at.step, [at], self._parts.clock())
        failure = Failed("timeout", why)

        def ended(one: "asyncio.Task[None]") -> None:
            if not one.cancelled() or at.kept:
                return
            again = worth_another_try(at.request, failure, parts)
            self._tell(f"{why}: {'it is tried again' if again else 'it is given up'}")
            (retry if again else keep)(at.request, failure, parts)

        one.add_done_callback(ended)
        one.cancel(why)

    # The event loop itself

    def _watch_loop(self, thread: int) -> None:
        """Say what the event loop does if it does not come round: then nothing else can."""
        looks, held_up = self._looks, 0
        while not self._end.wait(LOOK_S):
            # Counted, not measured: a machine that slept, or a process that was halted, is not held up.
            held_up = 0 if looks != self._looks else held_up + 1
            looks = self._looks
            if held_up == max(1, round(STALL_S / LOOK_S)):
                self._tell_held_up(thread, held_up * LOOK_S)

    def _tell_held_up(self, thread: int, time_s: float) -> None:
        frames = calls_of(sys._current_frames().get(thread))
        if not frames:
            return
        request = request_in(frames)
        function = function_in(frames) or frames[-1].f_code.co_qualname
        where = f" on {request.url}" if request is not None else ""
        self._told["held up"] = self._parts.clock()
        self._tell(f"everything waits for {function}, which has not returned for {time_s:.0f} s{where}")
