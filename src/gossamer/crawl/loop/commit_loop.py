"""Writing batches while visits go on: one at a time, where it holds up nobody, and again when the disk was full.

A thread that writes lets a slow disk wait alone, but two threads that share one interpreter wake each other several
times a page, which is a tenth of what a page costs (docs/decisions/0012). So a batch is written where the visits are
while the disk takes it at once, and in a thread as soon as it does not.
"""

import asyncio
import math
from collections.abc import Callable

from gossamer.crawl.events import Notice
from gossamer.crawl.loop.batch_writer import BatchWriter
from gossamer.crawl.visit.pending_batch import PendingBatch
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.errors import StoreFailed
from gossamer.frontier.politeness import Pace
from gossamer.records import HostNote

BATCH_PAGES = 200
BATCH_URLS = 20_000
"""New URLs in a batch, some 20 MB: of pages with thousands of links not so many go into one."""
BATCH_AGE_S = 1.0
URGENT_AGE_S = 0.05
"""What is urgent is written as soon as the last batch is so old: many failing hosts share one."""
SENT_AGE_S = 0.25
"""What was found for other shards is not kept from them for longer."""
PATIENCE_S = 0.5
"""A batch of 200 pages takes 0.03 s; while one took longer than this, visits need not wait for the next ones."""
SLOW_BATCHES = 20
"""So many batches are written in a thread after one that took long."""
LOOK_FOR_ROOM_S = 2.0
"""How often a full disk is tried again."""


class CommitLoop:
    """Takes the pending away, adds what is to be known of hosts and tasks, and has it written."""

    def __init__(
        self, shard: ShardContext, writer: BatchWriter, ended: Callable[[], None], hurry: Callable[[], bool]
    ) -> None:
        self._shard = shard
        self._writer = writer
        self._ended = ended
        self._hurry = hurry
        """Says whether no room on the disk is to be waited for any longer."""
        self._writing: asyncio.Task[None] | None = None
        self._taken = PendingBatch()
        """What is being written, or was last."""
        self._abandoned = False
        self.begun_s = shard.clock()
        """When the last batch was taken away."""
        self.full = False
        """Whether the disk is full: nobody is to fetch anything until there is room."""
        self.writing_since_s = 0.0
        """Since when a batch has been being written; 0 if none is."""
        self._threaded = 1
        """How many batches are to be written in a thread, before one is tried without: the first shows the disk."""

    @property
    def under_way(self) -> bool:
        """Whether a batch is being written, or was and nobody has looked yet."""
        return self._writing is not None

    @property
    def done(self) -> bool:
        """Whether a batch was written and nobody has looked yet."""
        return self._writing is not None and self._writing.done()

    def is_large(self, times: int = 1) -> bool:
        """Say whether what is to be written makes a batch, or so many."""
        batch = self._shard.pending.batch
        return len(batch.finished) >= times * BATCH_PAGES or len(batch.known) >= times * BATCH_URLS

    def due_s(self) -> float:
        """Say when the pending is to be written: when it is large, old or urgent."""
        pending = self._shard.pending
        if self.is_large():
            return self.begun_s
        if pending.urgent:
            return self.begun_s + URGENT_AGE_S
        if pending.batch.sent:
            return self.begun_s + SENT_AGE_S
        return self.begun_s + BATCH_AGE_S if pending.batch else math.inf

    def begin(self) -> None:
        """Take the pending away and begin to write it."""
        shard = self._shard
        pending, shard.pending = shard.pending, PendingBatch()
        self._taken = pending
        now_s = self.begun_s = shard.clock()
        pending.batch.hosts = self._host_notes()
        pending.batch.counted = [(task.number, task.take_counts(now_s)) for task in shard.tasks.values()]
        for task in shard.tasks.values():
            pending.batch.notes |= task.take_notes()
        # Of the tasks themselves one shard writes: what it decides the others follow.
        first = shard.territory.first
        pending.batch.tasks = [task.note(now_s) for task in shard.tasks.values()] if first else []
        self._writing = asyncio.create_task(self._write(pending))
        self._writing.add_done_callback(lambda _: self._ended())

    def has_work_for(self, task: int) -> bool:
        """Say whether something that a task has to do is still to be written, or is being written."""
        return self._shard.pending.has_work_for(task) or self._taken.has_work_for(task)

    async def settle(self) -> None:
        """Wait until what is being written is written; raise StoreFailed if it cannot be."""
        writing, self._writing = self._writing, None
        if writing is not None:
            try:
                await writing
            finally:
                self._writing = None if writing.done() else writing
            self._taken = PendingBatch()
            self._shard.unwritten = {request.id for request in self._shard.pending.batch.finished}
            for task in self._shard.tasks.values():
                task.tally.mark_written()

    async def abandon(self) -> None:
        """Wait for what is being written, whatever comes of it."""
        self._abandoned = True
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)

    async def _write(self, pending: PendingBatch) -> None:
        while True:
            last_try = self._abandoned or self._hurry()
            self.writing_since_s = self._shard.clock()
            try:
                await self._hand_over(pending)
                break
            except StoreFailed as failure:
                if not failure.full or last_try:
                    await asyncio.to_thread(self._writer.give_up)
                    raise
                self._pause(failure)
            finally:
                self.writing_since_s = 0.0
            await asyncio.sleep(LOOK_FOR_ROOM_S)
        if self.full:
            self.full = False
            self._tell("there is room on the disk again: the crawl goes on")

    async def _hand_over(self, pending: PendingBatch) -> None:
        """Have a batch written, here or in a thread; what it took says where the next one is."""
        if self._threaded:
            await asyncio.to_thread(self._writer.write, pending)
        else:
            self._writer.write(pending)
        took_s = self._shard.clock() - self.writing_since_s
        self._threaded = SLOW_BATCHES if took_s > PATIENCE_S else max(0, self._threaded - 1)

    def _pause(self, failure: StoreFailed) -> None:
        if not self.full:
            self.full = True
            self._tell(f"{failure}; the crawl pauses and goes on by itself as soon as there is room")

    def _tell(self, text: str) -> None:
        self._shard.watch(Notice(self._shard.clock(), text))

    def _host_notes(self) -> list[HostNote]:
        """Note what changed about hosts, so that manners outlive the process."""
        touched, self._shard.touched = self._shard.touched, set()
        notes = []
        for host in touched:
            pace = self._shard.frontier.pace(host) or Pace()
            note = HostNote(host, pace.ready_s, pace.crawl_delay_s, pace.failures)
            notes.append(self._shard.robots.add_to_note(note))
        return notes
