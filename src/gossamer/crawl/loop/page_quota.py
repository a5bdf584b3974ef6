"""The page limit of a task, kept exactly although several shards fetch at the same time."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from gossamer.crawl.common_turns import PageClaims
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.store.batch import Store


class Quota(Protocol):
    """Keeps the page limits of tasks."""

    def hold(self) -> AbstractContextManager[None]:
        """Hold the limits while visits begin, so that `RunningTask.full` is exact within this block."""
        ...

    def read_counts(self) -> None:
        """Read what all shards together have counted."""
        ...

    def publish(self) -> None:
        """Publish how many pages this shard has under way or unwritten."""
        ...


class PageQuota:
    """Keeps the pages of all shards, written, unwritten and under way, within the page limit of a task.

    Each shard publishes how many pages it has under way or unwritten. Before a visit begins, a shard adds up what the
    others published, and then what is written. In this order a page that is written in between may be counted twice,
    but never not at all.
    """

    def __init__(self, shard: ShardContext, store: Store, claims: PageClaims | None = None) -> None:
        self._shard = shard
        self._store = store
        self._claims = claims
        """What the shards publish; None if there is only one."""

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Lock the claims of all shards while visits begin, so that `full` is exact within this block."""
        claims, limited = self._claims, self._list_limited_tasks()
        if claims is None or not limited:
            yield
            return
        with claims.lock_claims():
            for task in limited:
                task.claimed = claims.sum_claims(task.number)
            self.read_counts()
            yield
            self.publish()

    def read_counts(self) -> None:
        """Read what all shards together have counted."""
        for note in self._store.tasks():
            if note.number in self._shard.tasks:
                self._shard.tasks[note.number].record_other_shards(note.counts)

    def publish(self) -> None:
        """Publish how many pages this shard has under way or unwritten."""
        if self._claims is not None:
            for task in self._list_limited_tasks():
                unwritten = task.tally["downloaded"] - task.tally.written["downloaded"]
                self._claims.claim(task.number, task.pages_under_way + unwritten)

    def _list_limited_tasks(self) -> list[RunningTask]:
        return [task for task in self._shard.tasks.values() if task.spec.limits.pages]
