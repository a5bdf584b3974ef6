"""Simulate a crawl without waiting: the real path, frontier, orders and store, over pages that are at hand.

Pauses are kept by a clock that jumps to the next event; one visit runs at a time. Orders are compared with it.
"""

from collections.abc import Callable

from gossamer.crawl.loop.refill_frontier import FrontierRefill
from gossamer.crawl.loop.shard_inbox import Inbox
from gossamer.crawl.loop.write_batches import BatchWriter
from gossamer.crawl.visit.fetch_page import wait_for_write
from gossamer.crawl.visit.pending_batch import PendingBatch
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.crawl.visit.visit import visit
from gossamer.fetch.fetcher import Fetcher
from gossamer.store.batch import Store

BATCH_VISITS = 500
"""Visits that are written in one batch."""
_LEAST_STEP_S = 0.01


class SimulatedNetwork:
    """A fetcher that needs no network, and its clock."""

    def __init__(self, fetcher: Fetcher, began_s: float = 0.0) -> None:
        self.fetcher = fetcher
        self.now_s = began_s

    def clock(self) -> float:
        """Return the simulated time."""
        return self.now_s

    def advance_to(self, then_s: float | None) -> None:
        """Advance the clock, by a hundredth of a second at least."""
        self.now_s = max(self.now_s + _LEAST_STEP_S, then_s or 0.0)


async def walk(
    shard: ShardContext,
    store: Store,
    writer: BatchWriter,
    inbox: Inbox,
    simulated: SimulatedNetwork,
    enough: Callable[[], bool],
) -> None:
    """Visit one page after the other until `enough` says so or nothing is left."""
    refill = FrontierRefill(shard, store)
    while not enough():
        inbox.take_in_due(True)
        if shard.frontier.needs_requests(1):
            refill.load(idle=False)
        request = shard.frontier.take(simulated.now_s)
        if request is not None:
            task = shard.task_of(request)
            shard.turns.begin(request, task)
            if wait_for_write(request, shard) is not None:  # nothing else writes while it waits
                _write(shard, writer)
            await visit(request, shard)
            shard.turns.end(request, task)
            if len(shard.pending.batch.finished) >= BATCH_VISITS:
                _write(shard, writer)
        elif not shard.frontier.has_work() and not shard.pending.batch:
            break
        else:
            if shard.frontier.tasks_with_stored_hosts() or shard.frontier.next_ready_s() is None:
                _write(shard, writer)
                refill.load(idle=True)
            simulated.advance_to(shard.frontier.next_ready_s())
    _write(shard, writer)


def _write(shard: ShardContext, writer: BatchWriter) -> None:
    """Write the pending batch."""
    if shard.pending.batch:
        pending, shard.pending = shard.pending, PendingBatch()
        for task in shard.tasks.values():
            pending.batch.notes |= task.take_notes()
        writer.write(pending)
        shard.unwritten.clear()
