"""Leases move from silent fetchers to others, and who has lost one cannot write."""

from functools import partial

import pytest
from tests.cluster.database import Background, Database, wait_until
from tests.contract.rows import make_request, page

from gossamer.errors import StoreAway
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.postgres.coordination.leases import Fence, Leases
from gossamer.store.postgres.failures import LeaseLost
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.share_groups import GROUPS, group_of, list_written_groups


def expire(database: Database, leases: Leases) -> None:
    """Let a lease expire, by the clock of the database."""
    past = "update fetcher set expires = clock_timestamp() - interval '1 ms' where number ="
    database.execute(f"{past} {leases.fetcher}")


def test_the_first_fetcher_takes_everything_and_a_second_one_its_part(database: Database) -> None:
    one = database.open_leases("one", capacity=64)
    assert one.renew().missing == GROUPS
    assert len(one.acquire(GROUPS)) == GROUPS
    two = database.open_leases("two", capacity=192)
    assert two.acquire(GROUPS) == {}
    standing = one.renew()
    assert (standing.target, standing.missing, standing.surplus) == (GROUPS // 4, 0, 3 * GROUPS // 4)
    one.release(sorted(standing.epochs)[-standing.surplus :])
    taken = two.acquire(two.renew().missing)
    assert len(taken) == 3 * GROUPS // 4
    assert set(taken.values()) == {2}
    assert set(taken).isdisjoint(one.renew().epochs)


def test_a_renewal_takes_one_round_trip(database: Database) -> None:
    one = database.open_leases()
    one.acquire(GROUPS)
    before = one.round_trips
    assert len(one.renew(b'{"pages": 5}').epochs) == GROUPS
    assert one.round_trips - before == 1


def test_shares_of_a_silent_fetcher_are_taken_after_its_lease(
    database: Database, store: PostgresStore
) -> None:
    silent, other = database.open_leases("silent"), database.open_leases("other")
    held = silent.acquire(GROUPS)
    assert other.acquire(GROUPS) == {}
    expire(database, silent)
    assert other.renew().target == GROUPS
    taken = other.acquire(10)
    assert len(taken) == 10
    batch = Batch(pages=[page(1)])
    with pytest.raises(LeaseLost) as lost:
        store.commit(batch, Fence(silent.fetcher, held))
    assert lost.value.groups == set(taken)
    assert store.counts()["pages"] == 0
    # What was not taken is still its own, and it is present again after a renewal.
    left = silent.renew().epochs
    assert left == {group: epoch for group, epoch in held.items() if group not in taken}
    store.commit(batch, Fence(silent.fetcher, left))
    store.commit(Batch(pages=[page(2)]), Fence(other.fetcher, taken))
    assert store.counts()["pages"] == 2


def test_a_group_that_came_back_has_another_epoch(database: Database, store: PostgresStore) -> None:
    one, two = database.open_leases("one"), database.open_leases("two")
    first = one.acquire(1)
    one.release(first)
    two.release(two.acquire(1))
    again = one.acquire(1)
    assert again.keys() == first.keys()
    with pytest.raises(LeaseLost):
        store.commit(Batch(pages=[page(1)]), Fence(one.fetcher, first))
    store.commit(Batch(pages=[page(1)]), Fence(one.fetcher, again))


def test_an_expired_fetcher_that_hangs_in_a_commit_is_cut_off(
    database: Database, store: PostgresStore
) -> None:
    hanging, other = database.open_leases("hanging"), database.open_leases("other")
    fence = Fence(hanging.fetcher, hanging.acquire(GROUPS))
    batch = Batch(pages=[page(1)], tasks=[TaskNote(1, "one", b"{}")])
    with database.lock_tasks():
        running = Background(lambda: store.commit(batch, fence))
        wait_until(database.list_blocked)
        expire(database, hanging)
        assert len(other.acquire(GROUPS)) == GROUPS
        assert isinstance(running.end(), StoreAway)
    with pytest.raises(LeaseLost):
        store.commit(batch, fence)
    assert store.counts()["pages"] == 0


def test_giving_groups_back_waits_for_the_commit_under_way(database: Database, store: PostgresStore) -> None:
    one = database.open_leases()
    fence = Fence(one.fetcher, one.acquire(5))
    with database.lock_tasks():
        running = Background(
            lambda: store.commit(Batch(pages=[page(1)], tasks=[TaskNote(1, "one", b"{}")]), fence)
        )
        wait_until(database.list_blocked)
        leaving = Background(one.leave)
        wait_until(lambda: len(database.list_blocked()) == 2)
        # A renewal does not wait.
        assert len(database.open_leases("two").renew().epochs) == 0
    assert (running.end(), leaving.end()) == (None, None)
    assert store.counts()["pages"] == 1
    assert [note.name for note in database.open_leases("three").list_fetchers()] == ["two", "three"]


def test_fetchers_are_listed_with_what_they_say_of_themselves(database: Database) -> None:
    one = database.open_leases("one\0", capacity=7, lease_s=1000.0)
    one.acquire(3)
    one.renew(b'{"pages_s": 12}')
    [note] = one.list_fetchers()
    assert (note.number, note.name, note.machine, note.capacity) == (one.fetcher, "one\0", "one\0.example", 7)
    assert (note.groups, note.status) == (3, b'{"pages_s": 12}')
    assert 0 < note.expires_in_s <= 1000
    assert note.silent_s >= 0


def test_a_forgotten_fetcher_learns_it_at_its_next_renewal(database: Database) -> None:
    one = database.open_leases()
    database.execute("update fetcher set expires = clock_timestamp() - interval '2 days'")
    database.open_leases("two")
    with pytest.raises(LeaseLost):
        one.renew()


def test_two_fetchers_that_take_at_once_never_take_the_same(database: Database) -> None:
    fetchers = [database.open_leases(f"f{number}") for number in range(4)]
    taken: list[int] = []

    def take(leases: Leases) -> None:
        for _ in range(20):
            taken.extend(leases.acquire(20))

    running = [Background(partial(take, each)) for each in fetchers]
    assert [each.end() for each in running] == [None] * 4
    assert sorted(taken) == list(range(GROUPS))


def test_a_batch_belongs_to_the_groups_of_its_hosts() -> None:
    batch = Batch(
        pages=[page(1)],
        finished=[make_request(1, "b.example")],
        moved=[(make_request(1, "c.example"), make_request(1, "c.example", 2.0))],
        dismissed=[("d.example", 1)],
        spent=[(1, "e.example", 1)],
        sent=[(77, make_request(2, "z.example"))],
    )
    hosts = ["h1.example", "b.example", "c.example", "d.example", "e.example"]
    assert list_written_groups(batch) == {group_of(host) for host in hosts}
