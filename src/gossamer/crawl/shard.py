"""The loop of one shard: take what is ready, let it be visited, write down what is done, a batch at a time."""

import asyncio
import time
from collections.abc import Callable

from gossamer.crawl.events import Progress, TaskEnded
from gossamer.crawl.keeping import Keeper
from gossamer.crawl.parts import Filling, Parts
from gossamer.crawl.running import RunningTask
from gossamer.crawl.steering import Steer, unsteered
from gossamer.crawl.visit import visit
from gossamer.frontier.pace import Pace
from gossamer.frontier.window import HELD
from gossamer.records import HostNote
from gossamer.store.batch import Batch, Store

BATCH_PAGES = 200
BATCH_AGE_S = 1.0
HUNGRY_AGE_S = 0.05
"""When hosts wait for requests that only the store has, the batch is written sooner."""
PROGRESS_S = 1.0


def steady_clock() -> Callable[[], float]:
    """Return a clock that shows Unix time but never jumps: pauses must not depend on who sets the time."""
    offset_s = time.time() - time.monotonic()
    return lambda: offset_s + time.monotonic()


class Shard:
    """Runs the tasks of one shard until nothing is left, a limit is reached, or somebody stops it."""

    def __init__(
        self, parts: Parts, store: Store, keeper: Keeper, connections: int, steer: Steer = unsteered
    ) -> None:
        self.parts = parts
        self._steer = steer
        self._store = store
        self._keeper = keeper
        self._connections = connections
        self._under_way: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._committing: asyncio.Task[None] | None = None
        self._committed_s = parts.clock()
        self._progress_s = parts.clock()
        self._last_counts = (0, 0)
        self._failure: BaseException | None = None
        self.stopping = ""
        """Why the shard stops, when somebody wants it to."""

    async def run(self) -> None:
        """Crawl. What was accepted is in the store when this ends, however it ends."""
        try:
            while self._goes_on():
                self._start_visits()
                self._end_tasks()
                await self._rest()
                await self._commit_if_due()
                self._tell_progress()
            await self._finish()
        finally:
            for one in self._under_way:
                one.cancel()
            await asyncio.gather(*self._under_way, return_exceptions=True)
            if self._committing:
                await asyncio.gather(self._committing, return_exceptions=True)

    def _goes_on(self) -> bool:
        if self._failure is not None:
            raise self._failure
        return not self.stopping and any(task.state == "running" for task in self.parts.tasks.values())

    def _start_visits(self) -> None:
        """Take what may be fetched now, as far as connections reach."""
        parts = self.parts
        held = {task.number for task in parts.tasks.values() if task.full or task.state != "running"}
        while len(self._under_way) < self._connections:
            request = parts.frontier.take(parts.clock(), held)
            if request is None:
                break
            parts.begin(request)
            if parts.tasks[request.task].full:
                held.add(request.task)
            one = asyncio.create_task(visit(request, parts))
            self._under_way.add(one)
            one.add_done_callback(self._visited)

    def _visited(self, one: asyncio.Task[None]) -> None:
        self._under_way.discard(one)
        self._woken.set()
        if not one.cancelled() and (error := one.exception()) and self._failure is None:
            self._failure = error

    async def _rest(self) -> None:
        """Wait until a visit ends, a host is ready, or something is due."""
        now_s = self.parts.clock()
        ready_s = self.parts.frontier.next_ready_s() if len(self._under_way) < self._connections else None
        until_s = min(
            now_s + 0.5, self._committed_s + BATCH_AGE_S if self.parts.filling.batch else now_s + 0.5
        )
        if ready_s is not None:
            until_s = min(until_s, ready_s)
        self._woken.clear()
        try:
            async with asyncio.timeout(max(0.0, until_s - now_s)):
                await self._woken.wait()
        except TimeoutError:
            pass

    # Writing

    async def _commit_if_due(self) -> None:
        """Write the batch when it is large or old enough, while visits go on."""
        batch = self.parts.filling.batch
        if self._committing is not None:
            if self._committing.done():
                await self._after_commit()
            elif len(batch.finished) < 2 * BATCH_PAGES:
                return
            else:  # writing cannot keep up: nobody runs ahead of it
                await self._after_commit()
        age_s = self.parts.clock() - self._committed_s
        hungry = bool(self.parts.frontier.hungry())
        if (
            len(batch.finished) >= BATCH_PAGES
            or (batch and age_s >= BATCH_AGE_S)
            or (hungry and age_s >= HUNGRY_AGE_S)
        ):
            self._begin_commit()

    def _begin_commit(self) -> None:
        filling, self.parts.filling = self.parts.filling, Filling(Batch(), [])
        now_s = self.parts.clock()
        filling.batch.hosts = self._host_notes()
        filling.batch.tasks = [task.note(now_s) for task in self.parts.tasks.values()]
        self._committed_s = now_s
        self._committing = asyncio.create_task(asyncio.to_thread(self._keeper.write, filling))
        self._committing.add_done_callback(lambda _: self._woken.set())

    def _host_notes(self) -> list[HostNote]:
        """Note what changed about hosts, so that manners outlive the process."""
        touched, self.parts.touched = self.parts.touched, set()
        notes = []
        for host in touched:
            pace = self.parts.frontier.pace(host) or Pace()
            note = HostNote(host, pace.ready_s, pace.crawl_delay_s, pace.failures)
            notes.append(self.parts.robots.note(note))
        return notes

    async def _after_commit(self) -> None:
        """Everything up to the last batch is in the store: now hosts can be loaded, and the given up dismissed."""
        committing, self._committing = self._committing, None
        if committing:
            await committing
        self._load_hungry()
        self._dismiss()

    def _load_hungry(self) -> None:
        """Bring requests of hosts whose windows are empty, but not those that the new batch has finished."""
        batch = self.parts.filling.batch
        finished = {request.number for request in batch.finished}
        for host, task, held in self.parts.frontier.hungry():
            most = HELD + len(held) + len(finished)
            stored = self._store.requests(host, task, most)
            best = [request for request in stored if request.number not in finished]
            self.parts.frontier.load(host, task, best, whole=len(stored) < most)
            self.parts.frontier.add(
                request
                for request in batch.requests
                if (request.host, request.task) == (host, task) and request.number not in held
            )

    def _dismiss(self) -> None:
        """Give up what is left at dead hosts and at hosts whose budget is spent."""
        given_up, self.parts.given_up = self.parts.given_up, set()
        for host, task, why in given_up:
            left = self._store.waiting(host, task)
            self.parts.dismissed(host, task, why, left)

    # Ending

    def _end_tasks(self) -> None:
        """End tasks that have nothing left to do, or that reached a limit."""
        now_s = self.parts.clock()
        for task in self.parts.tasks.values():
            if task.state != "running":
                continue
            if limit := task.limit_reached(now_s):
                self._end(task, f"limit reached: {limit}")
            elif task.tally.outstanding == 0:
                self._end(task, "nothing left to fetch")

    def _end(self, task: RunningTask, reason: str) -> None:
        task.state = "finished"
        task.reason = reason
        self.parts.frontier.leave(task.number)

    async def _finish(self) -> None:
        """Let what is under way come to its end, then write everything down."""
        for task in self.parts.tasks.values():
            if task.state == "running":
                task.state, task.reason = "stopped", self.stopping
        if self._under_way:
            await asyncio.wait(self._under_way)
        if self._committing:
            await self._after_commit()
        self._dismiss()
        self._begin_commit()
        await self._after_commit()
        for task in self.parts.tasks.values():
            self.parts.watch(
                TaskEnded(self.parts.clock(), task.name, task.state, task.reason, task.tally.as_dict())
            )

    def _tell_progress(self) -> None:
        now_s = self.parts.clock()
        elapsed_s = now_s - self._progress_s
        if elapsed_s < PROGRESS_S:
            return
        tallies = [task.tally for task in self.parts.tasks.values()]
        pages, body_bytes = sum(t["downloaded"] for t in tallies), sum(t["bytes"] for t in tallies)
        rates = (pages - self._last_counts[0]) / elapsed_s, (body_bytes - self._last_counts[1]) / elapsed_s
        self._progress_s, self._last_counts = now_s, (pages, body_bytes)
        counts = {task.name: task.tally.as_dict() for task in self.parts.tasks.values()}
        self.parts.watch(Progress(now_s, counts, self.parts.frontier.counts(now_s), *rates))
        self._steer(self._committing is None)
