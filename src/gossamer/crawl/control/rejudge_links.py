"""Judge the links of visited pages again after the rules of a task were widened.

The store keeps each widening until it is carried out, so a task with one left has not ended, and a kill loses nothing:
judging a link twice schedules it once. The walk goes over the task's visits in order of arrival, which with most orders
is nearly the order of depth; where depth matters, `visit/follow_shorter_path.py` does the rest.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from gossamer.crawl.control.page_depths import PageDepths
from gossamer.crawl.host_shards import Territory, host_of
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.visit.cached_pages import RecalledPage, rebuild_links
from gossamer.crawl.visit.follow_shorter_path import is_redirect, judge_again
from gossamer.crawl.visit.pending_batch import PendingBatch
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.records import Page, PageLink, Request
from gossamer.store.batch import Store, Widening

VISITS_AT_ONCE = 200
"""Visits whose pages are read in one go; pages with a hundred links are some 10 MB."""
OTHERS_FOLLOW_S = 30.0
"""After this time every fetcher on another machine has read changed rules, or has lost its leases."""
_MOST_UNWRITTEN = 10_000
"""New requests in the batch before the walk waits until they are written."""


class _VisitWalk:
    """One widening that is being carried out."""

    def __init__(self, todo: Widening, visits: Collection[asyncio.Task[None]], settled_s: float) -> None:
        self.todo = todo
        self.settled_s = settled_s
        """When other shards have certainly written what they judged by the old rules."""
        self.visits = set(visits)
        """Visits under way that may have judged by the old rules."""
        self.pending: PendingBatch | None = None
        """The batch that must be written before the store has all that was judged by the old rules."""
        self.upto = -1
        """The last visit that may have been judged by the old rules; -1 if not known yet."""


class _VisitedPage(msgspec.Struct, frozen=True):
    """A page that was visited, and its links."""

    request: Request
    page: Page | None
    links: list[PageLink]


class LinkRejudging:
    """Carries out the widenings of one shard, a few pages at a time."""

    def __init__(
        self,
        shard: ShardContext,
        store: Store,
        visits: Collection[asyncio.Task[None]],
        ended: Callable[[], None],
    ) -> None:
        self._shard = shard
        self._store = store
        self._visits = visits
        """The visits under way."""
        self._ended = ended
        """Called when the next few pages can be judged."""
        self._known: set[int] = set()
        self._walks: list[_VisitWalk] = []
        self._step: asyncio.Task[None] | None = None

    def add_widenings(self, widenings: Iterable[Widening]) -> None:
        """Add the widenings that the store lists; the new rules hold here already."""
        territory = self._shard.territory
        for todo in widenings:
            own = territory.first if territory.groups else todo.shard % territory.shards == territory.shard
            if not own or todo.number in self._known or todo.task not in self._shard.tasks:
                continue
            self._known.add(todo.number)
            if todo.shards == 1 and territory.shards > 1 and territory.groups is None:
                self._split(todo)
            else:
                # Fetchers on other machines may write what they judged by the old rules until they read the new ones.
                settled_s = self._shard.clock() + (OTHERS_FOLLOW_S if territory.groups else 0.0)
                self._walks.append(_VisitWalk(todo, self._visits, settled_s))

    def _split(self, todo: Widening) -> None:
        """Split a widening into one for each shard."""
        batch, shards = self._shard.pending.batch, self._shard.territory.shards
        batch.widened.append(todo.number)
        batch.widenings += [
            msgspec.structs.replace(todo, shard=shard, shards=shards, number=0) for shard in range(shards)
        ]
        self._shard.pending.urgent = True

    def start_next(self, settled: bool) -> None:
        """Start judging the next few pages; `settled` says that no batch is being written."""
        if self._step is not None:
            if not self._step.done():
                return
            step, self._step = self._step, None
            step.result()
        if len(self._shard.pending.batch.requests) > _MOST_UNWRITTEN:
            return
        ready = (walk for walk in self._walks if self._is_ready(walk, settled))
        if walk := next(ready, None):
            self._step = asyncio.create_task(self._judge_some(walk))
            self._step.add_done_callback(lambda _: self._ended())

    async def stop(self) -> None:
        """Stop; the store keeps what is left to do."""
        if self._step is not None:
            self._step.cancel()
            await asyncio.gather(self._step, return_exceptions=True)
            self._step = None

    def _is_ready(self, walk: _VisitWalk, settled: bool) -> bool:
        """Say whether the task runs and the store has everything that was judged by the old rules."""
        shard = self._shard
        if shard.tasks[walk.todo.task].state != "running":
            return False
        walk.visits = {one for one in walk.visits if not one.done()}
        if walk.visits or walk.upto >= 0:
            return not walk.visits
        if shard.clock() < walk.settled_s:
            return False
        # A dismissal removes all requests of its host: add no new ones before it is written.
        giving_up = shard.given_up or shard.pending.batch.dismissed
        if walk.pending is None or giving_up:
            walk.pending = shard.pending
            shard.pending.urgent = True
        elif settled and shard.pending is not walk.pending:
            shard.tasks[walk.todo.task].reopen_hosts()
            walk.upto = self._store.last_visit()
        return walk.upto >= 0

    async def _judge_some(self, walk: _VisitWalk) -> None:
        """Judge the links of the next few pages, and record how far the walk has come."""
        shard, todo = self._shard, walk.todo
        running = shard.tasks[todo.task]
        found, upto = await asyncio.to_thread(self._recall, running, todo, walk.upto)
        for request, recalled in found:
            again = await judge_again(request, recalled, running, shard.clock())
            batch = shard.pending.batch
            batch.decisions.extend(again.decisions)
            shard.add_requests(
                running.scheduler.schedule(request, again.depth, again.found, batch, again.hops)
            )
            await asyncio.sleep(0)  # let visits run
        walk.todo = msgspec.structs.replace(todo, after=upto)
        if upto < walk.upto:
            shard.pending.batch.widenings.append(walk.todo)
            return
        self._walks.remove(walk)
        shard.pending.batch.widened.append(todo.number)
        shard.pending.urgent = True  # the task may have ended now

    # In a thread: this only reads, and the seen set answers in one call

    def _recall(
        self, running: RunningTask, todo: Widening, upto: int
    ) -> tuple[list[tuple[Request, RecalledPage]], int]:
        """Read the next pages with those of their links that are not scheduled; also return the last visit that was read."""
        pages, last = self._store.visited_pages(todo.task, todo.after, upto, VISITS_AT_ONCE)
        found = list(self._find_pages(running, todo, pages))
        names = self._store.urls({link.target for one in found for link in one.links})
        recalled = [(one.request, RecalledPage(one.page, rebuild_links(one.links, names))) for one in found]
        return recalled, last

    def _find_pages(
        self, running: RunningTask, todo: Widening, page_ids: list[int]
    ) -> Iterator[_VisitedPage]:
        """Yield the pages that the change can affect."""
        depths = running.scheduler.find_depths(page_ids)
        page_ids = [page_id for page_id in page_ids if depths.get(page_id, todo.depth) >= todo.depth]
        names = self._store.urls(page_ids)
        others = PageDepths(self._store, todo.task, running.seeds)
        whose = Territory(todo.shard, todo.shards)
        for page_id in page_ids:
            url = names.get(page_id, "")
            if not url or not whose.owns(host_of(url)):
                continue
            depth = depths[page_id] if page_id in depths else others.find_depth(page_id) or 0
            request = Request(page_id, url, host_of(url), todo.task, depth)
            if depth >= todo.depth and self._shard.cache.are_links_followed(request, running.spec):
                links = _drop_known_links(running, self._store.links_from(page_id), depth)
                if links:
                    yield _VisitedPage(request, self._store.page(page_id), links)


def _drop_known_links(running: RunningTask, links: list[PageLink], depth: int) -> list[PageLink]:
    """Drop links to scheduled pages, and all links if they are too deep, before their URLs are looked up."""
    depth += not is_redirect(links)
    if 0 <= running.rules.deepest < depth:
        return []
    known = running.scheduler.are_known([link.target for link in links], depth)
    return [link for link, is_known in zip(links, known, strict=True) if not is_known]
