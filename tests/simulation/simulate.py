"""Simulate a crawl by many fetchers of which some die: the real rules, a pretend database, clock and network."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from tests.simulation.simulated_fetcher import SimulatedFetcher
from tests.simulation.simulated_world import Counts, Machine, Options, SimulatedWorld

from gossamer.cluster import address_turns, heartbeat
from gossamer.store.postgres.share_groups import share_fairly

LOOK_S = 1.0


class Report(msgspec.Struct, kw_only=True):
    """What a simulation has shown. That it ended at all shows that leases and pauses held."""

    counts: Counts
    hosts_kept: int
    """Hosts of which pages were kept."""
    balanced: float
    """Part of the time in which each fetcher held exactly its fair part of the groups."""
    longest_unbalanced_s: float
    longest_unowned_s: float
    """The longest time for which a group belonged to a fetcher that was gone, or to none."""
    took_s: float


@contextmanager
def _pretend(world: SimulatedWorld) -> Iterator[None]:
    """Have heartbeat and turns use the world's clock and database."""
    modules: tuple[tuple[Any, str, Any], ...] = (
        (heartbeat, "read_clock", lambda: world.now_s),
        (address_turns, "exchange_turns", lambda session, *given: session.exchange_turns(*given)),
    )
    before = [getattr(module, name) for module, name, _ in modules]
    try:
        for module, name, value in modules:
            setattr(module, name, value)
        yield
    finally:
        for (module, name, _), value in zip(modules, before, strict=True):
            setattr(module, name, value)


class _Balance:
    """Looks every second whether each present fetcher holds its fair part."""

    def __init__(self, world: SimulatedWorld) -> None:
        self._world = world
        self._looks = self._balanced = 0
        self._unbalanced_s = self._unowned_s = 0.0
        self.longest_unbalanced_s = self.longest_unowned_s = 0.0

    def look(self) -> None:
        database = self._world.database
        present = database.list_present()
        held = dict.fromkeys(present, 0)
        unowned = 0
        for owner in database.owners:
            if owner in held:
                held[owner] += 1
            else:
                unowned += 1
        is_balanced = held == share_fairly(present)
        self._looks += 1
        self._balanced += is_balanced
        self._unbalanced_s = 0.0 if is_balanced else self._unbalanced_s + LOOK_S
        self._unowned_s = self._unowned_s + LOOK_S if unowned else 0.0
        self.longest_unbalanced_s = max(self.longest_unbalanced_s, self._unbalanced_s)
        self.longest_unowned_s = max(self.longest_unowned_s, self._unowned_s)
        self._world.schedule(Machine(), LOOK_S, self.look)

    @property
    def part(self) -> float:
        return self._balanced / max(1, self._looks)


class _Fate:
    """Lets fetchers die and sleep at random times, as many as the options say."""

    def __init__(self, world: SimulatedWorld) -> None:
        self._world = world
        self.fetchers: list[SimulatedFetcher] = []
        options = world.options
        strokes = round(options.fetchers * options.dying * options.hours)
        for stroke in [self._kill, self._put_to_sleep] * strokes:
            world.schedule(Machine(), world.chance.uniform(0.05, 0.9) * options.hours * 3600, stroke)

    def start_fetcher(self) -> None:
        fetcher = SimulatedFetcher(self._world)
        self.fetchers.append(fetcher)
        fetcher.start()

    def _kill(self) -> None:
        victim = self._world.chance.choice(self.fetchers)
        self.fetchers.remove(victim)
        victim.die()
        self._world.counts.deaths += 1
        self._world.schedule(Machine(), self._world.options.back_s, self.start_fetcher)

    def _put_to_sleep(self) -> None:
        victim = self._world.chance.choice(self.fetchers)
        wait_s = self._world.chance.uniform(0.5, 4.0) * self._world.options.lease_s
        victim.machine.asleep_until_s = max(victim.machine.asleep_until_s, self._world.now_s + wait_s)
        self._world.counts.sleeps += 1


def simulate(options: Options) -> Report:
    """Simulate a crawl; raise AssertionError if a lease, a pause or a page was not kept."""
    began_s = time.monotonic()
    world = SimulatedWorld(options)
    with _pretend(world):
        fate, balance = _Fate(world), _Balance(world)
        for _ in range(options.fetchers):
            world.schedule(Machine(), world.chance.random() * 10, fate.start_fetcher)
        world.schedule(Machine(), 120.0, balance.look)  # after all have joined
        world.run(options.hours * 3600)
    return Report(
        counts=world.counts,
        hosts_kept=len(world.database.kept),
        balanced=balance.part,
        longest_unbalanced_s=balance.longest_unbalanced_s,
        longest_unowned_s=balance.longest_unowned_s,
        took_s=time.monotonic() - began_s,
    )
