"""Crawling a web, or one shard of it, in this process. The parts are put together here, and nowhere else."""

import functools
import math
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.crawl.control.carry_out_orders import Steering
from gossamer.crawl.control.mailbox import Mailbox, spec_of
from gossamer.crawl.control.start_tasks import start_pages
from gossamer.crawl.control.task_state import Following
from gossamer.crawl.events import Watcher
from gossamer.crawl.host_shards import WHOLE, Territory
from gossamer.crawl.loop.batch_writer import Keeper, about
from gossamer.crawl.loop.inbox import Inbox
from gossamer.crawl.loop.shard_loop import Shard, steady_clock
from gossamer.crawl.run.simulate import Pretended, walk
from gossamer.crawl.shared_turns import Commons
from gossamer.crawl.task.make_guide import recall_learnt
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.crawl.visit.cached_pages import Cache
from gossamer.crawl.visit.shard_context import Memory, Parts
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.fetch.robots_cache import RobotsCache
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.seen_set import SeenSet
from gossamer.frontier.spider_traps import Trap, TrapDetector
from gossamer.records import Page
from gossamer.store.archive.archive import Archive, shards_in
from gossamer.store.batch import Store, TaskNote

if TYPE_CHECKING:  # loaded by crawls that visit pages again, and by no others
    from gossamer.crawl.visit.revisit import Revisits

MOST_CONNECTIONS = 256


class Crawl:
    """One run over a web, or one shard of it: the tasks that take part, until they end or somebody stops it."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        watcher: Watcher,
        fresh: bool = False,
        territory: Territory = WHOLE,
        commons: Commons | None = None,
        mailbox: Mailbox | None = None,
        pretended: Pretended | None = None,
    ) -> None:
        clock = pretended.clock if pretended else steady_clock()
        self._store = store
        self._folder = folder
        self._mailbox = mailbox or Mailbox(folder)
        pieces = list(store.seen_keys())
        self._seen = SeenSet(memoryview(bytearray().join(keys for _, keys in pieces)).cast("q"))
        self._archive = _archive(folder / "archive", store.archive_ends(), territory)
        fetcher = pretended.fetcher if pretended else CurlFetcher()
        traps = TrapDetector()
        for decision in store.decided("trap"):
            reason, _, pattern = decision.detail.partition(": ")
            traps.restore(Trap(reason, pattern))
        # Whoever ran before may have asked any host a moment ago, and died before it could say so.
        since_s = -math.inf if fresh else clock()
        numbers = count(territory.first_number(store.last_number()), territory.shards)
        cache = Cache(store, self._archive)
        memory = Memory(store.host, cache, _revisits(store, cache.text), numbers, since_s)
        robots = RobotsCache(fetcher, clock)
        self._parts = Parts(Frontier(), fetcher, robots, traps, clock, watcher, memory, territory, commons)
        self._inbox = Inbox(self._parts, store, self._seen, pieces[-1][0] if pieces else 0)
        self._fetcher = fetcher
        self._shard: Shard | None = None
        self.stopping = ""
        """Why the crawl stops, if somebody wants it to."""

    def resume(self, note: TaskNote, task: Task) -> RunningTask:
        """Go on with a task where it was left, however it was left; all that it has to do is in the store."""
        parts = self._parts
        task.spec = spec_of(note)
        seeds = tuple(start_pages(task.spec))
        now_s = parts.clock()
        running = RunningTask(
            note, task, seeds, self._seen, parts.traps, now_s, parts.territory, self._folder
        )
        running.state, running.reason = "running", ""
        parts.tasks[running.number] = running
        guide = running.guide
        parts.frontier.set_task(
            running.number, task.spec.weight, task.spec.politeness, best_first=guide is not None
        )
        if guide is not None:
            recall_learnt(guide, self._store, running.number, parts.territory)
        running.recall_budgets(self._store.spent(note.number))
        if running.tally.outstanding:
            parts.frontier.note_stored_hosts(note.number)
        return running

    async def walk(self, pretended: Pretended, enough: Callable[[], bool]) -> None:
        """Crawl without waiting, by a clock that jumps to whatever is next, until it is enough or nothing is left."""
        await walk(
            self._parts, self._store, Keeper(self._store, self._archive), self._inbox, pretended, enough
        )
        self._archive.close()

    async def run(self) -> None:
        """Crawl until all tasks have ended."""
        connections = max((task.spec.fetching.connections for task in self._parts.tasks.values()), default=1)
        keeper = Keeper(self._store, self._archive)
        first = self._parts.territory.first
        steer = Following(self._parts, self._store, self.resume).hear
        if first:
            steer = Steering(self._parts, self._store, self._mailbox, self.resume).hear
        most = min(connections, MOST_CONNECTIONS)
        self._shard = Shard(self._parts, self._store, keeper, self._inbox, most, steer)
        self._shard.stopping = self.stopping
        self._archive.about = about(
            self._folder.name, ((task.name, task.spec) for task in self._parts.tasks.values())
        )
        try:
            steer(True)
            await self._shard.run()
            if first:
                self._mailbox.settle(set(self._parts.tasks))
        finally:
            await self._fetcher.close()
            self._archive.close()

    def stop(self, why: str) -> None:
        """Let what is under way come to its end, then stop."""
        self.stopping = why
        if self._shard is not None:
            self._shard.stopping = why


def _revisits(store: Store, text: Callable[[Page], str]) -> "Callable[[], Revisits]":
    """Return what makes what is known of pages that are visited again, once, when the first of them is."""

    @functools.cache
    def made() -> "Revisits":
        from gossamer.crawl.visit.revisit import Revisits

        return Revisits(store, text)

    return made


def _archive(folder: Path, promised: Mapping[str, int], territory: Territory) -> Archive:
    """Open the archive of a shard. What shards left that are no more, the first one sees to."""
    left = [shard for shard in shards_in(folder) if shard >= territory.shards] if territory.first else []
    for shard in left:
        Archive(folder, promised, shard).close()
    return Archive(folder, promised, territory.shard)
