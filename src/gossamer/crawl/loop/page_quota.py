"""Limits of pages that hold exactly, although several shards fetch at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager

from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.store.batch import Store


class PageQuota:
    """Sees to it that written, fetched and asked-for pages of all shards are together never more than a task's limit.

    Each shard tells the others how many pages it has under way, or has and did not write down yet. Whoever wants to
    begin a visit adds up what the others told and then what is written. In this order a page may be counted twice, when
    it is written in between, and never not at all.
    """

    def __init__(self, shard: ShardContext, store: Store) -> None:
        self._shard = shard
        self._store = store

    @contextmanager
    def made(self) -> Iterator[None]:
        """Let visits begin within this block, as far as the tasks are not `full`."""
        shared_turns, limited = self._shard.shared_turns, self._limited()
        if shared_turns is None or not limited:
            yield
            return
        with shared_turns.claiming():
            for task in limited:
                task.claimed = shared_turns.claimed(task.number)
            self.learn()
            yield
            self.tell()

    def learn(self) -> None:
        """Learn what all shards together have counted."""
        for note in self._store.tasks():
            if note.number in self._shard.tasks:
                self._shard.tasks[note.number].record_other_shards(note.counts)

    def tell(self) -> None:
        """Tell the others how many pages this shard has under way, or has and did not write down."""
        if self._shard.shared_turns is not None:
            for task in self._limited():
                unwritten = task.tally["downloaded"] - task.tally.written["downloaded"]
                self._shard.shared_turns.claim(task.number, task.under_way + unwritten)

    def _limited(self) -> list[RunningTask]:
        return [task for task in self._shard.tasks.values() if task.spec.limits.pages]
