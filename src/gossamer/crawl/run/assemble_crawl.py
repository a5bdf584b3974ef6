"""Assemble a crawl: put the parts of one shard together, in this process. Nothing else does."""

import functools
import math
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.crawl.control.carry_out_commands import CommandExecutor
from gossamer.crawl.control.command_mailbox import Mailbox, read_spec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.control.task_state import TaskFollower
from gossamer.crawl.events import Watcher
from gossamer.crawl.host_shards import Territory
from gossamer.crawl.log_events import is_verbose
from gossamer.crawl.loop.find_connections import make_finder
from gossamer.crawl.loop.shard_inbox import Inbox
from gossamer.crawl.loop.shard_loop import ShardLoop, steady_clock
from gossamer.crawl.loop.write_batches import BatchWriter, describe_crawl
from gossamer.crawl.run.share_out_files import (
    MOST_CONNECTIONS,
    MOST_SOCKETS,
    count_sockets,
    limit_connections,
)
from gossamer.crawl.run.simulate_crawl import SimulatedNetwork, walk
from gossamer.crawl.run.surroundings import ALONE, Surroundings
from gossamer.crawl.status.status_file import StatusFile
from gossamer.crawl.task.make_guide import load_learnt
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.sitemap_budget import SITEMAP_ROOM
from gossamer.crawl.task.task import Task
from gossamer.crawl.visit.cached_pages import PageCache
from gossamer.crawl.visit.shard_context import ShardContext, ShardMemory
from gossamer.fetch.body_budget import BodyBudget
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.fetch.robots_cache import RobotsCache
from gossamer.fetch.scheme_fetcher import SchemeFetcher
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.pauses_and_backoff import CLOCK_SLACK_S
from gossamer.frontier.seen_set import SeenSet
from gossamer.frontier.spider_traps import Trap, TrapDetector
from gossamer.records import Page
from gossamer.store.archive.archive import Archive, find_shards
from gossamer.store.batch import Store, TaskNote
from gossamer.store.opening.web_name import label_web
from gossamer.store.reading_attempts import ReadingAttempts
from gossamer.store.tombstones import load_tombstones

if TYPE_CHECKING:  # loaded only by crawls that visit pages again
    from gossamer.crawl.visit.revisit import Revisits


