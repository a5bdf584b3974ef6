"""Carrying out what a running crawl is told: stop, pause, go on, other options, more start pages."""

from collections.abc import Iterable
from typing import Any

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.crawl.control.mailbox import (
    Change,
    Continue,
    Mailbox,
    Order,
    Stop,
    Submit,
    spec_of,
    told,
    written,
)
from gossamer.crawl.control.rule_changes import widenings
from gossamer.crawl.control.start_tasks import seed_requests
from gossamer.crawl.control.task_state import Bring, leave, rejoin, take_on
from gossamer.crawl.events import Notice
from gossamer.crawl.seen_keys import format_count
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.errors import GossamerError
from gossamer.records import Link, Request
from gossamer.store.batch import Store


class OrderExecutor:
    """Reads the mailbox of a web, now and then, and does what it says with the tasks of this crawl."""

    def __init__(self, shard: ShardContext, store: Store, mailbox: Mailbox, bring: Bring) -> None:
        self._shard = shard
        self._store = store
        self._mailbox = mailbox
        self._bring = bring
        self._to_continue: set[int] = set()

    def carry_out(self, settled: bool) -> None:
        """Carry out what came since the last time; `settled` says that no batch is being written just now.

        What was told before this run began: options and start pages of its tasks hold, the rest is out of date.
        """
        for order in self._mailbox.old():
            task = self._shard.tasks.get(order.task)
            if task is not None and not isinstance(order, Stop | Continue):
                self._carry_out(task, order)
        for order in self._mailbox.new():
            task = self._shard.tasks.get(order.task)
            if task is not None:
                self._carry_out(task, order)
            else:
                self._let_in(order)
        if settled:
            self._continue()

    def _let_in(self, order: Order) -> None:
        """Let a task that is to be gone on with take part; one that is not only gets its options."""
        note = next((note for note in self._store.tasks() if note.number == order.task), None)
        if note is None:
            return
        if isinstance(order, Continue | Submit):
            self._carry_out(self._bring(note, Task(spec_of(note))), order)
        else:
            self._store.commit(written(note, told(note, order)))

    def _carry_out(self, task: RunningTask, order: Order) -> None:
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
        except GossamerError as error:
            self._tell(f"{task.name}: an order could not be carried out: {error}")
        self._shard.pending.urgent = True  # other shards hear of it from the store

    def _stop(self, task: RunningTask, pause: bool, reason: str) -> None:
        self._to_continue.discard(task.number)
        if task.state == "running":
            leave(task, "paused" if pause else "stopped", reason, self._shard)

    def _change(self, task: RunningTask, options: dict[str, Any]) -> None:
        self._take_on(task, config.changed(task.spec, **options))
        self._tell(f"{task.name}: " + ", ".join(f"{name} is now {value}" for name, value in options.items()))
        if task.state == "finished":
            self._to_continue.add(task.number)

    def _take_on(self, task: RunningTask, spec: TaskSpec) -> None:
        """Let other options hold, also for links that were found before."""
        self._shard.pending.batch.widenings += widenings(task.number, task.spec, spec)
        take_on(task, spec, self._shard)

    def _submit(self, task: RunningTask, urls: Iterable[str]) -> None:
        fresh = [url for url in urls if url not in task.seeds]
        if not fresh:
            return
        task.seeds = (*task.seeds, *fresh)
        self._take_on(task, config.changed(task.spec, seeds=[*task.spec.seeds, *fresh]))
        self._begin_at(task, fresh)
        self._tell(f"{task.name}: {format_count(len(fresh), 'start page')} more")
        if task.state == "finished":
            self._to_continue.add(task.number)

    def _begin_at(self, task: RunningTask, urls: list[str]) -> None:
        """Send start pages to whoever owns their hosts."""
        batch = self._shard.pending.batch
        found = task.scheduler.find_candidates([Link(url, "seed") for url in urls], 0)
        task.scheduler.record_links(Request(0, "", "", task.number), found, batch, keep_links=False)
        batch.sent += seed_requests(task.number, task.spec, urls)

    def _continue(self) -> None:
        """Go on with tasks as soon as nothing of theirs is under way any more: what is, would be loaded twice."""
        for number in sorted(self._to_continue):
            task = self._shard.tasks[number]
            if task.under_way or self._shard.pending.has_work_for(number):
                continue
            self._to_continue.discard(number)
            if task.state != "running" and self._store.count_remaining(number):
                rejoin(task, self._shard)
                self._shard.pending.urgent = True

    def _tell(self, text: str) -> None:
        self._shard.watch(Notice(self._shard.clock(), text))
