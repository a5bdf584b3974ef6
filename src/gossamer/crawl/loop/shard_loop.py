"""The loop of one shard: take requests that are ready, visit them, and have finished ones written in batches."""

import asyncio
import time
from collections.abc import Callable
from functools import partial

from gossamer.crawl.control.rejudge_links import LinkRejudging
from gossamer.crawl.control.task_state import Steer, stop_task
from gossamer.crawl.events import Notice, Progress, TaskEnded
from gossamer.crawl.loop.find_connections import ConnectionFinder, measure_process
from gossamer.crawl.loop.page_quota import Quota
from gossamer.crawl.loop.refill_frontier import FrontierRefill
from gossamer.crawl.loop.report_status import StatusReporter
from gossamer.crawl.loop.shard_inbox import Inbox
from gossamer.crawl.loop.visit_step import find_step
from gossamer.crawl.loop.watchdog import Watchdog
from gossamer.crawl.loop.write_batches import BatchWriter, CommitLoop, Hurry
from gossamer.crawl.status.count_history import HistoryWriter
from gossamer.crawl.status.status_file import StatusSink
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import await_result
from gossamer.crawl.task_counts import REQUISITES_FINISHED
from gossamer.crawl.visit.record_outcome import give_back
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.crawl.visit.visit import visit
from gossamer.records import Request
from gossamer.store.batch import Store

PROGRESS_S = 1.0
STEER_S = 0.25
IDLE_S = 0.05
"""How often an idle shard asks the store what the others did; also the shortest gap between looks at what a task has left."""
TIDY_ABOVE = 2_000
"""Hosts in the frontier above which idle ones are forgotten."""
GRACE_S = 1.0
"""How long visits may go on after an order has stopped their task."""
_LONGEST_REST_S = 0.5


def steady_clock() -> Callable[[], float]:
    """Return a clock that shows Unix time but never jumps: setting the system time must not change pauses."""
    offset_s = time.time() - time.monotonic()
    return lambda: offset_s + time.monotonic()


