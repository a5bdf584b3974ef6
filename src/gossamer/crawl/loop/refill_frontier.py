"""What the frontier needs of the store: hosts when connections are idle, requests when a host has used its own up."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import msgspec

from gossamer.crawl.loop.reweigh_waiting import recollected
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.frontier.request_window import WINDOW_SIZE
from gossamer.store.batch import Store

WOKEN_AT_ONCE = 256
"""Hosts that are let into the frontier when it leaves connections idle: four times the connections of a crawl."""
LOADED_AT_ONCE = 32
"""Hosts whose requests are read before the next look at visits: 3 ms, 15 ms at ten million requests in the store."""
_READ_AT_ONCE = 1_000
# When all hosts that wait were found to be in the frontier already, nobody looks again so soon.
_LOOK_AGAIN_S = 0.5


class _Round(msgspec.Struct):
    """One walk over all hosts at which a task has requests, a few at a time."""

    left: int
    """How often the frontier had left hosts to the store when it began; -1 if some were not yet written then."""
    hosts: Iterator[str]
    """Those that were not looked at yet."""


class FrontierRefill:
    """Brings hosts and requests from the store into the frontier."""

    def __init__(self, shard: ShardContext, store: Store) -> None:
        self._shard = shard
        self._store = store
        self._rounds: dict[int, _Round] = {}
        self._again_s = 0.0

    def due(self, idle: bool) -> bool:
        """Say whether there is something to bring; `idle` says that connections are."""
        frontier = self._shard.frontier
        if frontier.needs_requests(1):
            return True
        return idle and bool(frontier.tasks_with_stored_hosts()) and self._again_s <= self._shard.clock()

    def bring(self, idle: bool) -> None:
        """Bring what is needed. Not while a batch is being written: then nobody can say what the store knows."""
        if not self.due(idle):
            return
        if not self._shard.frontier.needs_requests(1):
            self._wake()
        self._load()

    def _wake(self) -> None:
        """Let in hosts that only the store knows, in rounds over all of them, so that each has its turn."""
        shard = self._shard
        shard.frontier.forget_idle_hosts(shard.clock(), keep=shard.touched)
        woken = sum(
            [self._wake_some(task, left) for task, left in shard.frontier.tasks_with_stored_hosts().items()]
        )
        if not woken:
            self._again_s = shard.clock() + _LOOK_AGAIN_S

    def _wake_some(self, task: int, left: int) -> int:
        """Let in the next hosts of a task; return how many."""
        shard = self._shard
        if task not in self._rounds:
            self._rounds[task] = _Round(-1 if shard.pending.batch.requests else left, self._hosts(task))
        this = self._rounds[task]
        # What is given up is gone as soon as that is written: it must not come back before.
        known = {host for host, _ in shard.pending.batch.dismissed} | {host for host, *_ in shard.given_up}
        unknown = (
            host for host in this.hosts if host not in known and not shard.frontier.has_queue(host, task)
        )
        new = list(islice(unknown, WOKEN_AT_ONCE))
        for host in new:
            shard.register_host(host)
            shard.frontier.add_stored_host(host, task)
        if len(new) < WOKEN_AT_ONCE:  # the round is at its end
            del self._rounds[task]
            if this.left == left:  # and nobody was left to the store meanwhile
                shard.frontier.clear_stored_hosts(task)
        return len(new)

    def _hosts(self, task: int) -> Iterator[str]:
        """Walk over the hosts at which a task has requests, by name."""
        after = ""
        while hosts := self._store.waiting_hosts(task, after, _READ_AT_ONCE):
            yield from filter(self._shard.territory.owns, hosts)
            after = hosts[-1]

    def _load(self) -> None:
        """Bring requests of hosts that have none left, from the store and from what it does not know yet."""
        shard = self._shard
        frontier, pending = shard.frontier, shard.pending
        finished, moved, new = pending.finished_numbers(), pending.moved_requests(), pending.new_requests()
        done = Counter((request.host, request.task) for request in pending.batch.finished)
        for host, task, held in frontier.needs_requests(LOADED_AT_ONCE):
            most = WINDOW_SIZE + len(held) + done[host, task]
            stored = self._store.requests(host, task, most)
            best = [moved.get(one.number, one) for one in stored if one.number not in finished]
            if (guide := shard.tasks[task].guide) is not None:
                waiting = [one for one in best if one.number not in held]  # the others may be under way
                anew = recollected(self._store, guide, waiting)
                guide.add_waiting([anew.get(one.id, one) for one in waiting])
            frontier.load(host, task, best, is_all=len(stored) < most)
            if guide is not None:
                shard.move_requests([(one, anew[one.id]) for one in waiting if one.id in anew])
            frontier.add(request for request in new.get((host, task), ()) if request.number not in held)
