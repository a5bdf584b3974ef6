"""The inbox of a shard: requests that other shards and people send to its hosts, read from the store."""

from collections import defaultdict

from gossamer.crawl.control.submitted_pages import read_withdrawn, was_passed_over
from gossamer.crawl.loop.reweigh_waiting import reweigh
from gossamer.crawl.rule_names import LANGUAGE
from gossamer.crawl.task.scope_rules import FOLLOW
from gossamer.crawl.visit.judge_page import leads_to_other_language
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.frontier.seen_set import SeenSet
from gossamer.records import Link, Request
from gossamer.store.batch import Store

READ_EVERY_S = 0.05
_AT_ONCE = 1000


class Inbox:
    """Takes in requests, and learns which pages the other shards have scheduled.

    An entry stays in the store until the batch with its result is written, so that no kill can lose it.
    """

    def __init__(self, shard: ShardContext, store: Store, seen: SeenSet, seen_number: int) -> None:
        self._shard = shard
        self._store = store
        self._seen = seen
        self._seen_number = seen_number
        """The number of the last piece of the store's keys that is in the seen set."""
        self._after = 0
        self._left: set[int] = set()
        """Tasks that do not run here and have entries left in the inbox."""
        self._due_s = 0.0

    @property
    def due_s(self) -> float:
        """When the inbox is to be read next."""
        return self._due_s

    def take_in_due(self, settled: bool) -> None:
        """Take in new entries if the inbox is due; `settled` says that no batch is being written."""
        now_s = self._shard.clock()
        if now_s < self._due_s:
            return
        self._due_s = now_s + READ_EVERY_S
        if self._shard.territory.shards > 1:
            self._read_seen_keys()
        if (
            settled
            and not self._shard.pending.batch.received
            and not self._left.isdisjoint(self._shard.tasks)
        ):
            self._left.clear()  # one of these tasks runs now: start at the oldest entry again
            self._after = 0
        territory = self._shard.territory
        found = self._store.inbox(territory.shard, territory.shards, self._after, _AT_ONCE)
        if found:
            self._take_in(found)
        if len(found) == _AT_ONCE:
            self._due_s = now_s

    def _read_seen_keys(self) -> None:
        """Add what other shards have scheduled to the seen set: it need not be sent to them."""
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
            if (requisites := shard.tasks[task].requisites) is not None:
                embedded = [one for one in requests if one.type == "requisite"]
                shard.add_requests(requisites.accept(embedded, shard.pending.batch))
                requests = [one for one in requests if one.type != "requisite"]
            accepted = shard.tasks[task].scheduler.accept(
                requests, shard.pending.batch, self._find_rule_against, self._is_wanted_again
            )
            if (guide := shard.tasks[task].guide) is not None:
                anew = reweigh(self._store, guide, accepted)
                accepted = [anew.get(one.id, one) for one in accepted]
            shard.add_requests(accepted)

    def _is_wanted_again(self, request: Request) -> bool:
        """Say whether the request of a start page ended because the page was withdrawn: submitted again, it is requested again."""
        task = self._shard.task_of(request)
        if not self._shard.territory.first:
            task.withdrawn = read_withdrawn(
                self._store, task.number
            )  # written in one batch with this request
        known = task.passed_over.get(request.id)
        wanted = was_passed_over(self._store, request) if known is None else known
        task.passed_over[request.id] = False
        return wanted

    def _find_rule_against(self, request: Request) -> str:
        """Name the rule against a request that only the shard of its host can apply, or return FOLLOW."""
        link = Link(request.url)
        if request.type != "revisit" and request.type != "requisite":
            link = Link(request.url, request.type)
        shard = self._shard
        decisions = shard.pending.batch.decisions
        is_foreign = leads_to_other_language(shard.task_of(request), link, decisions, shard.clock())
        return LANGUAGE if is_foreign else FOLLOW