class ShardLoop:
    """Runs the tasks of one shard until nothing is left, a limit is reached, or it is stopped."""

    def __init__(
        self,
        shard: ShardContext,
        store: Store,
        writer: BatchWriter,
        inbox: Inbox,
        connections: ConnectionFinder,
        steer: Steer,
        quota: Quota,
        hurry: Hurry | None = None,
        status: StatusSink | None = None,
    ) -> None:
        self.shard = shard
        self._status = status
        self._inbox = inbox
        self._steer = steer
        self._store = store
        self._refill = FrontierRefill(shard, store)
        self._quota = quota
        self._idle = False
        """Whether connections are idle because no host is ready."""
        self._connections = shard.connections = connections
        self._under_way: set[asyncio.Task[None]] = set()
        self._visits: dict[asyncio.Task[None], tuple[Request, float]] = {}
        """The visits under way, the oldest first, each with its request and the time when it began."""
        self._cancelled: set[asyncio.Task[None]] = set()
        """Visits that were cancelled since their task was stopped."""
        self._woken = asyncio.Event()
        hurry = hurry or (lambda _: bool(self.stopping))
        history = HistoryWriter(store, shard.territory.shard)
        self._commits = CommitLoop(shard, writer, self._woken.set, hurry, history)
        self._rejudging = LinkRejudging(shard, store, self._under_way, self._woken.set)
        self._progress_s = self._steered_s = self._left_s = shard.clock()
        self._rests_until_s = 0.0
        """Until when nothing but the end of a visit is expected; 0 while a round is under way."""
        self._last_counts = (0, 0)
        self._tidy_above = TIDY_ABOVE
        self._quiet: set[int] = set()
        """Tasks whose quiet hours hold now."""
        self._failure: BaseException | None = None
        self.stopping = ""
        """Why the shard is to stop; "" while it is not."""
        self.leaving = False
        """Whether the tasks go on without this shard when it stops."""

    async def run(self) -> None:
        """Crawl. When this returns or raises, every accepted link is in the store."""
        watchdog = Watchdog(self.shard, self._commits, self._under_way)
        watchdog.start()
        reporter = None
        if self._status is not None:
            reporter = StatusReporter(self.shard, self._visits, self._status, lambda: watchdog.stall)
            watchdog.on_block = reporter.report_block
            reporter.start()
        try:
            await self._commit_now()  # from here on the store knows the tasks
            while self._is_running():
                self._woken.clear()  # visits that end from here on cut the next rest short
                if not self._commits.is_paused:
                    self._inbox.take_in_due(not self._commits.under_way)
                await self._end_tasks()
                self._start_visits()
                await self._rest()
                await self._commit_if_due()
                if not self._commits.under_way:
                    self._refill.load(self._idle)
                self._rejudging.start_next(not self._commits.under_way)
                self._report_progress()
                self._carry_out_orders()
                self._cancel_stopped_visits()
            await self._finish()
        finally:
            for one in self._under_way:
                one.cancel()
            await asyncio.gather(*self._under_way, return_exceptions=True)
            await self._rejudging.stop()
            await self._commits.abandon()
            watchdog.stop()
            if reporter is not None:
                reporter.stop()

    def _is_running(self) -> bool:
        if self._failure is not None:
            raise self._failure
        return not self.stopping and any(task.state == "running" for task in self.shard.tasks.values())

    def _start_visits(self) -> None:
        """Start visits for the requests that are ready, as far as connections are free."""
        self._idle = False
        most = self._limit_visits()
        if self._commits.is_paused or len(self._under_way) >= most:
            self._connections.note_pass(len(self._under_way) >= most)
            return
        self._note_quiet_hours()
        with self._quota.hold():
            self._take_requests(most)
        self._connections.note_pass(len(self._under_way) >= most)

    def _note_quiet_hours(self) -> None:
        """Report once when the quiet hours of a task begin, and until when they last."""
        shard, now_s = self.shard, self.shard.clock()
        quiet = ""
        for task in shard.tasks.values():
            if task.state == "running" and task.quiet_hours and (text := task.quiet_hours.describe(now_s)):
                quiet = quiet or text
                if task.number not in self._quiet and shard.territory.first:
                    shard.watch(Notice(now_s, f"{task.name}: {text}", is_trouble=False))
                self._quiet.add(task.number)
            else:
                self._quiet.discard(task.number)
        shard.quiet = quiet

    def _limit_visits(self) -> int:
        """Return how many visits may be under way now."""
        shortage = self.shard.shortage
        if not shortage.until_s:
            return self._connections.number
        return shortage.limit_visits(self._connections.number, self.shard.clock())

    def _take_requests(self, most: int) -> None:
        shard, now_s = self.shard, self.shard.clock()
        tasks = shard.tasks.values()
        held = {
            task.number
            for task in tasks
            if task.state != "running"
            or (task.full and not task.requisites_left)
            or (not shard.territory.first and task.find_reached_limit(now_s))
            or (task.reception is not None and task.reception.is_crowded)
            or task.number in self._quiet
        }
        full = {task.number for task in tasks if task.requisites_left and task.full}
        while len(self._under_way) < most:
            request = shard.frontier.take(shard.clock(), held, full)
            if request is None:
                self._idle = len(held) < len(shard.tasks)
                break
            shard.turns.begin(request, shard.task_of(request))
            if shard.tasks[request.task].full:
                (full if shard.tasks[request.task].requisites_left else held).add(request.task)
            one = asyncio.create_task(visit(request, shard))
            self._under_way.add(one)
            self._visits[one] = request, now_s
            one.add_done_callback(partial(self._end_visit, request))

    def _end_visit(self, request: Request, one: asyncio.Task[None]) -> None:
        self._under_way.discard(one)
        self._visits.pop(one, None)
        if one in self._cancelled:
            self._cancelled.discard(one)
            if one.cancelled():
                give_back(request, self.shard)
        self.shard.turns.end(request, self.shard.task_of(request))
        if not one.cancelled() and (error := one.exception()) and self._failure is None:
            self._failure = error
        if not self._start_next():
            self._woken.set()

    def _start_next(self) -> bool:
        """Start the next visit at once, without a round of the loop; return False if the loop has more to do than that.

        A round takes 5 % of the time of a small page, and only hosts without a pause can be asked again at once.
        """
        now_s = self.shard.clock()
        if self._woken.is_set() or now_s >= self._rests_until_s or self._must_go_round(now_s):
            return False
        before = len(self._under_way)
        self._start_visits()
        ready_s = self.shard.frontier.next_ready_s()
        is_early = ready_s is not None and ready_s < self._rests_until_s
        return before < len(self._under_way) and not (
            is_early and len(self._under_way) < self._limit_visits()
        )

    def _must_go_round(self, now_s: float) -> bool:
        """Say whether something is due that a round of the loop does beside starting visits."""
        commits = self._commits
        is_writing_due = commits.is_large(2) if commits.under_way else commits.due_s() <= now_s
        return (
            self._failure is not None
            or bool(self.stopping)
            or commits.is_paused
            or is_writing_due
            or self._refill.is_due(False)
            or any(
                task.state != "running" or task.find_reached_limit(now_s)
                for task in self.shard.tasks.values()
            )
        )

    async def _rest(self) -> None:
        """Sleep until a visit ends, a batch is written, a host is ready, or something is due."""
        now_s = self.shard.clock()
        running = self._list_running_tasks()
        if not running:
            return
        rest_s = min(_LONGEST_REST_S, *(task.time_left_s(now_s) for task in running))
        if not self._commits.is_paused:
            rest_s = min(rest_s, self._inbox.due_s - now_s)
        if not self._commits.under_way:
            rest_s = min(rest_s, self._commits.due_s() - now_s)
            if self._refill.is_due(self._idle):
                rest_s = 0.0
        ready_s = self.shard.frontier.next_ready_s()
        if (
            ready_s is not None
            and len(self._under_way) < self._limit_visits()
            and not self._commits.is_paused
        ):
            rest_s = min(rest_s, ready_s - now_s)
        # Cheaper than a timeout, which would cancel the wait: the loop clears the event before each round anyway.
        timer = asyncio.get_running_loop().call_later(max(0.0, rest_s), self._woken.set)
        self._rests_until_s = now_s + rest_s
        try:
            await self._woken.wait()
        finally:
            timer.cancel()
            self._rests_until_s = 0.0

    def _has_work(self) -> bool:
        return bool(self._under_way) or self.shard.frontier.has_work()

    # Writing

    async def _commit_now(self) -> None:
        await self._settle()
        self._commits.begin()
        await self._settle()

    async def _commit_if_due(self) -> None:
        """Write the batch when it is due, while visits go on."""
        batch = self.shard.pending.batch
        # When writing cannot keep up, visits wait for it.
        overrun = self._commits.is_large(2) and not self._commits.is_paused
        if self._commits.under_way and (self._commits.done or overrun):
            await self._settle()
        if self._commits.under_way:
            return
        if batch and not self._has_work():
            self.shard.pending.urgent = True  # nothing else is under way, and other shards may wait for it
        if self._commits.due_s() <= self.shard.clock():
            self._commits.begin()

    async def _settle(self) -> None:
        """Wait for the last batch, then dismiss the requests of given-up hosts and forget idle hosts."""
        await self._commits.settle()
        self._left_s = 0.0
        self._quota.publish()
        self._dismiss_given_up()
        if len(self.shard.frontier) > self._tidy_above:
            self.shard.frontier.forget_idle_hosts(self.shard.clock(), keep=self.shard.touched)
            self._tidy_above = max(TIDY_ABOVE, 5 * len(self.shard.frontier) // 4)

    def _dismiss_given_up(self) -> None:
        """Dismiss the remaining requests at dead hosts and at hosts whose page budget is spent."""
        given_up, self.shard.given_up = self.shard.given_up, set()
        if not given_up:
            return
        more = self.shard.pending.count_waiting()
        for host, task, why in sorted(given_up):
            left = self._store.count_waiting(host, task) + more.get((host, task), 0)
            self.shard.dismiss_requests(host, task, why, left)
            if self.shard.tasks[task].requisites is not None:
                self._count_dismissed_requisites(host, task, left)

    def _count_dismissed_requisites(self, host: str, task: int, left: int) -> None:
        """Count the requisites among the requests that were dismissed as finished."""
        pending = self.shard.pending
        stored = self._store.requests(host, task, left + len(pending.batch.finished))
        finished = pending.list_finished_numbers()
        waiting = [one for one in stored if one.number not in finished]
        waiting += pending.list_new_requests().get((host, task), [])
        requisites = sum(one.type == "requisite" for one in waiting)
        self.shard.tasks[task].tally.count(REQUISITES_FINISHED, requisites)

    # Ending

    def _list_running_tasks(self) -> list[RunningTask]:
        return [task for task in self.shard.tasks.values() if task.state == "running"]

    async def _end_tasks(self) -> None:
        """End tasks that have nothing left to do or have reached a limit."""
        now_s = self.shard.clock()
        ask = self._left_s <= now_s
        if ask:
            self._left_s = now_s + IDLE_S
        for task in self.shard.tasks.values():
            task.elapsed_s(now_s)
            if task.state == "running":
                task.end_reported = False
                if self.shard.territory.first:
                    self._end_if_done(task, now_s, ask)
            elif not task.under_way and task.tally.is_written:
                await self._report_end(task)

    def _end_if_done(self, task: RunningTask, now_s: float, ask: bool) -> None:
        """End a task at a limit, or when no shard has work left for it; `ask` says whether to ask the store."""
        if limit := task.find_reached_limit(now_s):
            self._end(task, f"limit reached: {limit}")
        elif (
            ask
            and task.outstanding <= 0
            and not self._store.count_remaining(task.number)
            and not self._commits.has_work_for(task.number)
        ):
            self._end(task, task.nothing_left)

    def _end(self, task: RunningTask, reason: str) -> None:
        stop_task(task, "finished", reason, self.shard)
        self.shard.pending.urgent = True  # other shards read it from the store

    async def _report_end(self, task: RunningTask) -> None:
        """Report once that a task has ended, and why."""
        if task.end_reported:
            return
        task.end_reported = True
        counts = task.tally.as_dict()
        self.shard.watch(TaskEnded(self.shard.clock(), task.name, task.state, task.reason, counts))
        for listener in task.task.end_listeners:
            await await_result(listener(task.task, task.reason))

    def _cancel_stopped_visits(self) -> None:
        """Cancel visits of tasks that an order has stopped, if they do not end within a moment; their requests wait on.

        What is recorded already is left alone: only listeners are running then.
        """
        now_s = self.shard.clock()
        for one, (request, since_s) in list(self._visits.items()):
            if now_s - self.shard.task_of(request).stopped_s < GRACE_S or one in self._cancelled:
                continue
            at = find_step(one, since_s)
            if at is not None and not at.kept and not one.done():
                self._cancelled.add(one)
                one.cancel("its task was stopped")

    async def _finish(self) -> None:
        """Finish the visits under way, then write everything."""
        for task in [] if self.leaving else self._list_running_tasks():
            task.state, task.reason = "stopped", self.stopping
        if self._under_way and not self.stopping:
            await self._commit_now()  # an order has stopped all tasks: its sender sees that at once
        while self._under_way:
            await asyncio.wait(self._under_way, timeout=_LONGEST_REST_S / 2)
            self._cancel_stopped_visits()
        await self._rejudging.stop()
        if self._failure is not None:
            raise self._failure
        await self._commit_now()
        if self.shard.pending.batch:  # the last commit may have dismissed requests
            await self._commit_now()
        for task in self.shard.tasks.values():
            if task.state != "running":
                await self._report_end(task)

    def _report_progress(self) -> None:
        now_s = self.shard.clock()
        elapsed_s = now_s - self._progress_s
        if elapsed_s < PROGRESS_S:
            return
        if not self._connections.is_fixed:
            self._connections.measure(measure_process(now_s, self.shard.answers, self.shard.unanswered))
        tallies = [task.tally for task in self.shard.tasks.values()]
        pages, body_bytes = sum(t["downloaded"] for t in tallies), sum(t["bytes"] for t in tallies)
        rates = (pages - self._last_counts[0]) / elapsed_s, (body_bytes - self._last_counts[1]) / elapsed_s
        self._progress_s, self._last_counts = now_s, (pages, body_bytes)
        counts = {task.name: task.tally.as_dict() for task in self.shard.tasks.values()}
        self.shard.watch(Progress(now_s, counts, self.shard.frontier.count_hosts(now_s), *rates))

    def _carry_out_orders(self) -> None:
        """Carry out new orders, and read what other shards have counted."""
        now_s = self.shard.clock()
        if now_s - self._steered_s < (STEER_S if self._has_work() else IDLE_S):
            return
        self._steered_s = now_s
        todo = self._store.widenings()  # read before the new rules they belong to take effect
        self._steer(not self._commits.under_way)
        self._rejudging.add_widenings(todo)
        if self.shard.territory.shards > 1:
            self._quota.read_counts()
            self._quota.publish()
