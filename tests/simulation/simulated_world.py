"""A world of hosts and addresses with a pretend clock: it holds the events, and checks every request against the rules."""

import heapq
import random
from collections.abc import Callable
from itertools import count

import msgspec
from tests.simulation.pretend_database import PretendDatabase

from gossamer.store.postgres.coordination.leases import LEASE_S
from gossamer.store.postgres.share_groups import GROUPS, group_of


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What is simulated."""

    hosts: int = 1_000_000
    fetchers: int = 100
    hours: float = 2.0
    dying: float = 0.1
    """Part of the fetchers that dies in an hour; as many fall asleep for longer than their lease, and wake up."""
    visits: int = 2
    """Visits of a fetcher at the same time."""
    pause_s: float = 5.0
    lease_s: float = LEASE_S
    back_s: float = 60.0
    """After how long another fetcher takes the place of a dead one."""
    seed: int = 1


class Counts(msgspec.Struct):
    """What happened."""

    requests: int = 0
    kept: int = 0
    dropped: int = 0
    """Pages that were fetched and not written, because their fetcher died or had lost its leases."""
    deaths: int = 0
    sleeps: int = 0
    refused: int = 0
    """Batches that the database has refused."""
    parts: int = 0
    """How often a fetcher began a part of the web."""
    asked_by_others: int = 0
    """Requests to an address that another fetcher had asked before."""


class Machine(msgspec.Struct, eq=False):
    """Where a fetcher runs: it may die, or sleep."""

    dead: bool = False
    asleep_until_s: float = 0.0


class SimulatedWorld:
    """Events in order of time, hosts by group, and the last request to each host and address."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.now_s = 0.0
        self.chance = random.Random(options.seed)
        self.database = PretendDatabase(lambda: self.now_s)
        self.counts = Counts()
        self.hosts: list[list[int]] = [[] for _ in range(GROUPS)]
        """Hosts by the group that they belong to."""
        for host in range(options.hosts):
            self.hosts[group_of(self.name(host))].append(host)
        self._free_s: dict[int | str, float] = {}
        """When each host and address may be asked again: a pause after its last answer."""
        self._last: dict[str, int] = {}
        self._events: list[tuple[float, int, Machine, Callable[[], None]]] = []
        self._order = count()

    def name(self, host: int) -> str:
        """Return the name of a host."""
        return f"www.host{host}.example"

    def address(self, host: int) -> str:
        """Return the address of a host: a tenth are at some hundred addresses of large providers, the others at few."""
        if host % 10 == 0:
            return f"10.0.0.{host // 10 % 256}"
        return f"192.0.2.{host // 3}"

    def schedule(self, machine: Machine, wait_s: float, event: Callable[[], None]) -> None:
        """Have something happen at a machine later, unless it has died by then; a machine that sleeps does it late."""
        heapq.heappush(self._events, (self.now_s + wait_s, next(self._order), machine, event))

    def run(self, until_s: float) -> None:
        """Let everything happen up to a time."""
        while self._events and self._events[0][0] <= until_s:
            when_s, _, machine, event = heapq.heappop(self._events)
            self.now_s = max(self.now_s, when_s)
            if machine.dead:
                continue
            if machine.asleep_until_s > self.now_s:
                wait_s = machine.asleep_until_s - self.now_s + self.chance.random() * 0.01
                self.schedule(machine, wait_s, event)
                continue
            event()
        self.now_s = until_s

    def ask(self, fetcher: int, epochs: dict[int, int], host: int, answer_s: float) -> None:
        """Check a request that a fetcher sends now: its lease is its own, and host and address have had their pause."""
        group = group_of(self.name(host))
        if (self.database.owners[group], self.database.epochs[group]) != (fetcher, epochs.get(group)):
            raise AssertionError(f"fetcher {fetcher} asked a host of another one at {self.now_s}")
        address = self.address(host)
        for name in (host, address):
            if self._free_s.get(name, 0.0) > self.now_s + 1e-6:
                raise AssertionError(f"{name} was asked too soon at {self.now_s}: {self._free_s[name]}")
            self._free_s[name] = self.now_s + answer_s + self.options.pause_s
        self.counts.requests += 1
        self.counts.asked_by_others += self._last.get(address, fetcher) != fetcher
        self._last[address] = fetcher
