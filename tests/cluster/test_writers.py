"""Several writers at once: readers see whole batches in one order, and miss none."""

import struct
from collections import Counter
from functools import partial

from tests.cluster.database import Background, Database, wait_until
from tests.contract.rows import link, make_request, page, to_columns

from gossamer.records import HostNote, Request, Visit
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.share_groups import group_of, share_of

WRITERS, BATCHES = 4, 25


def write_many(store: PostgresStore, writer: int) -> None:
    for number in range(BATCHES):
        mine = number * WRITERS + writer + 1
        store.commit(
            Batch(
                pages=[page(mine)],
                links=to_columns([link(mine, 1), link(mine, mine)]),
                known=[(mine, f"http://h{writer}.example/{mine}")],
                scheduled=[-mine],
                requests=[make_request(mine, "shared.example"), make_request(mine, f"h{writer}.example")],
                visits=[Visit(mine, 1, 1.0, "fetched")],
                sent=[(share, make_request(mine)) for share in range(3)],
                counted=[(1, {"downloaded": 1, "elapsed_ms": number})],
            )
        )


def start_writers(database: Database) -> list[Background]:
    return [Background(partial(write_many, database.open(), writer)) for writer in range(WRITERS)]


def test_all_that_writers_write_at_once_is_counted_once(database: Database, store: PostgresStore) -> None:
    store.commit(Batch(tasks=[TaskNote(1, "one", b"{}")]))
    running = start_writers(database)
    assert [each.end() for each in running] == [None] * WRITERS
    every = WRITERS * BATCHES
    counts = {"pages": every, "links": 2 * every, "known": every, "waiting": 2 * every, "visits": every}
    assert store.counts() == counts | {"hosts": 0}
    assert store.tasks()[0].counts == {"downloaded": every, "elapsed_ms": BATCHES - 1}
    assert store.count_waiting("shared.example", 1) == every
    assert store.last_number() == every
    assert len(store.links_to(1, most=1000)) == every + 1
    assert store.count_links_to(1) == every + 1


def test_a_reader_that_follows_the_inbox_misses_nothing(database: Database, store: PostgresStore) -> None:
    running = start_writers(database)
    every = WRITERS * BATCHES
    numbers: list[int] = []
    seen: Counter[int] = Counter()
    followed: set[int] = set()
    last_key = 0

    def read_on() -> bool:
        nonlocal last_key
        for number, request in store.inbox(0, 3, after=numbers[-1] if numbers else 0, most=7):
            numbers.append(number)
            seen[request.id] += 1
        for number, packed in store.seen_keys(last_key):
            last_key = number
            followed.update(struct.unpack(f"<{len(packed) // 8}q", packed))
        return len(seen) == every and len(followed) == 2 * every

    wait_until(read_on)
    assert [each.end() for each in running] == [None] * WRITERS
    assert numbers == sorted(set(numbers))
    assert set(seen.values()) == {1}


def test_a_scan_during_writing_has_every_page_once(database: Database, store: PostgresStore) -> None:
    running = start_writers(database)
    every = WRITERS * BATCHES

    def scan() -> bool:
        before = store.counts()["pages"]
        found = [each.id for each in store.pages()]
        assert len(found) == len(set(found)) >= before
        sources = [source for _, source, *_ in store.link_rows()]
        assert len(sources) == len(set(sources)) >= before
        return len(found) == every

    wait_until(scan)
    assert [each.end() for each in running] == [None] * WRITERS


def test_an_entry_with_a_higher_number_waits_for_an_unfinished_one(
    database: Database, store: PostgresStore
) -> None:
    early, late = database.open(), database.open()
    with database.lock_tasks():
        first = Batch(
            sent=[(1, make_request(1))], scheduled=[1], pages=[page(1)], tasks=[TaskNote(1, "one", b"")]
        )
        running = Background(lambda: early.commit(first))
        wait_until(database.list_blocked)
        late.commit(Batch(sent=[(1, make_request(2))], scheduled=[2], pages=[page(2)]))
        assert store.inbox(1, 2) == []
        assert store.inbox(0, 1, groups=[0]) == []
        # What a reader does not go on from, it sees at once; keys are repeated until their order is certain.
        assert [each.id for each in store.pages()] == [2]
        assert list(store.seen_keys()) == [(0, struct.pack("<q", 2))]
    assert running.end() is None
    assert [request.id for _, request in store.inbox(1, 2)] == [1, 2]
    assert [keys for _, keys in store.seen_keys()] == [struct.pack("<q", 1), struct.pack("<q", 2)]
    assert [each.id for each in store.pages()] == [1, 2]


