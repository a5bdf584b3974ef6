"""The part of the database by which fetchers keep out of each other's way, without a server and with a pretend clock.

Leases, turns at addresses and the fence of a commit follow the functions of the schema, one statement at a time;
`test_pretend_database.py` compares them with a real server. Pages are counters of hosts.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping

import msgspec

from gossamer.store.postgres.coordination.leases import Standing
from gossamer.store.postgres.coordination.turn_table import TurnState
from gossamer.store.postgres.failures import LeaseLost
from gossamer.store.postgres.share_groups import GROUPS, share_fairly


class Turn(msgspec.Struct):
    """A row of the table of turns."""

    owner: int | None
    ready_s: float
    wanted: bool = False


class PretendDatabase:
    """The tables `fetcher`, `lease` and `turn`, and how many pages of each host were kept."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._numbers = 0
        self.capacities: dict[int, int] = {}
        self.expires_s: dict[int, float] = {}
        self.owners: list[int | None] = [None] * GROUPS
        self.epochs = [0] * GROUPS
        self.turns: dict[str, Turn] = {}
        self._turns_of: dict[int, set[str]] = defaultdict(set)
        """Names by their owner, as in the index of the table."""
        self._wanted_of: dict[int, set[str]] = defaultdict(set)
        """Those of them that others want."""
        self.kept: dict[int, int] = {}

    def is_present(self, fetcher: int) -> bool:
        """Say whether a fetcher's lease has not expired."""
        return self.expires_s.get(fetcher, -1.0) > self._clock()

    def list_held(self, fetcher: int) -> dict[int, int]:
        """Return the groups of a fetcher with their epochs."""
        return {group: self.epochs[group] for group in range(GROUPS) if self.owners[group] == fetcher}

    def list_present(self) -> dict[int, int]:
        """Return all fetchers that are present, with their capacities."""
        return {number: size for number, size in self.capacities.items() if self.is_present(number)}

    # Leases

    def join(self, capacity: int, lease_s: float) -> int:
        """Register a fetcher; return its number."""
        self._numbers += 1
        self.capacities[self._numbers] = capacity
        self.expires_s[self._numbers] = self._clock() + lease_s
        return self._numbers

    def renew(self, fetcher: int, lease_s: float) -> Standing:
        """Renew a lease; return what the fetcher holds and should hold."""
        if fetcher not in self.capacities:
            raise LeaseLost(())
        self.expires_s[fetcher] = self._clock() + lease_s
        return Standing(self.list_held(fetcher), share_fairly(self.list_present())[fetcher])

    def take_leases(self, fetcher: int, most: int) -> dict[int, int]:
        """Take groups that are free or whose owner was silent for too long."""
        free = [
            group
            for group, owner in enumerate(self.owners)
            if owner is None or (owner != fetcher and not self.is_present(owner))
        ]
        for group in free[:most]:
            self.owners[group] = fetcher
            self.epochs[group] += 1
        return {group: self.epochs[group] for group in free[:most]}

    def release(self, fetcher: int, groups: Collection[int]) -> None:
        """Make groups of a fetcher free."""
        for group in groups:
            if self.owners[group] == fetcher:
                self.owners[group] = None

    def leave(self, fetcher: int) -> None:
        """Make all groups of a fetcher free and forget it."""
        self.release(fetcher, range(GROUPS))
        self.capacities.pop(fetcher, None)
        self.expires_s.pop(fetcher, None)

    def commit(self, fetcher: int, epochs: Mapping[int, int], pages: Mapping[int, tuple[int, int]]) -> None:
        """Keep pages, each host's from a number on, if all leases are still the fetcher's."""
        lost = [g for g, epoch in epochs.items() if (self.owners[g], self.epochs[g]) != (fetcher, epoch)]
        if lost:
            raise LeaseLost(lost)
        for host, (first, count) in pages.items():
            if self.kept.get(host, 0) != first:
                raise AssertionError(f"pages of host {host} would be kept twice or lost")
            self.kept[host] = first + count

    # Turns

    def release_turns(self, fetcher: int, pause_s: float) -> None:
        """Give back all names of a fetcher that does not know any more when it asked them."""
        ready_s = self._clock() + pause_s
        for name in [*self._turns_of[fetcher]]:
            turn = self.turns[name]
            self._own(name, turn, None)
            turn.ready_s = max(turn.ready_s, ready_s)

    def exchange_turns(
        self, fetcher: int, given: Mapping[str, float], wished: Mapping[str, float]
    ) -> dict[str, TurnState]:
        """Take names back, and give those that are wished for and free; return them, and what others want."""
        for name, ready_s in given.items():
            turn = self.turns.get(name)
            if turn is not None and turn.owner == fetcher:
                self._own(name, turn, None)
                turn.ready_s = max(turn.ready_s, ready_s)
        for name, pause_s in wished.items():
            self._wish(fetcher, name, pause_s)
        shown = self._wanted_of[fetcher] | wished.keys()
        return {
            name: TurnState(
                self.turns[name].owner == fetcher, self.turns[name].ready_s, self.turns[name].wanted
            )
            for name in shown
        }

    def _wish(self, fetcher: int, name: str, pause_s: float) -> None:
        turn = self.turns.get(name)
        if turn is None:
            turn = self.turns[name] = Turn(None, 0.0)
            self._own(name, turn, fetcher)
        if turn.owner is None or turn.owner == fetcher:
            self._own(name, turn, fetcher)
        elif self.is_present(turn.owner):
            turn.wanted = True
            self._wanted_of[turn.owner].add(name)
        else:
            turn.ready_s = self._clock() + pause_s
            self._own(name, turn, fetcher)

    def _own(self, name: str, turn: Turn, owner: int | None) -> None:
        if turn.owner is not None:
            self._turns_of[turn.owner].discard(name)
            self._wanted_of[turn.owner].discard(name)
        turn.owner, turn.wanted = owner, False
        if owner is not None:
            self._turns_of[owner].add(name)


class PretendLeases:
    """What `Leases` offers a fetcher, over the pretend database."""

    def __init__(self, database: PretendDatabase, lease_s: float) -> None:
        self._database = database
        self._lease_s = lease_s
        self.fetcher = 0

    def join(self, capacity: int) -> int:
        """Register."""
        self.fetcher = self._database.join(capacity, self._lease_s)
        return self.fetcher

    def renew(self, status: bytes = b"{}") -> Standing:
        """Renew the lease."""
        return self._database.renew(self.fetcher, self._lease_s)

    def acquire(self, most: int) -> dict[int, int]:
        """Take free groups."""
        return self._database.take_leases(self.fetcher, most)

    def release(self, groups: Collection[int]) -> None:
        """Give groups back."""
        self._database.release(self.fetcher, groups)
