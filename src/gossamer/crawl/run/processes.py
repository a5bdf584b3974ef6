"""Crawling a web in several processes: each is one shard, and the store is their only channel.

The parent fetches nothing. It starts the shards, makes one stream of what they tell, passes on when to stop, and starts
anew what died. It knows how tasks stand from the store, like everybody else.
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
from gossamer.crawl.control import task_functions
from gossamer.crawl.control.mailbox import Mailbox, read_spec
from gossamer.crawl.events import Notice, Progress, TaskEnded, Watcher
from gossamer.crawl.run import channel
from gossamer.crawl.run.channel import Broken, Job, PageKept, Stop
from gossamer.crawl.run.process_crew import Child, Crew
from gossamer.crawl.task.task import Listener, Task, await_result
from gossamer.crawl.task_counts import Tally
from gossamer.errors import StoreFailed
from gossamer.store.batch import Store, TaskNote

MOST_RESTARTS = 5
FORGIVEN_AFTER_S = 60.0
"""A shard that lived so long may die as often again."""
_TICK_S = 1.0


class FollowedTask:
    """A task as the store knows it: what a display shows of it."""

    def __init__(self, note: TaskNote, task: Task) -> None:
        self.number = note.number
        self.name = note.name
        self.task = task
        self.ends_told: set[int] = set()
        """Shards that have said that nothing of it is under way any more."""
        self.end_told = False
        self.see(note)

    def see(self, note: TaskNote) -> None:
        """Take in how it stands."""
        self.note = note
        self._seen_s = time.time()
        self.spec: TaskSpec = read_spec(note)
        self.tally = Tally(note.counts)
        if note.state == "running":
            self.ends_told.clear()
            self.end_told = False

    def elapsed_s(self, now_s: float) -> float:
        """Return how long the task has been running, as far as that is written down, and since then."""
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
        crew: Crew,
        fresh: bool,
    ) -> None:
        self._store = store
        self._lock = lock
        self._watch = watcher
        self._crew = crew
        self._shards = crew.size
        self.tasks = [FollowedTask(note, task) for note, task in tasks]
        self._shared_turns = shared_turns.create_file()
        by_number = {note.number: task for note, task in tasks}
        self._job = Job(
            folder=str(folder),
            state=str(state),
            shard=0,
            shards=crew.size,
            fresh=fresh,
            mailbox_bytes=Mailbox(folder).began_bytes,
            functions=task_functions.pack(by_number),
            heard=frozenset(number for number, task in by_number.items() if task.listeners),
        )
        self._children: dict[int, Child] = {}
        self._progress: dict[int, Progress] = {}
        self._failure: Exception | None = None
        self.stopping = ""
        """Why the crawl stops, if somebody wants it to."""

    def stop(self, why: str) -> None:
        """Let what is under way come to its end, then stop."""
        self.stopping = why
        for child in list(self._children.values()):
            child.tell(channel.framed(Stop(why)))

    async def run(self) -> None:
        """Crawl until all tasks have ended."""
        ticking = asyncio.create_task(self._tick())
        try:
            await asyncio.gather(*(self._tend(shard) for shard in range(self._shards)))
        finally:
            ticking.cancel()
            for child in self._children.values():
                child.end()
            os.close(self._shared_turns)
        self._see_tasks()
        for task in self.tasks:
            await self._tell_end(task)
        if self._failure is not None:
            raise self._failure

    # Shards

    async def _tend(self, shard: int) -> None:
        """Keep a shard at work as long as there is any; start it anew when it died."""
        deaths = 0
        job = msgspec.structs.replace(self._job, shard=shard)
        while True:
            child = self._children[shard] = self._crew.child()
            child.begin(channel.framed(job), (self._shared_turns, self._lock))
            if self.stopping:
                child.tell(channel.framed(Stop(self.stopping)))
            await self._listen(shard, child)
            code = await asyncio.to_thread(child.process.wait)
            del self._children[shard]
            child.end()
            if self._failure is not None or self.stopping or (code == 0 and not self._has_work()):
                return
            deaths = 1 if time.monotonic() - child.began_s > FORGIVEN_AFTER_S else deaths + 1
            if deaths > MOST_RESTARTS:
                self._fail(StoreFailed(f"process {shard + 1} has died {deaths} times: {_death(code)}"))
                return
            if code:
                self._say(
                    f"process {shard + 1} of {self._shards} has died: {_death(code)}; it is started anew"
                )
            job = msgspec.structs.replace(job, fresh=False)

    async def _listen(self, shard: int, child: Child) -> None:
        """Take in what a shard tells until it is gone."""
        reader = asyncio.StreamReader(limit=1 << 20)
        pipe = os.fdopen(child.events, "rb", 0)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        try:
            while True:
                head = await reader.readexactly(channel.HEAD_BYTES)
                for event in channel.events_in(await reader.readexactly(channel.length_of(head))):
                    await self._hear(shard, event)
        except asyncio.IncompleteReadError:
            return
        finally:
            transport.close()

    async def _hear(self, shard: int, event: Any) -> None:
        match event:
            case Progress():
                self._progress[shard] = event
            case TaskEnded():
                for task in self.tasks:
                    if task.name == event.task:
                        task.ends_told.add(shard)
            case PageKept(_, number, page):
                for listener in self._listeners(number):
                    await await_result(listener(page))
            case Broken():
                self._fail(event.error())
            case _:
                self._watch(event)

    def _listeners(self, number: int) -> list[Listener]:
        return next((task.task.listeners for task in self.tasks if task.number == number), [])

    def _fail(self, failure: Exception) -> None:
        """Stop everything because one shard cannot go on; what was wrong is raised at the end."""
        if self._failure is None:
            self._failure = failure
            self.stop(str(failure))

    def _has_work(self) -> bool:
        return any(note.state == "running" for note in self._store.tasks())

    # What is told

    async def _tick(self) -> None:
        """Tell once a second how all shards together stand."""
        while True:
            await asyncio.sleep(_TICK_S)
            self._see_tasks()
            hosts: Counter[str] = Counter()
            for told in self._progress.values():
                hosts.update(told.hosts)
            pages_per_s = sum(told.pages_per_s for told in self._progress.values())
            bytes_per_s = sum(told.bytes_per_s for told in self._progress.values())
            counts = {task.name: dict(task.note.counts) for task in self.tasks}
            self._watch(Progress(time.time(), counts, dict(hosts), pages_per_s, bytes_per_s))
            for task in self.tasks:
                if len(task.ends_told) == self._shards:
                    await self._tell_end(task)

    def _see_tasks(self) -> None:
        """Learn from the store how tasks stand, and which others take part by now."""
        known: Mapping[int, FollowedTask] = {task.number: task for task in self.tasks}
        for note in self._store.tasks():
            if note.number in known:
                known[note.number].see(note)
            elif note.state == "running":
                self.tasks.append(FollowedTask(note, Task(read_spec(note))))

    async def _tell_end(self, task: FollowedTask) -> None:
        """Tell everybody once that a task has ended, and why."""
        note = task.note
        if task.end_told or note.state == "running":
            return
        task.end_told = True
        self._watch(TaskEnded(time.time(), task.name, note.state, note.reason, note.counts))
        for listener in task.task.end_listeners:
            await await_result(listener(task.task, note.reason))

    def _say(self, text: str) -> None:
        self._watch(Notice(time.time(), text))


def _death(code: int) -> str:
    """Say how a process ended."""
    if code < 0:
        with suppress(ValueError):
            return f"killed by {signal.Signals(-code).name}"
    return f"it ended with code {code}"
