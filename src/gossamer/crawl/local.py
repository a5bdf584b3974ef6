"""Crawling a web in this process. The parts are put together here, and nowhere else."""

import math
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from gossamer.crawl.caching import Cache
from gossamer.crawl.control import Mailbox
from gossamer.crawl.events import Watcher
from gossamer.crawl.keeping import Keeper
from gossamer.crawl.naming import host_of
from gossamer.crawl.parts import Memory, Parts
from gossamer.crawl.running import RunningTask
from gossamer.crawl.shard import Shard, steady_clock
from gossamer.crawl.starting import start_pages
from gossamer.crawl.steering import Steering
from gossamer.crawl.task import Task
from gossamer.fetch.client import CurlFetcher
from gossamer.fetch.robots_cache import RobotsCache
from gossamer.frontier.queue import Frontier
from gossamer.frontier.seen import Seen
from gossamer.frontier.traps import Trap, TrapWatch
from gossamer.records import Link
from gossamer.store.archive import Archive
from gossamer.store.batch import Store, TaskNote

MOST_CONNECTIONS = 256


class Crawl:
    """One run over a web: its tasks, old and new, until they end or somebody stops it."""

    def __init__(self, store: Store, folder: Path, watcher: Watcher, shard: int = 0) -> None:
        clock = steady_clock()
        self._store = store
        self._mailbox = Mailbox(folder)
        self._seen = Seen(np.frombuffer(bytearray().join(store.seen_keys()), np.int64))
        self._archive = Archive(folder / "archive", store.archive_ends(), shard)
        fetcher = CurlFetcher()
        traps = TrapWatch()
        for decision in store.decided("trap"):
            reason, _, pattern = decision.detail.partition(": ")
            traps.close(Trap(reason, pattern))
        # Whoever ran before may have asked any host a moment ago, and died before it could say so.
        since_s = clock() if store.tasks() else -math.inf
        memory = Memory(store.host, Cache(store, self._archive), store.last_number(), since_s)
        robots = RobotsCache(fetcher, clock)
        self._parts = Parts(Frontier(), fetcher, robots, traps, clock, watcher, memory)
        self._fetcher = fetcher
        self._shard: Shard | None = None
        self.stopping = ""
        """Why the crawl stops, if somebody wants it to."""

    def add(self, task: Task) -> RunningTask:
        """Begin a new task: its start pages are scheduled, whatever the rules say."""
        seeds = start_pages(task.spec)
        numbers = [note.number for note in self._store.tasks()] + list(self._parts.tasks)
        number = max(numbers, default=0) + 1
        name = task.spec.name or f"{host_of(seeds[0])}-{number}"
        note = TaskNote(number, name, msgspec.json.encode(task.spec), created_s=self._parts.clock())
        running = self._welcome(note, task, seeds)
        self._parts.begin_task(running, [Link(seed, "seed") for seed in seeds])
        return running

    def resume(self, note: TaskNote, task: Task) -> RunningTask:
        """Go on with a task where it was left, however it was left."""
        running = self._welcome(note, task, start_pages(task.spec))
        running.state, running.reason = "running", ""
        running.recall_budgets(self._store.spent(note.number))
        for host in self._store.waiting_hosts(note.number):
            self._parts.meet(host)
            self._parts.frontier.expect(host, note.number)
        return running

    async def run(self) -> None:
        """Crawl until all tasks have ended."""
        connections = max((task.spec.fetching.connections for task in self._parts.tasks.values()), default=1)
        keeper = Keeper(self._store, self._archive)
        steer = Steering(self._parts, self._store, self._mailbox, self.resume).hear
        self._shard = Shard(self._parts, self._store, keeper, min(connections, MOST_CONNECTIONS), steer)
        self._shard.stopping = self.stopping
        try:
            steer(True)
            await self._shard.run()
            self._mailbox.settle(set(self._parts.tasks))
        finally:
            await self._fetcher.close()
            self._archive.close()

    def stop(self, why: str) -> None:
        """Let what is under way come to its end, then stop."""
        self.stopping = why
        if self._shard is not None:
            self._shard.stopping = why

    def _welcome(self, note: TaskNote, task: Task, seeds: Sequence[str]) -> RunningTask:
        parts = self._parts
        running = RunningTask(note, task, tuple(seeds), self._seen, parts.traps, parts.clock())
        parts.tasks[running.number] = running
        parts.frontier.welcome(running.number, task.spec.weight, task.spec.politeness)
        return running
