"""A crawl that takes no time: the real story, frontier, orders and store over pages that are at hand.

Pauses are kept by a clock that jumps to whatever is next; one visit at a time. For comparing orders over the same web.
"""

from collections.abc import Callable

from gossamer.crawl.loop.batch_writer import Keeper
from gossamer.crawl.loop.inbox import Inbox
from gossamer.crawl.loop.refill_frontier import Loading
from gossamer.crawl.visit.pending_batch import Filling
from gossamer.crawl.visit.shard_context import Parts
from gossamer.crawl.visit.visit import visit
from gossamer.fetch.fetcher import Fetcher
from gossamer.store.batch import Store

BATCH_VISITS = 500
"""Visits that are written at once; nobody waits for them."""
_A_MOMENT_S = 0.01


class Pretended:
    """A fetcher that needs no network, and the clock that goes with it."""

    def __init__(self, fetcher: Fetcher, began_s: float = 0.0) -> None:
        self.fetcher = fetcher
        self.now_s = began_s

    def clock(self) -> float:
        """Return the pretended time."""
        return self.now_s

    def pass_until(self, then_s: float | None) -> None:
        """Let time pass, a moment at least."""
        self.now_s = max(self.now_s + _A_MOMENT_S, then_s or 0.0)


async def walk(
    parts: Parts, store: Store, keeper: Keeper, inbox: Inbox, pretended: Pretended, enough: Callable[[], bool]
) -> None:
    """Visit one page after the other until it is enough, or nothing is left."""
    loading = Loading(parts, store)
    while not enough():
        inbox.look(True)
        if parts.frontier.needs_requests(1):
            loading.bring(idle=False)
        request = parts.frontier.take(pretended.now_s)
        if request is not None:
            parts.begin(request)
            await visit(request, parts)
            parts.depart(request)
            if len(parts.filling.batch.finished) >= BATCH_VISITS:
                _write(parts, keeper)
        elif not parts.frontier.has_work() and not parts.filling.batch:
            break
        else:
            if parts.frontier.tasks_with_stored_hosts() or parts.frontier.next_ready_s() is None:
                _write(parts, keeper)
                loading.bring(idle=True)
            pretended.pass_until(parts.frontier.next_ready_s())
    _write(parts, keeper)


def _write(parts: Parts, keeper: Keeper) -> None:
    """Write down what was done so far."""
    if parts.filling.batch:
        filling, parts.filling = parts.filling, Filling()
        for task in parts.tasks.values():
            filling.batch.notes |= task.learnt()
        keeper.write(filling)
        parts.unwritten.clear()
