"""Refill the frontier from the store: hosts when connections are idle, requests when a host runs out of them."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import msgspec

from gossamer.crawl.loop.reweigh_waiting import reweigh
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.frontier.request_window import WINDOW_SIZE
from gossamer.store.batch import Store

HOSTS_AT_ONCE = 256
"""Hosts loaded into the frontier when connections are idle: four times the connections of a crawl."""
QUEUES_AT_ONCE = 32
"""Hosts whose requests are read in one go: 3 ms, or 15 ms with ten million requests in the store."""
_READ_AT_ONCE = 1_000
# When all waiting hosts are in the frontier already, the next look waits this long.
_RETRY_S = 0.5


class _HostWalk(msgspec.Struct):
    """One walk over all hosts at which a task has requests, a few at a time."""

    left: int
    """How many hosts the frontier had left to the store when the walk began; -1 if some were not written then."""
    hosts: Iterator[str]
    """The hosts that were not reached yet."""


class FrontierRefill:
    """Loads hosts and requests from the store into the frontier."""

    def __init__(self, shard: ShardContext, store: Store) -> None:
        self._shard = shard
        self._store = store
        self._walks: dict[int, _HostWalk] = {}
        self._retry_s = 0.0

    def is_due(self, idle: bool) -> bool:
        """Say whether there is something to load; `idle` says that connections are idle."""
        frontier = self._shard.frontier
        if frontier.needs_requests(1):
            return True
        return idle and bool(frontier.tasks_with_stored_hosts()) and self._retry_s <= self._shard.clock()

    def load(self, idle: bool) -> None:
        """Load what is needed. Do not call this while a batch is being written: what the store knows is undefined then."""
        if not self.is_due(idle):
            return
        if not self._shard.frontier.needs_requests(1):
            self._load_hosts()
        self._load_requests()

    def _load_hosts(self) -> None:
        """Load hosts that only the store knows, walking over all of them, so that each has its turn."""
        shard = self._shard
        shard.frontier.forget_idle_hosts(shard.clock(), keep=shard.touched)
        loaded = sum(
            [
                self._load_some_hosts(task, left)
                for task, left in shard.frontier.tasks_with_stored_hosts().items()
            ]
        )
        if not loaded:
            self._retry_s = shard.clock() + _RETRY_S

    def _load_some_hosts(self, task: int, left: int) -> int:
        """Load the next hosts of a task; return how many."""
        shard = self._shard
        if task not in self._walks:
            self._walks[task] = _HostWalk(
                -1 if shard.pending.batch.requests else left, self._walk_hosts(task)
            )
        this = self._walks[task]
        # Hosts that are given up must not come back before their dismissal is written.
        known = {host for host, _ in shard.pending.batch.dismissed} | {host for host, *_ in shard.given_up}
        unknown = (
            host for host in this.hosts if host not in known and not shard.frontier.has_queue(host, task)
        )
        new = list(islice(unknown, HOSTS_AT_ONCE))
        for host in new:
            shard.register_host(host)
            shard.frontier.add_stored_host(host, task)
        if len(new) < HOSTS_AT_ONCE:  # the walk is at its end
            del self._walks[task]
            if this.left == left:  # and no host was left to the store meanwhile
                shard.frontier.clear_stored_hosts(task)
        return len(new)

    def _walk_hosts(self, task: int) -> Iterator[str]:
        """Yield the hosts at which a task has requests, by name."""
        after = ""
        while hosts := self._store.waiting_hosts(task, after, _READ_AT_ONCE):
            yield from filter(self._shard.territory.owns, hosts)
            after = hosts[-1]

    def _load_requests(self) -> None:
        """Load requests for hosts that have run out of them, from the store and from the pending batch."""
        shard = self._shard
        frontier, pending = shard.frontier, shard.pending
        finished, moved, new = (
            pending.list_finished_numbers(),
            pending.list_moved_requests(),
            pending.list_new_requests(),
        )
        done = Counter((request.host, request.task) for request in pending.batch.finished)
        for host, task, held in frontier.needs_requests(QUEUES_AT_ONCE):
            most = WINDOW_SIZE + len(held) + done[host, task]
            stored = self._store.requests(host, task, most)
            best = [moved.get(one.number, one) for one in stored if one.number not in finished]
            if (guide := shard.tasks[task].guide) is not None:
                waiting = [  # the held ones may be under way
                    one for one in best if one.number not in held and one.type != "requisite"
                ]
                anew = reweigh(self._store, guide, waiting)
                guide.add_waiting([anew.get(one.id, one) for one in waiting])
            frontier.load(host, task, best, is_all=len(stored) < most)
            if guide is not None:
                shard.move_requests([(one, anew[one.id]) for one in waiting if one.id in anew])
            frontier.add(request for request in new.get((host, task), ()) if request.number not in held)
