"""Run tasks of a web in a database from here: join as a fetcher until they have ended, and show what all fetchers do."""

import asyncio
import os
import re
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from gossamer.cluster.fetcher import Fetcher
from gossamer.crawl.control.command_mailbox import Stop
from gossamer.crawl.control.stored_mailbox import StoredMailbox
from gossamer.crawl.events import Notice, Progress, TaskEnded, Watcher
from gossamer.crawl.run.supervise_processes import StoredTask
from gossamer.crawl.task.task import Task, await_result
from gossamer.errors import StoreAway
from gossamer.store.batch import Store, TaskNote
from gossamer.store.opening.web_archive import WebArchive
from gossamer.store.postgres.address import Address

_TICK_S = 1.0


class Fetching(Protocol):
    """What fetches for a crawl, in a thread of its own."""

    def run(self) -> None:
        """Fetch until it is stopped."""
        ...

    def stop(self, why: str) -> None:
        """Finish the visits under way, write them, and leave."""
        ...

    def end(self) -> None:
        """Leave at once, if that is possible."""
        ...


class OwnFetcher:
    """The fetcher in this process."""

    def __init__(
        self, address: Address, folder: Path, tasks: Sequence[tuple[TaskNote, Task]], watcher: Watcher
    ) -> None:
        machine = socket.gethostname()
        name = make_fetcher_name(machine)
        self._archive = WebArchive(address, folder, name, lambda text: watcher(Notice(time.time(), text)))
        self._fetcher = Fetcher(
            address,
            folder,
            name,
            machine,
            count_connections(tasks),
            self._archive.open_writer,
            watcher,
            tasks={note.number: task for note, task in tasks},
            check_archive=self._archive.check,
        )

    def run(self) -> None:
        """Fetch until it is stopped."""
        with closing(self._archive):
            self._fetcher.run()

    def stop(self, why: str) -> None:
        """Finish the visits under way, write them, and leave."""
        self._fetcher.stop(why)

    def end(self) -> None:
        """Leave as soon as the visits under way are finished: a thread cannot be killed."""
        self._fetcher.stop("stopped at once")


class JoinedCrawl:
    """One run of tasks, by these fetchers and any others that join."""

    def __init__(
        self,
        store: Store,
        tasks: Sequence[tuple[TaskNote, Task]],
        watcher: Watcher,
        make_fetching: Callable[[Watcher], Fetching],
    ) -> None:
        self._store = store
        self._watch = watcher
        self.tasks = [StoredTask(note, task) for note, task in tasks]
        self._fetching = make_fetching(self._pass_on)
        self._hosts: dict[str, int] = {}

    def stop(self, why: str) -> None:
        """Have the tasks stopped, by whichever fetcher controls them."""
        mailbox = StoredMailbox(self._store)
        try:
            for task in self.tasks:
                mailbox.append(Stop(task.number, reason=why))
        except StoreAway as away:
            self._watch(
                Notice(
                    time.time(), f"{away}; this program ends, and the tasks go on: `gossamer stop` ends them"
                )
            )
            self._fetching.stop(why)

    async def run(self) -> None:
        """Crawl until the tasks have ended."""
        fetching = asyncio.create_task(asyncio.to_thread(self._fetching.run))
        try:
            while not fetching.done() and self._has_work():
                await asyncio.wait([fetching], timeout=_TICK_S)
                self._report_progress()
        except asyncio.CancelledError:
            self._fetching.end()
            raise
        finally:
            self._fetching.stop("its tasks have ended")
            await fetching
        self._update()
        for task in self.tasks:
            await self._report_end(task)

    def _has_work(self) -> bool:
        self._update()
        return any(task.note.state == "running" for task in self.tasks)

    def _update(self) -> None:
        """Read the state of the tasks from the store; while it is away, the last one counts, and the fetcher says so."""
        try:
            notes = {note.number: note for note in self._store.tasks()}
        except StoreAway:
            return
        for task in self.tasks:
            task.update(notes[task.number])

    def _report_progress(self) -> None:
        before = {task.number: task.tally["downloaded"] for task in self.tasks}
        bytes_before = sum(task.tally["bytes"] for task in self.tasks)
        self._update()
        pages = sum(task.tally["downloaded"] - before[task.number] for task in self.tasks)
        body_bytes = sum(task.tally["bytes"] for task in self.tasks) - bytes_before
        counts = {task.name: dict(task.note.counts) for task in self.tasks}
        self._watch(Progress(time.time(), counts, self._hosts, pages / _TICK_S, body_bytes / _TICK_S))

    async def _report_end(self, task: StoredTask) -> None:
        note = task.note
        if not task.end_reported and note.state != "running":
            task.end_reported = True
            self._watch(TaskEnded(time.time(), task.name, note.state, note.reason, note.counts))
            for listener in task.task.end_listeners:
                await await_result(listener(task.task, note.reason))

    def _pass_on(self, event: Any) -> None:
        """Pass on what this fetcher does; progress and ends are reported for all fetchers together."""
        if isinstance(event, Progress):
            self._hosts = event.hosts
        elif not isinstance(event, TaskEnded):
            self._watch(event)


def count_connections(tasks: Sequence[tuple[TaskNote, Task]]) -> int:
    """Return how many requests a fetcher may have under way: as many as the task that wants most."""
    return max(task.spec.fetching.connections for _, task in tasks)


def make_fetcher_name(machine: str) -> str:
    """Return a name for a fetcher that was given none: its machine and process."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", f"{machine}-{os.getpid()}").lstrip(".-_") or "fetcher"
