"""The watchdog: notices that a crawl stands still, says why, and makes anew what died.

Seed 002 (section 6.1) has a thread that looks after the worker threads and starts new ones. Here visits are
coroutines, so three things can go wrong, and each is looked after: what a visit waits for never comes (it is named; beyond
every limit of time the visit is ended and tried again), what fetching rests on has died (it is made anew), or the
event loop itself is held up by a function that does not return (a thread of our own says by which).
"""

import asyncio
import sys
import threading
from collections.abc import Set

from gossamer.crawl.events import Notice
from gossamer.crawl.loop import stall_reasons
from gossamer.crawl.loop.commit_loop import CommitLoop
from gossamer.crawl.loop.stall_reasons import Diagnosis, Signs, diagnosis, longest_s, said_of, said_of_writing
from gossamer.crawl.loop.visit_step import (
    VisitState,
    calls_of,
    function_in,
    request_in,
    waits_for,
    whereabouts,
)
from gossamer.crawl.visit.record_outcome import is_worth_retrying, record
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.records import Failed

LOOK_S = 1.0
AGAIN_S = 600.0
"""So long after it was told, the same cause is told again."""
UNANSWERED = 20
"""So many requests in a row to which nobody answers at all are no chance."""


class Watchdog:
    """Looks at a shard once a second, from its event loop, and at that loop from a thread."""

    def __init__(
        self, shard: ShardContext, commits: CommitLoop, under_way: Set["asyncio.Task[None]"]
    ) -> None:
        self._shard = shard
        self._commits = commits
        self._under_way = under_way
        self._life: tuple[int, ...] = ()
        self._alive_s = shard.clock()
        self._told: dict[str, float] = {}
        """When each cause was told last."""
        self._stands_still = False
        """Whether somebody was told that it does."""
        self._since_s: dict[asyncio.Task[None], float] = {}
        """When each visit was seen for the first time."""
        self._interrupted: set[asyncio.Task[None]] = set()
        self._renewed_s = 0.0
        self._looks = 0
        self._end = threading.Event()
        self._loop_task: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look at the task that calls this, in its event loop."""
        self._loop_task = asyncio.current_task()
        self._watching = asyncio.create_task(self._watch())
        thread = threading.get_ident()
        threading.Thread(
            target=self._watch_loop, args=(thread,), name="gossamer watchdog", daemon=True
        ).start()

    def stop(self) -> None:
        """Look no more; raise what went wrong meanwhile."""
        self._end.set()
        if self._watching is not None and not self._watching.cancel():
            self._watching.result()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._looks += 1
            await self.look()

    async def look(self) -> None:
        """See whether the crawl goes on; else say why not, and mend what can be mended."""
        now_s = self._shard.clock()
        self._feel_pulse(now_s)
        self._since_s = {one: self._since_s.get(one, now_s) for one in self._under_way}
        # Only of those that take long: looking at a coroutine makes it slower.
        old = [
            (one, since_s)
            for one, since_s in self._since_s.items()
            if now_s - since_s >= stall_reasons.STALL_S
        ]
        standing = {one: at for one, since_s in old if (at := whereabouts(one, since_s))}
        if found := diagnosis(self._signs(now_s, tuple(standing.values()))):
            self._tell_now_and_then(found, now_s)
        await self._mend(standing, now_s)

    # Seeing

    def _feel_pulse(self, now_s: float) -> None:
        """Note whether anything has come to its end since the last look."""
        shard = self._shard
        ended = sum(task.tally["finished"] for task in shard.tasks.values())
        life = (ended, len(shard.pending.batch.visits), len(shard.touched))
        # Only what has grown is life: a batch that is written takes visits away, and nothing has come in.
        grown = not self._life or any(now > before for now, before in zip(life, self._life, strict=True))
        if not grown:
            self._life = life
            return
        if self._stands_still:
            self._tell(f"the crawl goes on, after {now_s - self._alive_s:.0f} s")
        self._life, self._alive_s, self._stands_still = life, now_s, False

    def _signs(self, now_s: float, visits: tuple[VisitState, ...]) -> Signs:
        commits = self._commits
        return Signs(
            now_s,
            now_s - self._alive_s,
            now_s - commits.writing_since_s if commits.writing_since_s else 0.0,
            commits.full,
            len(self._under_way),
            visits,
            self._shard.frontier.next_ready_s(),
            waits_for(self._loop_task) if self._loop_task is not None else "",
        )

    # Saying

    def _tell_now_and_then(self, found: Diagnosis, now_s: float) -> None:
        if now_s - self._told.get(found.cause, -AGAIN_S) >= AGAIN_S:
            self._told[found.cause] = now_s
            self._stands_still = True
            self._tell(found.text)

    def _tell(self, text: str) -> None:
        self._shard.watch(Notice(self._shard.clock(), text))

    # Mending

    async def _mend(self, standing: dict["asyncio.Task[None]", VisitState], now_s: float) -> None:
        """End visits that hang beyond every limit; what they rest on is made anew first."""
        unanswered = self._shard.fetcher.unanswered
        if unanswered >= UNANSWERED:
            self._tell(
                f"{unanswered} requests in a row were not answered: connections are made anew; is the network down?"
            )
            await self._shard.fetcher.renew()
            return  # who waited may be elsewhere by now
        hung = {one: at for one, at in standing.items() if self._is_hung(at, now_s)}
        network = [at for at in hung.values() if at.step in ("dns", "robots", "fetch")]
        if network and now_s - self._renewed_s > stall_reasons.SLACK_S:
            self._renewed_s = now_s
            self._tell(f"{said_of(network[0].step, network, now_s)}: connections and look-ups are made anew")
            await self._shard.fetcher.renew()
            return  # what was under way is told, and tried again
        for one, at in hung.items():
            self._interrupt(one, at)

    def _is_hung(self, at: VisitState, now_s: float) -> bool:
        settings = self._shard.task_of(at.request).spec.fetching
        return now_s - at.since_s > longest_s(at.step, settings)

    def _interrupt(self, one: "asyncio.Task[None]", at: VisitState) -> None:
        """End a visit; unless its page is kept already, the request is tried again, or fails with its cause."""
        if one in self._interrupted:
            return  # a function that does not let itself be ended
        self._interrupted.add(one)
        shard, why = self._shard, said_of(at.step, [at], self._shard.clock())
        failure = Failed("timeout", why)

        def ended(one: "asyncio.Task[None]") -> None:
            self._interrupted.discard(one)
            if not one.cancelled() or at.kept:
                return
            again = is_worth_retrying(at.request, failure, shard)
            self._tell(f"{why}: {'it is tried again' if again else 'it is given up'}")
            record(at.request, failure, shard)

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
            if held_up == max(1, round(stall_reasons.STALL_S / LOOK_S)):
                self._tell_held_up(thread, held_up * LOOK_S)

    def _tell_held_up(self, thread: int, time_s: float) -> None:
        frames = calls_of(sys._current_frames().get(thread))
        if not frames or frames[-1].f_globals["__name__"] == "selectors":
            return  # it has ended, or waits for news as it should
        self._stands_still = True
        if self._commits.writing_since_s:
            self._tell(said_of_writing(time_s))
            return
        request = request_in(frames)
        function = function_in(frames) or frames[-1].f_code.co_qualname
        where = f" on {request.url}" if request is not None else ""
        self._tell(f"everything waits for {function}, which has not returned for {time_s:.0f} s{where}")
