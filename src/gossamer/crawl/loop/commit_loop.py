"""Commit batches while visits go on: one at a time, without holding up visits, and again when the disk was full.

A writer thread keeps a slow disk from holding up visits, but two threads of one interpreter wake each other several
times a page, which is a tenth of the cost of a page (docs/decisions/0012). So a batch is written in the event loop
while the disk is fast, and in a thread as soon as it is not.
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
"""New URLs in a batch, some 20 MB: fewer pages with thousands of links go into one batch."""
BATCH_AGE_S = 1.0
URGENT_AGE_S = 0.05
"""The age of the last batch at which an urgent one is written: many failing hosts share one batch."""
SENT_AGE_S = 0.25
"""The longest that links found for other shards wait."""
PATIENCE_S = 0.5
"""A batch of 200 pages takes 0.03 s; after one that took longer than this, the next ones are written in a thread."""
SLOW_BATCHES = 20
"""How many batches are written in a thread after a slow one."""
RETRY_FULL_DISK_S = 2.0
"""How often a full disk is tried again."""


class CommitLoop:
    """Takes the pending batch, adds the state of hosts and tasks, and has it written."""

    def __init__(
        self, shard: ShardContext, writer: BatchWriter, ended: Callable[[], None], hurry: Callable[[], bool]
    ) -> None:
        self._shard = shard
        self._writer = writer
        self._ended = ended
        self._hurry = hurry
        """Returns whether to stop waiting for room on a full disk."""
        self._writing: asyncio.Task[None] | None = None
        self._taken = PendingBatch()
        """The batch that is being written, or was written last."""
        self._abandoned = False
        self.begun_s = shard.clock()
        """When the last batch was taken."""
        self.full = False
        """Whether the disk is full: nothing is fetched until there is room."""
        self.writing_since_s = 0.0
        """When writing the current batch began; 0 if none is being written."""
        self._threaded = 1
        """How many more batches are written in a thread; the first one always, to measure the disk."""

    @property
    def under_way(self) -> bool:
        """Whether a batch is being written, or was written and is not settled yet."""
        return self._writing is not None

    @property
    def done(self) -> bool:
        """Whether a batch was written and is not settled yet."""
        return self._writing is not None and self._writing.done()

    def is_large(self, times: int = 1) -> bool:
        """Say whether the pending batch has the size of this many full batches."""
        batch = self._shard.pending.batch
        return len(batch.finished) >= times * BATCH_PAGES or len(batch.known) >= times * BATCH_URLS

    def due_s(self) -> float:
        """Return when the pending batch is to be written: when it is large, old or urgent."""
        pending = self._shard.pending
        if self.is_large():
            return self.begun_s
        if pending.urgent:
            return self.begun_s + URGENT_AGE_S
        if pending.batch.sent:
            return self.begun_s + SENT_AGE_S
        return self.begun_s + BATCH_AGE_S if pending.batch else math.inf

    def begin(self) -> None:
        """Take the pending batch and start writing it."""
        shard = self._shard
        pending, shard.pending = shard.pending, PendingBatch()
        self._taken = pending
        now_s = self.begun_s = shard.clock()
        pending.batch.hosts = self._make_host_notes()
        pending.batch.counted = [(task.number, task.take_counts(now_s)) for task in shard.tasks.values()]
        for task in shard.tasks.values():
            pending.batch.notes |= task.take_notes()
        # Only the first shard writes the tasks themselves; the others follow what it decides.
        first = shard.territory.first
        pending.batch.tasks = [task.to_note(now_s) for task in shard.tasks.values()] if first else []
        self._writing = asyncio.create_task(self._write(pending))
        self._writing.add_done_callback(lambda _: self._ended())

    def has_work_for(self, task: int) -> bool:
        """Say whether work for a task is in the pending batch or in the one being written."""
        return self._shard.pending.has_work_for(task) or self._taken.has_work_for(task)

    async def settle(self) -> None:
        """Wait until the current batch is written; raise StoreFailed if it cannot be."""
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
        """Wait for the current batch, and ignore its result."""
        self._abandoned = True
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)

    async def _write(self, pending: PendingBatch) -> None:
        while True:
            last_try = self._abandoned or self._hurry()
            self.writing_since_s = self._shard.clock()
            try:
                await self._write_once(pending)
                break
            except StoreFailed as failure:
                if not failure.full or last_try:
                    await asyncio.to_thread(self._writer.give_up)
                    raise
                self._pause(failure)
            finally:
                self.writing_since_s = 0.0
            await asyncio.sleep(RETRY_FULL_DISK_S)
        if self.full:
            self.full = False
            self._notify("there is room on the disk again; the crawl continues")

    async def _write_once(self, pending: PendingBatch) -> None:
        """Write a batch, here or in a thread; the time it took decides where the next one is written."""
        if self._threaded:
            await asyncio.to_thread(self._writer.write, pending)
        else:
            self._writer.write(pending)
        took_s = self._shard.clock() - self.writing_since_s
        self._threaded = SLOW_BATCHES if took_s > PATIENCE_S else max(0, self._threaded - 1)

    def _pause(self, failure: StoreFailed) -> None:
        if not self.full:
            self.full = True
            self._notify(f"{failure}; the crawl pauses and continues by itself as soon as there is room")

    def _notify(self, text: str) -> None:
        self._shard.watch(Notice(self._shard.clock(), text))

    def _make_host_notes(self) -> list[HostNote]:
        """Return what changed about hosts, so that pauses and robots.txt outlive the process."""
        touched, self._shard.touched = self._shard.touched, set()
        notes = []
        for host in touched:
            pace = self._shard.frontier.pace(host) or Pace()
            note = HostNote(host, pace.ready_s, pace.crawl_delay_s, pace.failures)
            notes.append(self._shard.robots.add_to_note(note))
        return notes
