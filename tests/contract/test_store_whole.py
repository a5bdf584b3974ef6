"""A batch is written in one transaction, also with kills and concurrent readers."""

import multiprocessing
import os
import random
import signal
import time
from multiprocessing.connection import Connection

import pytest
from tests.contract.rows import Open, link, make_request, page, to_columns

from gossamer.records import Decision, Visit
from gossamer.store.batch import Batch, Store, TaskNote

FORK = multiprocessing.get_context("fork")


def make_batch(number: int) -> Batch:
    """Return a batch that writes its number into every table."""
    return Batch(
        pages=[page(number)],
        links=to_columns(link(number, target) for target in range(1, 40)),
        known=[(number, f"http://a.example/{number}")],
        scheduled=[-number],
        requests=[make_request(number)],
        finished=[make_request(number - 1)],
        visits=[Visit(number, 1, 0.0, "fetched")],
        decisions=[Decision(number, 1, 0.0, "trap")],
        tasks=[TaskNote(1, "one", b"")],
        counted=[(1, {"downloaded": 1})],
        archive_ends={"a.warc.gz": number},
        notes={("room", "last"): b"%d" % number, ("room", str(number - 1)): None, ("room", str(number)): b""},
    )


def assert_exactly(store: Store, batches: int) -> None:
    """Assert that the web contains these batches completely, and nothing else."""
    assert [each.id for each in store.pages()] == list(range(1, batches + 1))
    assert store.counts() == {
        "pages": batches,
        "links": 39 * batches,
        "known": batches,
        "waiting": min(batches, 1),
        "visits": batches,
        "hosts": 0,
    }
    assert len(list(store.links())) == 39 * batches
    assert sum(len(keys) for _, keys in store.seen_keys()) == 16 * batches
    assert [each.number for each in store.requests("a.example", 1, 9)] == [batches][:batches]
    assert store.waiting_hosts(1) == ["a.example"][:batches]
    assert store.last_number() == batches
    assert [task.counts for task in store.tasks()] == [{"downloaded": batches}][:batches]
    assert store.archive_ends() == ({"a.warc.gz": batches} if batches else {})
    last = [(str(batches), b""), ("last", b"%d" % batches)]
    assert store.notes("room") == (last if batches else [])
    assert [len(store.decisions(number)) for number in (batches, batches + 1)] == [min(batches, 1), 0]


def test_a_batch_that_cannot_be_written_leaves_no_trace(store: Store) -> None:
    store.commit(make_batch(1))
    bad = make_batch(2)
    bad.received = [2**70]  # written last
    with pytest.raises(OverflowError):
        store.commit(bad)
    assert_exactly(store, 1)
    store.commit(make_batch(2))
    assert_exactly(store, 2)


def write_until_killed(opens: Open, begin: int, connection: Connection) -> None:
    store = opens()
    for number in range(begin, begin + 100_000):
        store.commit(make_batch(number))
        connection.send(number)


def test_a_kill_at_any_moment_leaves_whole_batches(opens: Open) -> None:
    rnd = random.Random(7)
    batches = 0
    opens().close()
    for _ in range(8):
        receiver, sender = FORK.Pipe(duplex=False)
        writer = FORK.Process(target=write_until_killed, args=(opens, batches + 1, sender))
        writer.start()
        sender.close()
        committed = receiver.recv()
        time.sleep(rnd.uniform(0, 0.03))
        assert writer.pid
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        while receiver.poll():
            try:
                committed = receiver.recv()
            except EOFError:
                break
        receiver.close()
        store = opens()
        batches = store.counts()["pages"]
        assert committed <= batches <= committed + 1, (
            "all committed batches are there, and at most the one being written"
        )
        assert_exactly(store, batches)
        store.close()


def write_some(opens: Open, batches: int) -> None:
    store = opens()
    for number in range(1, batches + 1):
        store.commit(make_batch(number))
    store.close()


def test_readers_in_another_process_see_whole_batches(opens: Open) -> None:
    reader = opens()
    writer = FORK.Process(target=write_some, args=(opens, 150))
    writer.start()
    seen = set()
    while writer.is_alive():
        counts = reader.counts()
        seen.add(counts["pages"])
        # Each query is its own transaction: later ones can only see more.
        pages = counts["pages"]
        assert pages <= len(list(reader.pages())) <= reader.counts()["visits"]
        assert all(len(reader.links_from(number)) == 39 for number in range(max(1, pages - 5), pages + 1))
    writer.join()
    assert writer.exitcode == 0
    assert_exactly(reader, 150)
    reader.close()


def write_own(opens: Open, shard: int) -> None:
    store = opens()
    for number in range(1, 61):
        mine = make_request(number, f"s{shard}.example")
        store.commit(Batch(requests=[mine], sent=[(1 - shard, mine)], pages=[page(number * 2 + shard)]))
    store.close()


def test_shards_take_turns_at_writing(opens: Open) -> None:
    opens().close()
    shards = [FORK.Process(target=write_own, args=(opens, shard)) for shard in (0, 1)]
    for each in shards:
        each.start()
    for each in shards:
        each.join()
        assert each.exitcode == 0
    store = opens()
    assert store.counts()["waiting"] == 120
    assert store.counts()["pages"] == 120
    assert store.waiting_hosts(1) == ["s0.example", "s1.example"]
    assert [len(store.inbox(shard, 2)) for shard in (0, 1)] == [60, 60]
    store.close()
