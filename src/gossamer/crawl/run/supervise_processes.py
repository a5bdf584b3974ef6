"""Crawl a web in several processes: each is one shard, and the store is their only channel.

The parent fetches nothing. It starts the shards, merges their events into one stream, passes on orders to stop, and
restarts shards that died. It reads the state of tasks from the store, like the shards do.
"""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl import shared_turns
from gossamer.crawl.control import pickle_functions
from gossamer.crawl.control.command_mailbox import Mailbox, read_spec
from gossamer.crawl.events import Notice, Progress, TaskEnded, Watcher
from gossamer.crawl.log_events import is_verbose
from gossamer.crawl.run import process_messages
from gossamer.crawl.run.process_messages import PageKept, ShardFailed, ShardJob, StopShard
from gossamer.crawl.run.start_processes import ProcessCrew, ShardProcess
from gossamer.crawl.task.task import Listener, Task, await_result
from gossamer.crawl.task_counts import Tally
from gossamer.errors import StoreFailed
from gossamer.store.batch import Store, TaskNote

MOST_RESTARTS = 5
FORGIVEN_AFTER_S = 60.0
"""After this time a shard's earlier deaths no longer count."""
_TICK_S = 1.0


class StoredTask:
    """A task as the store knows it, for displays."""

    def __init__(self, note: TaskNote, task: Task) -> None:
        self.number = note.number
        self.name = note.name
        self.task = task
        self.ended_shards: set[int] = set()
        """Shards that have no visit of it under way any more."""
        self.end_reported = False
        self.update(note)

    def update(self, note: TaskNote) -> None:
        """Take the state of the task from the store."""
        self.note = note
        self._seen_s = time.time()
        self.spec: TaskSpec = read_spec(note)
        self.tally = Tally(note.counts)
        if note.state == "running":
            self.ended_shards.clear()
            self.end_reported = False

    def elapsed_s(self, now_s: float) -> float:
        """Return how long the task has been running: the stored time, and the time since it was read."""
        since_s = max(0.0, now_s - self._seen_s) if self.note.state == "running" else 0.0
        return self.note.counts.get("elapsed_ms", 0) / 1000 + min(since_s, _TICK_S)


