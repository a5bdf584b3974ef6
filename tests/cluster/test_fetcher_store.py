"""The store as one fetcher sees it: what others wrote comes in one round trip, and nothing is missed or stale for long."""

from collections.abc import Iterator
from contextlib import closing

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database
from tests.contract.rows import make_request

from gossamer.cluster import fetcher_store
from gossamer.cluster.fetcher_store import LONGEST_POLL_S, POLL_S, FetcherStore
from gossamer.crawl.control.stored_mailbox import ROOM
from gossamer.store.batch import Batch, TaskNote, Widening
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.share_groups import GROUPS

SPEC = b"{}"


class PretendTime:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> PretendTime:
    made = PretendTime()
    monkeypatch.setattr(fetcher_store, "time", made)
    return made


@pytest.fixture
def mine(database: Database) -> Iterator[FetcherStore]:
    """The store of a fetcher that has leased everything."""
    leases = database.open_leases()
    epochs = leases.acquire(GROUPS)
    with closing(FetcherStore(parse_address(database.address), leases.fetcher, epochs)) as opened:
        yield opened


def look(mine: FetcherStore, after: int, seen_after: int) -> tuple[list[int], list[bytes]]:
    """Ask what a crawl asks in each turn of its loop; return new inbox entries and keys."""
    keys = [packed for _, packed in mine.seen_keys(seen_after)]
    return [number for number, _ in mine.inbox(0, 1, after)], keys


def test_all_news_come_in_one_round_trip(
    store: PostgresStore, mine: FetcherStore, clock: PretendTime
) -> None:
    store.commit(Batch(tasks=[TaskNote(1, "one", SPEC)], scheduled=[7]))
    [(first_seen, _)] = mine.seen_keys()
    sent = [(share, make_request(share)) for share in range(0, 50_000, 5_000)]
    store.commit(
        Batch(sent=sent, widenings=[Widening(1)], scheduled=[8, 9], notes={(ROOM, "order"): b"stop"})
    )
    mine.host("one.example")  # reads the names of all hosts, once
    before = mine.round_trips
    numbers, keys = look(mine, 0, first_seen)
    found = (mine.tasks(), mine.widenings(), mine.notes(ROOM))
    assert mine.round_trips - before == 1
    assert numbers == [number for number, _ in store.inbox(0, 1)]
    assert len(numbers) == 10
    assert b"".join(keys) == b"".join(number.to_bytes(8, "little") for number in (8, 9))
    assert found == (store.tasks(), store.widenings(), store.notes(ROOM))


def test_entries_are_given_once_and_none_is_missed(
    store: PostgresStore, mine: FetcherStore, clock: PretendTime
) -> None:
    store.commit(Batch(scheduled=[7]))
    [(seen, _)] = mine.seen_keys()
    given: list[int] = []
    for number in range(5):
        store.commit(Batch(sent=[(number, make_request(number))]))
        clock.now_s += LONGEST_POLL_S
        given += look(mine, given[-1] if given else 0, seen)[0]
    assert given == [number for number, _ in store.inbox(0, 1)]
    assert len(given) == 5


def test_a_busy_fetcher_that_gets_nothing_looks_seldom(
    store: PostgresStore, mine: FetcherStore, clock: PretendTime
) -> None:
    store.commit(Batch(tasks=[TaskNote(1, "one", SPEC)], scheduled=[7]))
    [(seen, _)] = mine.seen_keys()

    def count_looks(seconds: float, commits: bool) -> int:
        before = mine.round_trips
        written = 0
        for _ in range(int(seconds / POLL_S)):
            clock.now_s += POLL_S
            look(mine, 0, seen)
            if commits:
                trips = mine.round_trips
                mine.commit(Batch(scheduled=[8]))
                written += mine.round_trips - trips
        return mine.round_trips - before - written

    look(mine, 0, seen)
    count_looks(2.0, commits=True)
    assert count_looks(10.0, commits=True) == 10 / LONGEST_POLL_S
    count_looks(2.0, commits=False)
    assert count_looks(10.0, commits=False) == 10 / POLL_S


def test_what_a_fetcher_writes_about_tasks_is_known_at_once(store: PostgresStore, mine: FetcherStore) -> None:
    store.commit(Batch(tasks=[TaskNote(1, "one", SPEC)], counted=[(1, {"downloaded": 5})]))
    assert mine.tasks() == store.tasks()
    before = mine.round_trips
    mine.commit(Batch(tasks=[TaskNote(1, "one", SPEC, "paused", "why")]))
    written = mine.round_trips - before
    assert mine.tasks() == store.tasks()
    assert (mine.tasks()[0].state, mine.tasks()[0].counts) == ("paused", {"downloaded": 5})
    assert mine.round_trips - before == written
    mine.commit(Batch(tasks=[TaskNote(2, "two", SPEC)], notes={(ROOM, "order"): b"stop"}))
    assert mine.tasks() == store.tasks()
    assert mine.notes(ROOM) == [("order", b"stop")]
