"""The watchdog: notices that a crawl has stalled, reports why, and restarts what died.

Schmitz 2001, section 6.1, has a thread that watches the worker threads and starts new ones. Here visits are coroutines,
so three things can go wrong:

- a visit waits for something that never comes: it is reported, and beyond every time limit it is cancelled and retried;
- the connections or the resolver have died: they are renewed;
- a function that does not return blocks the event loop: a thread of the watchdog reports which.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Set

from gossamer.crawl.events import Notice
from gossamer.crawl.loop import stall_reasons
from gossamer.crawl.loop.stall_reasons import (
    CrawlSigns,
    Diagnosis,
    describe_visits,
    describe_writing,
    diagnose,
    step_limit_s,
)
from gossamer.crawl.loop.visit_step import (
    VisitState,
    find_awaited_function,
    find_function,
    find_request,
    find_step,
    list_frames,
)
from gossamer.crawl.loop.write_batches import CommitLoop
from gossamer.crawl.visit.record_outcome import record
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.crawl.visit.worth_retrying import is_worth_retrying
from gossamer.records import Failed

CHECK_S = 1.0
STALL_S = 20.0
"""How long no visit may end before the reason is reported."""
REPEAT_S = 600.0
"""How long the same cause is not reported again."""
SHOWN_S = 5.0
"""How long no visit may end before the status says why: those who look at it want to know soon."""
UNANSWERED = 20
"""Requests in a row without any answer that are taken for a dead network."""


class Watchdog:
    """Checks a shard once a second from its event loop, and the event loop from a thread."""

    def __init__(
        self, shard: ShardContext, commits: CommitLoop, under_way: Set["asyncio.Task[None]"]
    ) -> None:
        self._shard = shard
        self._commits = commits
        self._under_way = under_way
        self._life: tuple[int, ...] = ()
        self._alive_s = shard.clock()
        self._reported: dict[str, float] = {}
        """When each cause was last reported."""
        self._is_stalled = False
        """Whether a stall was reported and not ended yet."""
        self.stall = ""
        """Why no visit has ended for a while, for the status; "" if one has."""
        self._since_s: dict[asyncio.Task[None], float] = {}
        """When each visit was first seen."""
        self._interrupted: set[asyncio.Task[None]] = set()
        self.on_block: Callable[[], None] = lambda: None
        """Called from the watchdog's thread when the event loop is blocked."""
        self._renewed_s = 0.0
        self._checks = 0
        self._end = threading.Event()
        self._loop_task: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start checking the asyncio task that calls this."""
        self._loop_task = asyncio.current_task()
        self._watching = asyncio.create_task(self._watch())
        thread = threading.get_ident()
        threading.Thread(
            target=self._watch_loop, args=(thread,), name="gossamer watchdog", daemon=True
        ).start()

    def stop(self) -> None:
        """Stop checking; raise what went wrong meanwhile."""
        self._end.set()
        if self._watching is not None and not self._watching.cancel():
            self._watching.result()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(CHECK_S)
            self._checks += 1
            await self.check()

    async def check(self) -> None:
        """Check whether visits end; otherwise report why not, and repair what can be repaired."""
        now_s = self._shard.clock()
        self._update_progress(now_s)
        self._since_s = {one: self._since_s.get(one, now_s) for one in self._under_way}
        # Only old visits: inspecting a coroutine makes it slower.
        old = [(one, since_s) for one, since_s in self._since_s.items() if now_s - since_s >= STALL_S]
        standing = {one: at for one, since_s in old if (at := find_step(one, since_s))}
        if found := diagnose(self._read_signs(now_s, tuple(standing.values())), STALL_S):
            self._report_once(found, now_s)
        self.stall = self._describe_stall(now_s)
        await self._repair(standing, now_s)

    # Observing

    def _update_progress(self, now_s: float) -> None:
        """Record whether any visit has ended since the last check."""
        shard = self._shard
        ended = sum(task.tally["finished"] for task in shard.tasks.values())
        life = (ended, len(shard.pending.batch.visits), len(shard.touched))
        # Only growth counts: a written batch takes visits away although nothing has ended.
        grown = not self._life or any(now > before for now, before in zip(life, self._life, strict=True))
        if not grown:
            self._life = life
            return
        if self._is_stalled:
            text = f"the crawl continues, after {now_s - self._alive_s:.0f} s"
            self._shard.watch(Notice(now_s, text, is_trouble=False))
        self._life, self._alive_s, self._is_stalled = life, now_s, False

    def _read_signs(self, now_s: float, visits: tuple[VisitState, ...]) -> CrawlSigns:
        commits = self._commits
        return CrawlSigns(
            now_s,
            now_s - self._alive_s,
            now_s - commits.writing_since_s if commits.writing_since_s else 0.0,
            commits.is_paused or now_s < self._shard.shortage.until_s,
            len(self._under_way),
            visits,
            self._shard.frontier.next_ready_s(),
            find_awaited_function(self._loop_task) if self._loop_task is not None else "",
        )

    def _describe_stall(self, now_s: float) -> str:
        """Say why no visit has ended for some seconds; "" if one has."""
        if self._commits.is_paused:
            return f"{self._commits.trouble}; the crawl pauses and continues by itself"
        if self._shard.quiet and not self._under_way:
            return self._shard.quiet
        if now_s < self._shard.shortage.until_s:
            return f"{self._shard.shortage.what}; the crawl waits, loses nothing and continues by itself"
        if now_s - self._alive_s < SHOWN_S:
            return ""
        old = [(one, since_s) for one, since_s in self._since_s.items() if now_s - since_s >= SHOWN_S]
        visits = tuple(at for one, since_s in old if (at := find_step(one, since_s)))
        found = diagnose(self._read_signs(now_s, visits), SHOWN_S)
        return found.text if found else ""

    # Reporting

    def _report_once(self, found: Diagnosis, now_s: float) -> None:
        if now_s - self._reported.get(found.cause, -REPEAT_S) >= REPEAT_S:
            self._reported[found.cause] = now_s
            self._is_stalled = True
            self._notify(found.text)

    def _notify(self, text: str) -> None:
        self._shard.watch(Notice(self._shard.clock(), text))

    # Repairing

    async def _repair(self, standing: dict["asyncio.Task[None]", VisitState], now_s: float) -> None:
        """Renew the fetcher first; then cancel visits that hang beyond every time limit."""
        unanswered = self._shard.fetcher.unanswered
        if unanswered >= UNANSWERED:
            self._notify(
                f"{unanswered} requests in a row were not answered: connections are renewed; is the network down?"
            )
            await self._shard.fetcher.renew()
            return  # the visits may be at another step by now
        hung = {one: at for one, at in standing.items() if self._is_hung(at, now_s)}
        network = [at for at in hung.values() if at.step in ("dns", "robots", "fetch")]
        if network and now_s - self._renewed_s > stall_reasons.SLACK_S:
            self._renewed_s = now_s
            self._notify(
                f"{describe_visits(network[0].step, network, now_s)}: connections and name look-ups are renewed"
            )
            await self._shard.fetcher.renew()
            return  # fetches under way fail and are retried
        for one, at in hung.items():
            self._interrupt(one, at)

    def _is_hung(self, at: VisitState, now_s: float) -> bool:
        task = self._shard.task_of(at.request)
        if task.reception is not None and at.step in ("robots", "fetch"):
            return False  # it may wait for bandwidth; its own time limit ends it
        settings = task.spec.fetching
        return now_s - at.since_s > step_limit_s(at.step, settings)

    def _interrupt(self, one: "asyncio.Task[None]", at: VisitState) -> None:
        """Cancel a visit; unless its page is recorded already, the request is retried or fails."""
        if one in self._interrupted:
            return  # a function that ignores cancellation
        self._interrupted.add(one)
        shard, why = self._shard, describe_visits(at.step, [at], self._shard.clock())
        failure = Failed("timeout", why)

        def record_failure(one: "asyncio.Task[None]") -> None:
            self._interrupted.discard(one)
            if not one.cancelled() or at.kept:
                return
            again = is_worth_retrying(at.request, failure, shard.task_of(at.request).spec.politeness)
            self._notify(f"{why}: {'it will be retried' if again else 'it is given up'}")
            record(at.request, failure, shard)

        one.add_done_callback(record_failure)
        one.cancel(why)

    # The event loop itself

    def _watch_loop(self, thread: int) -> None:
        """Report what the event loop is doing if it is blocked: nothing else can report it then."""
        looks, blocked = self._checks, 0
        while not self._end.wait(CHECK_S):
            # Counted, not measured: a machine that slept or a process that was halted is not blocked.
            blocked = 0 if looks != self._checks else blocked + 1
            looks = self._checks
            if blocked == max(1, round(STALL_S / CHECK_S)):
                self._report_blocked(thread, blocked * CHECK_S)

    def _report_blocked(self, thread: int, time_s: float) -> None:
        frames = list_frames(sys._current_frames().get(thread))
        if not frames or frames[-1].f_globals["__name__"] == "selectors":
            return  # it has ended, or waits for events as it should
        self._is_stalled = True
        if self._commits.writing_since_s:
            self._tell_stall(describe_writing(time_s))
            return
        request = find_request(frames)
        function = find_function(frames) or frames[-1].f_code.co_qualname
        where = f" on {request.url}" if request is not None else ""
        self._tell_stall(f"the crawl waits for {function}, which has not returned for {time_s:.0f} s{where}")

    def _tell_stall(self, text: str) -> None:
        """Report a blocked event loop, which cannot do it itself."""
        self._notify(text)
        self.stall = text
        self.on_block()
