"""Carry out orders to a running crawl: stop, pause, resume, change options, add start pages."""

from collections.abc import Iterable
from typing import Any

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import (
    Change,
    Continue,
    Order,
    OrderBox,
    Stop,
    Submit,
    Withdraw,
    apply_order,
    make_change,
    read_spec,
    remove_start_pages,
)
from gossamer.crawl.control.rule_changes import find_widenings
from gossamer.crawl.control.start_tasks import make_seed_requests
from gossamer.crawl.control.submitted_pages import note_submitted, read_withdrawn
from gossamer.crawl.control.task_state import AddTask, apply_options, reload_access, restart_task, stop_task
from gossamer.crawl.events import Notice
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.crawl.task_counts import format_count
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.errors import GossamerError
from gossamer.records import Link, Request
from gossamer.store.batch import Store


class CommandExecutor:
    """Reads the mailbox of a web now and then, and carries out its orders on the tasks of this crawl."""

    def __init__(self, shard: ShardContext, store: Store, mailbox: OrderBox, add_task: AddTask) -> None:
        self._shard = shard
        self._store = store
        self._mailbox = mailbox
        self._add_task = add_task
        self._to_continue: set[int] = set()
        self._knows_withdrawn: set[int] = set()

    def carry_out(self, settled: bool) -> None:
        """Carry out new orders; `settled` says that no batch is being written.

        Of orders from before this run, only changed options and start pages still hold.
        """
        reload_access(self._shard)
        self._load_withdrawn()
        for order in self._mailbox.read_old():
            task = self._shard.tasks.get(order.task)
            if task is not None and not isinstance(order, Stop | Continue):
                self._execute(task, order)
        for order in self._mailbox.read_new():
            task = self._shard.tasks.get(order.task)
            if task is not None:
                self._execute(task, order)
            else:
                self._apply_to_idle_task(order)
        if settled:
            self._restart_tasks()

    def _load_withdrawn(self) -> None:
        """Read which pages were withdrawn from the tasks before they were added to this shard."""
        for number in self._shard.tasks.keys() - self._knows_withdrawn:
            self._knows_withdrawn.add(number)
            self._shard.tasks[number].withdrawn |= read_withdrawn(self._store, number)

    def _apply_to_idle_task(self, order: Order) -> None:
        """Add a task that is to be resumed; only store the new options of one that is not."""
        note = next((note for note in self._store.tasks() if note.number == order.task), None)
        if note is None:
            return
        if isinstance(order, Continue | Submit):
            self._execute(self._add_task(note, Task(read_spec(note))), order)
        else:
            batch = make_change(note, apply_order(note, order))
            if isinstance(order, Withdraw):
                batch.notes |= note_submitted(note.number, order.urls, self._shard.clock(), withdrawn=True)
            self._store.commit(batch)

    def _execute(self, task: RunningTask, order: Order) -> None:
        try:
            match order:
                case Stop(_, pause, reason):
                    self._stop(task, pause, reason)
                case Continue():
                    self._to_continue.add(task.number)
                case Change(_, options):
                    self._change(task, options)
                case Submit(_, urls):
                    self._submit(task, urls)
                case Withdraw(_, urls):
                    self._withdraw(task, urls)
        except GossamerError as error:
            self._notify(f"{task.name}: the order could not be carried out: {error}")
        self._shard.pending.urgent = True  # other shards read it from the store

    def _stop(self, task: RunningTask, pause: bool, reason: str) -> None:
        self._to_continue.discard(task.number)
        if task.state == "running":
            stop_task(task, "paused" if pause else "stopped", reason, self._shard)

    def _change(self, task: RunningTask, options: dict[str, Any]) -> None:
        self._apply_options(task, config.replace_options(task.spec, **options))
        self._notify(
            f"{task.name}: " + ", ".join(f"{name} is now {value}" for name, value in options.items())
        )
        if task.state == "finished":
            self._to_continue.add(task.number)

    def _apply_options(self, task: RunningTask, spec: TaskSpec) -> None:
        """Apply changed options, also to links that were found before."""
        self._shard.pending.batch.widenings += find_widenings(task.number, task.spec, spec)
        apply_options(task, spec, self._shard)

    def _submit(self, task: RunningTask, urls: Iterable[str]) -> None:
        fresh = [url for url in urls if url not in task.seeds and not task.forgotten.covers(url)]
        if not fresh:
            return
        task.seeds = (*task.seeds, *fresh)
        task.withdrawn -= set(fresh)
        self._shard.pending.batch.notes |= note_submitted(task.number, fresh, self._shard.clock())
        self._apply_options(task, config.replace_options(task.spec, seeds=[*task.spec.seeds, *fresh]))
        self._send_start_pages(task, fresh)
        self._notify(f"{task.name}: {format_count(len(fresh), 'start page')} more")
        if task.state == "finished":
            self._to_continue.add(task.number)

    def _withdraw(self, task: RunningTask, urls: Iterable[str]) -> None:
        """Take back submitted pages: their requests end without being sent."""
        gone = [url for url in urls if url in task.seeds]
        if not gone:
            return
        task.seeds = tuple(url for url in task.seeds if url not in gone)
        task.withdrawn |= set(gone)
        self._shard.pending.batch.notes |= note_submitted(
            task.number, gone, self._shard.clock(), withdrawn=True
        )
        self._apply_options(task, remove_start_pages(task.spec, gone))
        self._notify(f"{task.name}: {format_count(len(gone), 'start page')} withdrawn")

    def _send_start_pages(self, task: RunningTask, urls: list[str]) -> None:
        """Send start pages to the shards that own their hosts."""
        batch = self._shard.pending.batch
        found = task.scheduler.find_candidates([Link(url, "seed") for url in urls], 0)
        task.scheduler.record_links(Request(0, "", "", task.number), found, batch, keep_links=False)
        batch.sent += make_seed_requests(task.number, task.spec, urls)

    def _restart_tasks(self) -> None:
        """Restart tasks as soon as none of their visits is under way; those would be loaded twice."""
        for number in sorted(self._to_continue):
            task = self._shard.tasks[number]
            if task.under_way or self._shard.pending.has_work_for(number):
                continue
            self._to_continue.discard(number)
            if task.state != "running" and self._store.count_remaining(number):
                restart_task(task, self._shard)
                self._shard.pending.urgent = True

    def _notify(self, text: str) -> None:
        self._shard.watch(Notice(self._shard.clock(), text))