class Crawl:
    """One run over a web, or one shard of it: its tasks, until they end or the crawl is stopped."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        watcher: Watcher,
        fresh: bool = False,
        surroundings: Surroundings = ALONE,
        simulated: SimulatedNetwork | None = None,
    ) -> None:
        clock = surroundings.clock or (simulated.clock if simulated else steady_clock())
        territory = surroundings.territory
        self._surroundings = surroundings
        self._store = store
        self._folder = folder
        self._mailbox = surroundings.mailbox or Mailbox(folder)
        pieces = list(store.seen_keys())
        self._seen = SeenSet(memoryview(bytearray().join(keys for _, keys in pieces)).cast("q"))
        self._archive = surroundings.archive or _open_archive(
            folder / "archive", store.archive_ends(), territory
        )
        self._forgotten = load_tombstones(store)
        self._sockets = MOST_SOCKETS if simulated else count_sockets()
        budget = BodyBudget()
        fetcher = (
            simulated.fetcher
            if simulated
            else SchemeFetcher(
                CurlFetcher(most_connections=self._sockets, budget=budget, may_send=surroundings.may_send),
                surroundings.may_send,
            )
        )
        traps = TrapDetector()
        for decision in store.decisions_by_rule("trap"):
            reason, _, pattern = decision.detail.partition(": ")
            traps.restore(Trap(reason, pattern))
        # An earlier process may have asked any host a moment ago, and been killed before it was recorded.
        since_s = -math.inf if fresh else clock()
        numbers = count(territory.first_number(store.last_number()), territory.shards)
        self._attempts = ReadingAttempts(folder)
        is_new = fresh and next(iter(store.pages()), None) is None
        cache = PageCache(store, self._archive, self._attempts, is_new)
        memory = ShardMemory(store.host, cache, _make_revisits(store, cache.read_text), numbers, since_s)
        robots = RobotsCache(fetcher, clock)
        self._shard = ShardContext(
            Frontier(), fetcher, robots, traps, clock, watcher, memory, territory, surroundings.turns, budget
        )
        self._shard.hand_over = surroundings.hand_over
        self._shard.is_verbose = surroundings.is_verbose or is_verbose()
        self._inbox = Inbox(self._shard, store, self._seen, pieces[-1][0] if pieces else 0)
        self._fetcher = fetcher
        self._loop: ShardLoop | None = None
        self.stopping = ""
        """Why the crawl is to stop; "" while it is not."""
        self.leaving = False
        """Whether its tasks go on without this shard."""

    def resume(self, note: TaskNote, task: Task) -> RunningTask:
        """Resume a task, however it was left; all its requests are in the store."""
        shard = self._shard
        task.spec = read_spec(note)
        seeds = tuple(list_start_pages(task.spec))
        now_s = shard.clock()
        running = RunningTask(
            note,
            task,
            seeds,
            self._seen,
            shard.traps,
            now_s,
            shard.territory,
            self._folder,
            self._forgotten,
        )
        running.share_bandwidth(self._surroundings.make_cell(note.number), self._surroundings.bandwidth_share)
        running.state, running.reason = "running", ""
        shard.tasks[running.number] = running
        guide = running.guide
        shard.frontier.set_task(
            running.number, task.spec.weight, task.spec.politeness, best_first=guide is not None
        )
        if guide is not None:
            load_learnt(guide, self._store, running.number, shard.territory)
        running.load_budgets(self._store.pages_by_host(note.number))
        read = self._store.notes(SITEMAP_ROOM, f"{note.number}.")
        running.sitemaps.load_notes(read, functools.partial(self._store.note, SITEMAP_ROOM))
        if running.tally.outstanding:
            shard.frontier.note_stored_hosts(note.number)
        return running

    async def walk(self, simulated: SimulatedNetwork, enough: Callable[[], bool]) -> None:
        """Crawl in simulated time, until `enough` says so or nothing is left."""
        await walk(
            self._shard, self._store, BatchWriter(self._store, self._archive), self._inbox, simulated, enough
        )
        self._archive.close()
        self._shard.documents.close()
        self._attempts.close()

    async def run(self) -> None:
        """Crawl until all tasks have ended."""
        wanted = [task.spec.fetching for task in self._shard.tasks.values()]
        writer = BatchWriter(self._store, self._archive, self._surroundings.archive is not None)
        first = self._shard.territory.first
        steer = TaskFollower(self._shard, self._store, self.resume).carry_out
        if first:
            steer = CommandExecutor(self._shard, self._store, self._mailbox, self.resume).carry_out
        most = limit_connections(MOST_CONNECTIONS, self._sockets)
        connections = make_finder(wanted, self._surroundings.connections, most)
        quota = self._surroundings.make_quota(self._shard, self._store)
        status = self._surroundings.status or StatusFile(self._folder, self._shard.territory.shard)
        self._loop = ShardLoop(
            self._shard,
            self._store,
            writer,
            self._inbox,
            connections,
            steer,
            quota,
            self._surroundings.hurry,
            status,
        )
        self._loop.leaving, self._loop.stopping = self.leaving, self.stopping
        self._archive.about = describe_crawl(
            label_web(self._folder), ((task.name, task.spec) for task in self._shard.tasks.values())
        )
        self._check_clock()
        try:
            steer(True)
            await self._prepare_browsers()
            await self._loop.run()
            if first:
                self._mailbox.forget(set(self._shard.tasks))
        finally:
            await self._shard.browsers.close()
            await self._fetcher.close()
            self._archive.close()
            self._shard.documents.close()
            self._attempts.close()

    async def _prepare_browsers(self) -> None:
        """Say before the first page what a person should know about the browser, if a task may need one."""
        territory = self._shard.territory
        for task in list(self._shard.tasks.values()):
            # Of several processes on one machine, one says it.
            if task.spec.rendering.render != "never" and (territory.first or territory.groups is not None):
                await self._shard.browsers.prepare(task.spec.rendering)

    def _check_clock(self) -> None:
        """Report if the web was last written at a time that is still to come; of several shards, the first does it."""
        shard, newest_s = self._shard, self._store.last_visit_s()
        if newest_s > shard.clock() + CLOCK_SLACK_S:
            if shard.territory.first:
                shard.report_wrong_clock(newest_s)
            shard.clock_reported = True

    def count_visits_under_way(self) -> int:
        """Return how many visits have begun and not ended; may be called from another thread."""
        return sum(task.under_way for task in list(self._shard.tasks.values()))

    def hold_back(self, why: str) -> None:
        """Take no requests for a while, and fewer at once afterwards: something that the crawl feeds is behind."""
        self._shard.wait_out(why)

    def stop(self, why: str, leave: bool = False) -> None:
        """Finish the visits under way, then stop; `leave` leaves the tasks running for other shards."""
        self.leaving, self.stopping = leave, why
        if self._loop is not None:
            self._loop.leaving, self._loop.stopping = leave, why


def _make_revisits(store: Store, text: Callable[[Page], str]) -> "Callable[[], Revisits]":
    """Return a function that creates the Revisits at its first call."""

    @functools.cache
    def make() -> "Revisits":
        from gossamer.crawl.visit.revisit import Revisits

        return Revisits(store, text)

    return make


def _open_archive(folder: Path, promised: Mapping[str, int], territory: Territory) -> Archive:
    """Open the archive of a shard; the first shard also repairs the archives of shards that no longer exist."""
    left = [shard for shard in find_shards(folder) if shard >= territory.shards] if territory.first else []
    for shard in left:
        Archive(folder, promised, shard).close()
    return Archive(folder, promised, territory.shard)
