"""What other shards, and people, want of the hosts of this shard: taken in from the store, a little at a time."""

from collections import defaultdict

from gossamer.crawl.loop.reweigh_waiting import recollected
from gossamer.crawl.rule_names import LANGUAGE
from gossamer.crawl.task.scope_rules import FOLLOW
from gossamer.crawl.visit.judge_page import leads_to_other_language
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.frontier.seen_set import SeenSet
from gossamer.records import Link, Request
from gossamer.store.batch import Store

LOOK_EVERY_S = 0.05
_AT_ONCE = 1000


class Inbox:
    """Takes requests in, and learns which pages the other shards know.

    An entry stays in the store until the batch with what came of it is written, so that no kill can lose it.
    """

    def __init__(self, shard: ShardContext, store: Store, seen: SeenSet, seen_number: int) -> None:
        self._shard = shard
        self._store = store
        self._seen = seen
        self._seen_number = seen_number
        """Up to this piece the keys of the store are in the seen set."""
        self._after = 0
        self._left: set[int] = set()
        """Tasks without a part in the crawl for which something was left where it is."""
        self._due_s = 0.0

    @property
    def due_s(self) -> float:
        """When somebody should look."""
        return self._due_s

    def look(self, settled: bool) -> None:
        """Take in what has come, if it is time to look; `settled` says that no batch is being written just now."""
        now_s = self._shard.clock()
        if now_s < self._due_s:
            return
        self._due_s = now_s + LOOK_EVERY_S
        if self._shard.territory.shards > 1:
            self._learn()
        if (
            settled
            and not self._shard.pending.batch.received
            and not self._left.isdisjoint(self._shard.tasks)
        ):
            self._left.clear()  # a task that had no part has one now: begin at the oldest entry again
            self._after = 0
        territory = self._shard.territory
        found = self._store.inbox(territory.shard, territory.shards, self._after, _AT_ONCE)
        if found:
            self._take_in(found)
        if len(found) == _AT_ONCE:
            self._due_s = now_s

    def _learn(self) -> None:
        """Know what others have scheduled: it need not be sent to them."""
        for number, keys in self._store.seen_keys(self._seen_number):
            self._seen.add_many(memoryview(keys).cast("q").tolist())
            self._seen_number = number

    def _take_in(self, found: list[tuple[int, Request]]) -> None:
        shard = self._shard
        wanted: dict[int, list[Request]] = defaultdict(list)
        for number, request in found:
            if request.task not in shard.tasks:
                self._left.add(request.task)
            else:
                wanted[request.task].append(request)
                shard.pending.batch.received.append(number)
        self._after = found[-1][0]
        for task, requests in wanted.items():
            accepted = shard.tasks[task].scheduler.receive(requests, shard.pending.batch, self._against)
            if (guide := shard.tasks[task].guide) is not None:
                anew = recollected(self._store, guide, accepted)
                accepted = [anew.get(one.id, one) for one in accepted]
            shard.add_requests(accepted)

    def _against(self, request: Request) -> str:
        """Name what this shard has learnt of a host, and whoever found the link could not know."""
        link = Link(request.url, "a" if request.type == "revisit" else request.type)
        shard = self._shard
        decisions = shard.pending.batch.decisions
        is_foreign = leads_to_other_language(shard.task_of(request), link, decisions, shard.clock())
        return LANGUAGE if is_foreign else FOLLOW
