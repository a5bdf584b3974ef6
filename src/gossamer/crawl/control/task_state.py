"""What becomes of a task in a shard when something is told: stop, go on, other options. The first shard is told by
people and writes it into the web, see `steering`; the others read it there and follow."""

from collections.abc import Callable

from gossamer.config import TaskSpec
from gossamer.crawl.control.mailbox import spec_of
from gossamer.crawl.control.start_tasks import start_pages
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.store.batch import Store, TaskNote, TaskState

Steer = Callable[[bool], None]
"""What a shard calls now and then; it says whether no batch is being written just now."""
Bring = Callable[[TaskNote, Task], RunningTask]
"""Lets a task of the web that has no part in the crawl take part."""


def leave(task: RunningTask, state: TaskState, reason: str, shard: ShardContext) -> None:
    """Let a task do nothing more; what waits is in the store, or about to be."""
    task.state, task.reason = state, reason
    shard.frontier.remove_task(task.number)


def rejoin(task: RunningTask, shard: ShardContext) -> None:
    """Let a task go on; nothing of it may be under way: what is, would be loaded twice."""
    frontier, number = shard.frontier, task.number
    task.state, task.reason = "running", ""
    frontier.remove_task(
        number
    )  # all that waits is in the store, or in the batch: load it as after a restart
    frontier.set_task(number, task.spec.weight, task.spec.politeness)
    frontier.note_stored_hosts(number)


def take_on(task: RunningTask, spec: TaskSpec, shard: ShardContext) -> None:
    """Let other options hold from now on."""
    task.task.spec = spec
    task.apply_spec(spec)
    if task.state == "running":
        shard.frontier.set_task(task.number, spec.weight, spec.politeness)


class TaskFollower:
    """Does with the tasks of this shard what the web says of them: the first shard has written it there."""

    def __init__(self, shard: ShardContext, store: Store, bring: Bring) -> None:
        self._shard = shard
        self._store = store
        self._bring = bring
        self._specs: dict[int, bytes] = {}

    def carry_out(self, settled: bool) -> None:
        """See how tasks stand; `settled` says that no batch is being written just now."""
        for note in self._store.tasks():
            task = self._shard.tasks.get(note.number)
            if task is not None:
                self._follow(task, note, settled)
            elif note.state == "running":
                self._bring(note, Task(spec_of(note)))
                self._specs[note.number] = note.spec

    def _follow(self, task: RunningTask, note: TaskNote, settled: bool) -> None:
        if note.spec != self._specs.setdefault(note.number, note.spec):
            self._specs[note.number] = note.spec
            spec = spec_of(note)
            task.seeds = tuple(start_pages(spec))
            take_on(task, spec, self._shard)
        if note.state != "running":
            if task.state == "running":
                leave(task, note.state, note.reason, self._shard)
        elif task.state != "running" and settled and not task.under_way:
            rejoin(task, self._shard)
