"""Carrying out what a running crawl is told: stop, pause, go on, other options, more start pages."""

from collections.abc import Callable, Iterable
from typing import Any

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.crawl.control import Change, Continue, Mailbox, Order, Stop, Submit, spec_of, told
from gossamer.crawl.events import Notice
from gossamer.crawl.parts import Parts
from gossamer.crawl.running import RunningTask
from gossamer.crawl.task import Task
from gossamer.errors import GossamerError
from gossamer.records import Link
from gossamer.store.batch import Batch, Store, TaskNote

Steer = Callable[[bool], None]
"""What a shard calls once a second; it says whether no batch is being written just now."""


def unsteered(settled: bool) -> None:
    """Nobody tells the crawl anything."""


Bring = Callable[[TaskNote, Task], RunningTask]
"""Lets a task of the web that has no part in the crawl take part."""


class Steering:
    """Reads the mailbox of a web, once a second, and does what it says with the tasks of this crawl."""

    def __init__(self, parts: Parts, store: Store, mailbox: Mailbox, bring: Bring) -> None:
        self._parts = parts
        self._store = store
        self._mailbox = mailbox
        self._bring = bring
        self._to_continue: set[int] = set()
        self._begun = False

    def hear(self, settled: bool) -> None:
        """Carry out what came since the last time; `settled` says that no batch is being written just now.

        What was told before this run began: options and start pages of its tasks hold, the rest is out of date.
        """
        for order in self._mailbox.new():
            task = self._parts.tasks.get(order.task)
            if task is not None and (self._begun or not isinstance(order, Stop | Continue)):
                self._carry_out(task, order)
            elif self._begun:
                self._let_in(order)
        self._begun = True
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
            self._store.commit(Batch(tasks=[told(note, order)]))

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
        # A batch with a task in it is written soon, even if no page comes.
        self._parts.filling.batch.tasks.append(task.note(self._parts.clock()))

    def _stop(self, task: RunningTask, pause: bool, reason: str) -> None:
        self._to_continue.discard(task.number)
        if task.state == "running":
            task.state, task.reason = "paused" if pause else "stopped", reason
            self._parts.frontier.leave(task.number)

    def _change(self, task: RunningTask, options: dict[str, Any]) -> None:
        self._take_on(task, config.changed(task.spec, **options))
        self._tell(f"{task.name}: " + ", ".join(f"{name} is now {value}" for name, value in options.items()))
        if task.state == "finished":
            self._to_continue.add(task.number)

    def _submit(self, task: RunningTask, urls: Iterable[str]) -> None:
        fresh = [url for url in urls if url not in task.seeds]
        if not fresh:
            return
        task.seeds = (*task.seeds, *fresh)
        self._take_on(task, config.changed(task.spec, seeds=[*task.spec.seeds, *fresh]))
        self._parts.begin_task(task, [Link(url, "seed") for url in fresh])
        self._tell(f"{task.name}: {len(fresh)} start pages more")
        if task.state == "finished":
            self._to_continue.add(task.number)

    def _take_on(self, task: RunningTask, spec: TaskSpec) -> None:
        task.task.spec = spec
        task.change(spec)
        if task.state == "running":
            self._parts.frontier.welcome(task.number, spec.weight, spec.politeness)

    def _continue(self) -> None:
        """Go on with tasks as soon as nothing of theirs is under way any more: what is, would be loaded twice."""
        for number in sorted(self._to_continue):
            task = self._parts.tasks[number]
            if task.under_way:
                continue
            self._to_continue.discard(number)
            if task.state != "running" and task.tally.outstanding:
                task.state, task.reason = "running", ""
                self._rejoin(task)

    def _rejoin(self, task: RunningTask) -> None:
        frontier, number = self._parts.frontier, task.number
        frontier.leave(number)  # all that waits is in the store, or in the batch: load it as after a restart
        frontier.welcome(number, task.spec.weight, task.spec.politeness)
        hosts = set(self._store.waiting_hosts(number))
        hosts |= {one.host for one in self._parts.filling.batch.requests if one.task == number}
        for host in sorted(hosts):
            self._parts.meet(host)
            frontier.expect(host, number)

    def _tell(self, text: str) -> None:
        self._parts.watch(Notice(self._parts.clock(), text))