def test_what_is_read_of_some_groups_is_theirs_alone(store: PostgresStore) -> None:
    hosts = [f"h{number}.example" for number in range(40)]
    requests = [make_request(number, host) for number, host in enumerate(hosts, 1)]
    store.commit(
        Batch(
            known=[(request.id, request.url) for request in requests],
            scheduled=[-request.id for request in requests],
            requests=requests,
            sent=[(share_of(request.host), request) for request in requests],
        ),
        key_shares=[share_of(request.host) for request in requests],
    )
    store.commit(Batch(scheduled=[999]))  # of no share that the store knows: all readers get it
    groups = {group_of(hosts[3]), group_of(hosts[17])}
    mine = [request for request in requests if group_of(request.host) in groups]
    assert store.waiting_hosts(1, groups=groups) == sorted(request.host for request in mine)
    assert [request for _, request in store.inbox(0, 1, groups=groups)] == mine
    assert [request for _, request in store.inbox(0, 1, most=1, groups=groups)] == mine[:1]
    packed = b"".join(keys for _, keys in store.seen_keys(groups=groups))
    keys = sorted(struct.unpack(f"<{len(packed) // 8}q", packed))
    assert keys == sorted([*(one.id for one in mine), *(-one.id for one in mine), 999])


def test_a_batch_takes_few_round_trips(store: PostgresStore) -> None:
    pages = [page(number) for number in range(200)]
    small = Batch(pages=pages, visits=[Visit(each.id, 1, 1.0, "fetched") for each in pages])
    before = store.round_trips
    store.commit(small)
    assert store.round_trips - before == 1
    requests = [make_request(number, f"h{number % 50}.example") for number in range(1, 4001)]
    large = Batch(
        pages=pages,
        known=[(request.id, request.url) for request in requests],
        requests=requests,
        finished=requests[:200],
        sent=[(1, request) for request in requests[:500]],
    )
    before = store.round_trips
    store.commit(large)
    assert store.round_trips - before <= 6
    assert store.counts()["waiting"] == 3800
    assert store.counts()["known"] == 4000


def test_moves_in_a_row_are_one_move(store: PostgresStore) -> None:
    first, second, third = (make_request(1, priority=float(priority)) for priority in (0, 1, 2))
    store.commit(Batch(requests=[first, make_request(2, priority=1.5)], moved=[(first, second)]))
    store.commit(
        Batch(moved=[(second, first), (first, third)], retried=[make_request(1, priority=2.0, attempt=3)])
    )
    assert [(one.number, one.priority, one.attempt) for one in store.requests("a.example", 1, 9)] == [
        (1, 2.0, 3),
        (2, 1.5, 0),
    ]
    store.commit(Batch(finished=[third]))
    assert [one.number for one in store.requests("a.example", 1, 9)] == [2]


def test_requests_with_unusual_values_are_read_back_unchanged(store: PostgresStore) -> None:
    odd = Request(
        -(2**63),
        "http://a.example/\x10\0é",
        "a.example",
        7,
        2**31 - 1,
        1e-300,
        2**63 - 1,
        "revisit",
        3,
        2**62,
        9,
    )
    store.commit(Batch(requests=[odd]))
    [found] = store.requests("a.example", 7, 2)
    assert found.id == odd.id
    assert (found.priority, found.parent, found.number, found.depth) == (1e-300, 2**63 - 1, 2**62, 2**31 - 1)


def test_requests_of_many_hosts_come_in_one_round_trip(store: PostgresStore) -> None:
    hosts = [f"h{number}.example" for number in range(20)]
    store.commit(
        Batch(
            requests=[
                make_request(number, host, priority=float(number % 3))
                for number, host in enumerate(hosts * 5, 1)
            ]
        )
    )
    places = [(host, 1, 3) for host in hosts] + [
        ("nowhere.example", 1, 3),
        (hosts[0], 2, 3),
        (hosts[0], 1, 100),
    ]
    before = store.round_trips
    found = store.requests_of_hosts(places)
    assert store.round_trips - before == 1
    assert found == [store.requests(*place) for place in places]
    assert [len(some) for some in found] == [3] * 20 + [0, 0, 5]
    assert store.requests_of_hosts([]) == []


def test_notes_of_hosts_come_in_one_round_trip(store: PostgresStore) -> None:
    notes = [HostNote(f"h{number}.example", float(number), robots=b"x" * number) for number in range(30)]
    store.commit(Batch(hosts=notes))
    before = store.round_trips
    found = store.hosts([*(note.name for note in notes), "nowhere.example"])
    assert store.round_trips - before == 1
    assert found == {note.name: note for note in notes}
    assert store.hosts([]) == {}
