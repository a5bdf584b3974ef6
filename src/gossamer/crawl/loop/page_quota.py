"""Limits of pages that hold exactly, although several shards fetch at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager

from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.visit.shard_context import Parts
from gossamer.store.batch import Store


class Claims:
    """Sees to it that written, fetched and asked-for pages of all shards are together never more than a task's limit.

    Each shard tells the others how many pages it has under way, or has and did not write down yet. Whoever wants to
    begin a visit adds up what the others told and then what is written. In this order a page may be counted twice, when
    it is written in between, and never not at all.
    """

    def __init__(self, parts: Parts, store: Store) -> None:
        self._parts = parts
        self._store = store

    @contextmanager
    def made(self) -> Iterator[None]:
        """Let visits begin within this block, as far as the tasks are not `full`."""
        commons, limited = self._parts.commons, self._limited()
        if commons is None or not limited:
            yield
            return
        with commons.claiming():
            for task in limited:
                task.claimed = commons.claimed(task.number)
            self.learn()
            yield
            self.tell()

    def learn(self) -> None:
        """Learn what all shards together have counted."""
        for note in self._store.tasks():
            if note.number in self._parts.tasks:
                self._parts.tasks[note.number].hear(note.counts)

    def tell(self) -> None:
        """Tell the others how many pages this shard has under way, or has and did not write down."""
        if self._parts.commons is not None:
            for task in self._limited():
                unwritten = task.tally["downloaded"] - task.tally.settled["downloaded"]
                self._parts.commons.claim(task.number, task.under_way + unwritten)

    def _limited(self) -> list[RunningTask]:
        return [task for task in self._parts.tasks.values() if task.spec.limits.pages]
