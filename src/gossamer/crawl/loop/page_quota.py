"""The page limit of a task, kept exactly although several shards fetch at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager

from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.store.batch import Store


class PageQuota:
    """Keeps the pages of all shards, written, unwritten and under way, within the page limit of a task.

    Each shard publishes how many pages it has under way or unwritten. Before a visit begins, a shard adds up what the
    others published, and then what is written. In this order a page that is written in between may be counted twice,
    but never not at all.
    """

    def __init__(self, shard: ShardContext, store: Store) -> None:
        self._shard = shard
        self._store = store

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Lock the claims of all shards while visits begin, so that `full` is exact within this block."""
        shared_turns, limited = self._shard.shared_turns, self._list_limited_tasks()
        if shared_turns is None or not limited:
            yield
            return
        with shared_turns.lock_claims():
            for task in limited:
                task.claimed = shared_turns.sum_claims(task.number)
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
        if self._shard.shared_turns is not None:
            for task in self._list_limited_tasks():
                unwritten = task.tally["downloaded"] - task.tally.written["downloaded"]
                self._shard.shared_turns.claim(task.number, task.under_way + unwritten)

    def _list_limited_tasks(self) -> list[RunningTask]:
        return [task for task in self._shard.tasks.values() if task.spec.limits.pages]
