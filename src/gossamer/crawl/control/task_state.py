"""Change the state of tasks in a shard: stop, resume, apply options.

The first shard reads orders from people and writes the result into the store (`carry_out_orders.py`); the other shards
read it there and follow.
"""

import math
from collections.abc import Callable

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.control.submitted_pages import read_withdrawn
from gossamer.crawl.events import Notice
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.errors import GossamerError
from gossamer.store.batch import Store, TaskNote, TaskState

Steer = Callable[[bool], None]
"""Called by the shard's loop now and then; its argument says that no batch is being written."""
AddTask = Callable[[TaskNote, Task], RunningTask]
"""Adds a task of the web that does not run to this shard."""


def stop_task(task: RunningTask, state: TaskState, reason: str, shard: ShardContext) -> None:
    """Stop a task in this shard; its waiting requests are in the store, or about to be."""
    task.state, task.reason = state, reason
    task.stopped_s = shard.clock() if state in ("stopped", "paused") else math.inf
    shard.frontier.remove_task(task.number)


def restart_task(task: RunningTask, shard: ShardContext) -> None:
    """Restart a stopped task; none of its visits may be under way, or they would be loaded twice."""
    frontier, number = shard.frontier, task.number
    task.state, task.reason, task.stopped_s = "running", "", math.inf
    frontier.remove_task(
        number
    )  # its requests are in the store or in the batch: load them as after a restart
    frontier.set_task(number, task.spec.weight, task.spec.politeness)
    frontier.note_stored_hosts(number)


def apply_options(task: RunningTask, spec: TaskSpec, shard: ShardContext) -> None:
    """Apply changed options from now on."""
    task.task.spec = spec
    task.apply_spec(spec)
    if task.state == "running":
        shard.frontier.set_task(task.number, spec.weight, spec.politeness)


def reload_access(shard: ShardContext) -> None:
    """Read the passwords of the tasks again if they were changed; report a file that cannot be read."""
    for task in shard.tasks.values():
        try:
            task.reload_access()
        except GossamerError as error:
            shard.watch(Notice(shard.clock(), f"{task.name}: {error}"))


class TaskFollower:
    """Follows what the first shard has written about the tasks."""

    def __init__(self, shard: ShardContext, store: Store, add_task: AddTask) -> None:
        self._shard = shard
        self._store = store
        self._add_task = add_task
        self._specs: dict[int, bytes] = {}

    def carry_out(self, settled: bool) -> None:
        """Read the state of the tasks and follow it; `settled` says that no batch is being written."""
        reload_access(self._shard)
        for note in self._store.tasks():
            task = self._shard.tasks.get(note.number)
            if task is not None:
                if note.number not in self._specs:
                    task.withdrawn = read_withdrawn(self._store, note.number)
                self._follow(task, note, settled)
            elif note.state == "running":
                self._add_task(note, Task(read_spec(note)))
                self._specs[note.number] = note.spec

    def _follow(self, task: RunningTask, note: TaskNote, settled: bool) -> None:
        if note.spec != self._specs.setdefault(note.number, note.spec):
            self._specs[note.number] = note.spec
            spec = read_spec(note)
            task.seeds = tuple(list_start_pages(spec))
            task.withdrawn = read_withdrawn(self._store, note.number)
            apply_options(task, spec, self._shard)
        if note.state != "running":
            if task.state == "running":
                stop_task(task, note.state, note.reason, self._shard)
        elif task.state != "running" and settled and not task.under_way:
            restart_task(task, self._shard)
