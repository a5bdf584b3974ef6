"""The page limit of a task across machines: each fetcher reserves pages before it fetches them."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.store.batch import Store
from gossamer.store.postgres.connect import Session
from gossamer.store.postgres.coordination.page_reservations import forget_reservations, reserve_pages

AHEAD = 64
"""Pages that a fetcher reserves beyond those under way: enough for a second between two exchanges with the database."""


class ReservedPages:
    """How many pages of each task this fetcher may still bring. The crawl reads it, another thread fills it up."""

    def __init__(self, session: Session, fetcher: int) -> None:
        self._session = session
        self._fetcher = fetcher
        self._guard = threading.Lock()
        self._reserved: dict[int, int] = {}
        self._wishes: dict[int, tuple[int, int]] = {}

    def count(self, task: int) -> int:
        """Return how many pages of a task may still be brought: under way, unwritten and not yet begun."""
        return self._reserved.get(task, 0)

    def wish(self, task: int, most: int, pages: int) -> None:
        """Ask for so many pages of a task with this limit; fewer than now give the rest back."""
        with self._guard:
            if pages != self._reserved.get(task, 0):
                self._reserved[task] = min(pages, self._reserved.get(task, 0))
                self._wishes[task] = most, pages

    def spend(self, brought: Mapping[int, int]) -> None:
        """Note that a batch with these pages was written."""
        with self._guard:
            for task, pages in brought.items():
                self._reserved[task] = max(0, self._reserved.get(task, 0) - pages)

    def exchange(self) -> bool:
        """Have the wishes fulfilled as far as the limits allow; return whether there were any."""
        with self._guard:
            wishes, self._wishes = self._wishes, {}
            before = dict(self._reserved)
        for task, (most, pages) in wishes.items():
            granted = reserve_pages(self._session, self._fetcher, task, most, pages)
            with self._guard:
                spent = before.get(task, 0) - self._reserved.get(task, 0)
                self._reserved[task] = max(0, granted - max(0, spent))
        return bool(wishes)

    def give_all(self) -> None:
        """Give back what was reserved."""
        with self._guard:
            self._reserved, self._wishes = {}, {}
        forget_reservations(self._session, self._fetcher)


class ReservedQuota:
    """Keeps the page limits of the tasks of one fetcher."""

    def __init__(self, shard: ShardContext, store: Store, pages: ReservedPages) -> None:
        self._shard = shard
        self._store = store
        self._pages = pages

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Let tasks be full as soon as what is under way or unwritten uses up what is reserved."""
        for task in self._list_limited_tasks():
            unwritten = _count_unwritten(task)
            room = self._pages.count(task.number) - unwritten
            task.claimed = task.spec.limits.pages - task.count_of("downloaded") - room
        yield

    def read_counts(self) -> None:
        """Read what all fetchers together have counted."""
        for note in self._store.tasks():
            if note.number in self._shard.tasks:
                self._shard.tasks[note.number].record_other_shards(note.counts)

    def publish(self) -> None:
        """Ask for as many pages as can be fetched soon, and give back those that cannot."""
        ahead = AHEAD if self._shard.frontier.has_work() else 0
        for task in self._list_limited_tasks():
            used = task.pages_under_way + _count_unwritten(task)
            reserved = self._pages.count(task.number)
            if reserved - used < ahead // 2 or reserved - used > ahead:
                self._pages.wish(task.number, task.spec.limits.pages, used + ahead)

    def _list_limited_tasks(self) -> list[RunningTask]:
        return [task for task in self._shard.tasks.values() if task.spec.limits.pages]


def _count_unwritten(task: RunningTask) -> int:
    return task.tally["downloaded"] - task.tally.written["downloaded"]
