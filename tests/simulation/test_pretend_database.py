"""The pretend database of the simulation does what the functions of the real schema do, on a random schedule."""

# ruff: noqa: S608 - only a number of this test goes into a statement

import random
from collections.abc import Callable

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.postgres_server import PostgresServer
from tests.simulation.pretend_database import PretendDatabase

from gossamer.store.batch import Batch
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.connect import Session
from gossamer.store.postgres.coordination.leases import Fence, Leases
from gossamer.store.postgres.coordination.turn_table import exchange_turns, release_turns
from gossamer.store.postgres.failures import LeaseLost
from gossamer.store.postgres.postgres_store import PostgresStore

LEASE_S = 100_000.0
STEP_S = 10_000.0
"""Pauses are multiples of it, so that the time which the test takes does not matter."""
FETCHERS, STEPS = 4, 150


class BothDatabases:
    """Does the same to both, and compares the answers."""

    def __init__(self, server: PostgresServer, web: str) -> None:
        self._server = server
        self._web = web
        self.session = Session(parse_address(web))
        self.store = PostgresStore(web)
        self.pretended = PretendDatabase(lambda: 0.0)
        self.real: list[Leases] = []
        self.numbers: dict[int, int] = {}
        """Numbers of the real fetchers, by those of the pretended."""

    def join(self, capacity: int) -> None:
        leases = Leases(self._web, LEASE_S)
        self.real.append(leases)
        number = self.pretended.join(capacity, LEASE_S)
        self.numbers[number] = leases.join("one", "here", capacity)

    def find(self, fetcher: int) -> Leases:
        return next(one for one in self.real if one.fetcher == self.numbers[fetcher])

    def expire(self, fetcher: int) -> None:
        """Have the lease of a fetcher expire."""
        self.pretended.expires_s[fetcher] = -1.0
        self._server.execute(
            f"update gossamer.fetcher set expires = clock_timestamp() - interval '1 s' where number = {self.numbers[fetcher]}",
            self._web.rpartition("/")[2],
        )

    def renew(self, fetcher: int) -> None:
        real, pretended = self.find(fetcher).renew(), self.pretended.renew(fetcher, LEASE_S)
        assert (real.epochs, real.target) == (pretended.epochs, pretended.target)

    def take(self, fetcher: int, most: int) -> None:
        assert self.find(fetcher).acquire(most) == self.pretended.take_leases(fetcher, most)

    def release(self, fetcher: int, groups: list[int]) -> None:
        self.find(fetcher).release(groups)
        self.pretended.release(fetcher, groups)

    def commit(self, fetcher: int, epochs: dict[int, int]) -> None:
        def is_refused(commit: Callable[[], None]) -> bool:
            try:
                commit()
            except LeaseLost:
                return True
            return False

        fence = Fence(self.numbers[fetcher], epochs)
        assert is_refused(lambda: self.store.commit(Batch(), fence)) == is_refused(
            lambda: self.pretended.commit(fetcher, epochs, {})
        )

    def exchange(self, fetcher: int, given: dict[str, float], wished: dict[str, float], now_s: float) -> None:
        really_given = {name: now_s + ready_s for name, ready_s in given.items()}
        found = exchange_turns(self.session, self.numbers[fetcher], really_given, wished)
        expected = self.pretended.exchange_turns(fetcher, given, wished)
        assert {
            name: (one.is_own, one.is_wanted, round(max(0.0, one.ready_s - now_s) / STEP_S))
            for name, one in found.items()
        } == {
            name: (one.is_own, one.is_wanted, round(one.ready_s / STEP_S)) for name, one in expected.items()
        }

    def close(self) -> None:
        for leases in self.real:
            leases.close()
        self.session.close()
        self.store.close()


def test_the_same_schedule_gives_the_same_answers(postgres_server: PostgresServer, postgres_web: str) -> None:
    chance = random.Random(4)
    both = BothDatabases(postgres_server, postgres_web)
    postgres_server.execute("delete from gossamer.turn", "shared_web")
    [(now_s,)] = both.session.query("select extract(epoch from clock_timestamp())::float8")
    epochs: dict[int, dict[int, int]] = {}
    for _ in range(FETCHERS):
        both.join(chance.choice((1, 64, 200)))
    for _ in range(STEPS):
        fetcher = chance.randint(1, FETCHERS)
        match chance.randrange(8):
            case 0:
                both.expire(fetcher)
            case 1 | 2:
                both.renew(fetcher)
                epochs[fetcher] = both.pretended.list_held(fetcher)
            case 3:
                both.take(fetcher, chance.randrange(400))
            case 4:
                both.release(fetcher, chance.sample(range(1024), 200))
            case 5:
                both.commit(fetcher, epochs.get(fetcher, {}))
            case 6:
                release_turns(both.session, both.numbers[fetcher], STEP_S)
                both.pretended.release_turns(fetcher, STEP_S)
            case _:
                names = [f"address {number}" for number in chance.sample(range(12), 6)]
                given = {name: chance.randrange(4) * STEP_S for name in names[:2]}
                wished = {name: chance.randrange(4) * STEP_S for name in names[2:]}
                both.exchange(fetcher, given, wished, float(now_s))
    both.close()