class Processes:
    """One run over a web in several processes."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        state: Path,
        lock: int,
        tasks: Sequence[tuple[TaskNote, Task]],
        watcher: Watcher,
        crew: ProcessCrew,
        fresh: bool,
    ) -> None:
        self._store = store
        self._lock = lock
        self._watch = watcher
        self._crew = crew
        self._shards = crew.size
        self.tasks = [StoredTask(note, task) for note, task in tasks]
        self._shared_turns = shared_turns.create_file()
        by_number = {note.number: task for note, task in tasks}
        self._job = ShardJob(
            folder=str(folder),
            state=str(state),
            shard=0,
            shards=crew.size,
            fresh=fresh,
            mailbox_bytes=Mailbox(folder).began_bytes,
            functions=pickle_functions.pack(by_number),
            with_listeners=frozenset(number for number, task in by_number.items() if task.listeners),
            is_verbose=is_verbose(),
        )
        self._children: dict[int, ShardProcess] = {}
        self._progress: dict[int, Progress] = {}
        self._failure: Exception | None = None
        self.stopping = ""
        """Why the crawl is to stop; "" while it is not."""

    def stop(self, why: str) -> None:
        """Finish the visits under way, then stop."""
        self.stopping = why
        for child in list(self._children.values()):
            child.send(process_messages.frame(StopShard(why)))

    async def run(self) -> None:
        """Crawl until all tasks have ended."""
        ticking = asyncio.create_task(self._tick())
        try:
            await asyncio.gather(*(self._keep_running(shard) for shard in range(self._shards)))
        finally:
            ticking.cancel()
            for child in self._children.values():
                child.end()
            os.close(self._shared_turns)
        self._update_tasks()
        for task in self.tasks:
            await self._report_end(task)
        if self._failure is not None:
            raise self._failure

    # Shards

    async def _keep_running(self, shard: int) -> None:
        """Run a shard as long as there is work; restart it when it died."""
        deaths = 0
        job = msgspec.structs.replace(self._job, shard=shard)
        while True:
            child = self._children[shard] = self._crew.take_process()
            child.begin(process_messages.frame(job), (self._shared_turns, self._lock))
            if self.stopping:
                child.send(process_messages.frame(StopShard(self.stopping)))
            await self._read_events(shard, child)
            code = await asyncio.to_thread(child.process.wait)
            del self._children[shard]
            child.end()
            if self._failure is not None or self.stopping or (code == 0 and not self._has_work()):
                return
            deaths = 1 if time.monotonic() - child.began_s > FORGIVEN_AFTER_S else deaths + 1
            if deaths > MOST_RESTARTS:
                self._fail(
                    StoreFailed(f"process {shard + 1} has died {deaths} times: {_describe_death(code)}")
                )
                return
            if code:
                self._notify(
                    f"process {shard + 1} of {self._shards} has died: {_describe_death(code)}; it is restarted"
                )
            job = msgspec.structs.replace(job, fresh=False)

    async def _read_events(self, shard: int, child: ShardProcess) -> None:
        """Read the events of a shard until its pipe closes."""
        reader = asyncio.StreamReader(limit=1 << 20)
        pipe = os.fdopen(child.events, "rb", 0)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        try:
            while True:
                head = await reader.readexactly(process_messages.HEAD_BYTES)
                for event in process_messages.decode_events(
                    await reader.readexactly(process_messages.read_length(head))
                ):
                    await self._handle(shard, event)
        except asyncio.IncompleteReadError:
            return
        finally:
            transport.close()

    async def _handle(self, shard: int, event: Any) -> None:
        match event:
            case Progress():
                self._progress[shard] = event
            case TaskEnded():
                for task in self.tasks:
                    if task.name == event.task:
                        task.ended_shards.add(shard)
            case PageKept(_, number, page):
                for listener in self._find_listeners(number):
                    await await_result(listener(page))
            case ShardFailed():
                self._fail(event.to_error())
            case _:
                self._watch(event)

    def _find_listeners(self, number: int) -> list[Listener]:
        return next((task.task.listeners for task in self.tasks if task.number == number), [])

    def _fail(self, failure: Exception) -> None:
        """Stop all shards because one cannot continue; its error is raised at the end."""
        if self._failure is None:
            self._failure = failure
            self.stop(str(failure))

    def _has_work(self) -> bool:
        return any(note.state == "running" for note in self._store.tasks())

    # Reporting

    async def _tick(self) -> None:
        """Report the progress of all shards together once a second."""
        while True:
            await asyncio.sleep(_TICK_S)
            self._update_tasks()
            hosts: Counter[str] = Counter()
            for each in self._progress.values():
                hosts.update(each.hosts)
            pages_per_s = sum(each.pages_per_s for each in self._progress.values())
            bytes_per_s = sum(each.bytes_per_s for each in self._progress.values())
            counts = {task.name: dict(task.note.counts) for task in self.tasks}
            self._watch(Progress(time.time(), counts, dict(hosts), pages_per_s, bytes_per_s))
            for task in self.tasks:
                if len(task.ended_shards) == self._shards:
                    await self._report_end(task)

    def _update_tasks(self) -> None:
        """Read the state of the tasks from the store, and add tasks that have joined."""
        known: Mapping[int, StoredTask] = {task.number: task for task in self.tasks}
        for note in self._store.tasks():
            if note.number in known:
                known[note.number].update(note)
            elif note.state == "running":
                self.tasks.append(StoredTask(note, Task(read_spec(note))))

    async def _report_end(self, task: StoredTask) -> None:
        """Report once that a task has ended, and why."""
        note = task.note
        if task.end_reported or note.state == "running":
            return
        task.end_reported = True
        self._watch(TaskEnded(time.time(), task.name, note.state, note.reason, note.counts))
        for listener in task.task.end_listeners:
            await await_result(listener(task.task, note.reason))

    def _notify(self, text: str) -> None:
        self._watch(Notice(time.time(), text))


def _describe_death(code: int) -> str:
    """Describe how a process ended."""
    if code < 0:
        with suppress(ValueError):
            return f"killed by {signal.Signals(-code).name}"
    return f"it ended with code {code}"
