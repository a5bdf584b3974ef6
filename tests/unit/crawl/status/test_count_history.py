"""The history adds up: over shards, over restarts, over a year."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.crawl.status.count_history import KEPT_S, ROOM, WIDTHS_S, HistoryWriter
from gossamer.crawl.status.read_history import read_history
from gossamer.crawl.status.status_records import CountHistory
from gossamer.store.batch import Batch, Store, TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore

BEGAN_S = 1_800_000_003.0
DAY_S = 86_400.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    opened.commit(
        Batch(tasks=[TaskNote(1, "one", b"{}"), TaskNote(2, "two", b"{}"), TaskNote(10, "ten", b"{}")])
    )
    yield opened
    opened.close()


def write(store: Store, writer: HistoryWriter, when_s: float, task: int = 1, pages: int = 1) -> None:
    """Write a batch in which so many pages were found and fetched, and as many found."""
    counts = {
        "downloaded": pages,
        "bytes": 100 * pages,
        "queued": 2 * pages,
        "finished": pages + 1,
        "failed:404": 1,
    }
    counted = [(task, counts)]
    store.commit(Batch(counted=counted, notes=writer.make_notes(counted, when_s)))


def read(store: Store, task: int | None, since_s: float, until_s: float, most: int = 300) -> CountHistory:
    history = read_history(store, task, since_s, until_s, most)
    assert len({len(getattr(history, name)) for name in history.__struct_fields__}) == 1
    assert len(history.when_s) <= most
    assert history.when_s == sorted(history.when_s)
    return history


def test_a_web_without_history_has_an_empty_one(store: Store) -> None:
    assert read(store, None, 0.0, BEGAN_S) == CountHistory([], [], [], [], [])


def test_counts_of_tasks_and_shards_are_added_and_told_apart(store: Store) -> None:
    shards = [HistoryWriter(store, shard) for shard in (0, 1)]
    for second in range(60):
        write(store, shards[second % 2], BEGAN_S + second, task=1)
    write(store, shards[0], BEGAN_S + 30, task=10, pages=7)
    both, one, ten = (read(store, task, BEGAN_S - 100, BEGAN_S + 100) for task in (None, 1, 10))
    assert sum(one.pages) == 60
    assert sum(one.bytes) == 6000
    assert sum(one.failed) == 60
    assert (one.waiting[0], one.waiting[-1]) == (0, 0)
    assert [sum(ten.pages), ten.waiting[-1], sum(both.pages)] == [7, 6, 67]
    assert one.when_s[0] - one.when_s[1] == -WIDTHS_S[0]
    assert read(store, 2, 0.0, BEGAN_S * 2).pages == []


def test_a_restarted_shard_goes_on_where_it_was_killed(store: Store) -> None:
    for run in range(10):
        writer = HistoryWriter(store, 0)  # nothing is known but what was written
        for second in range(40):
            write(store, writer, BEGAN_S + 100 * run + second, pages=3)
        writer.make_notes(
            [(1, {"downloaded": 1000})], BEGAN_S + 100 * run + 41
        )  # killed before it was written
    history = read(store, 1, 0.0, BEGAN_S + 2000)
    assert sum(history.pages) == 1200
    assert history.waiting[-1] == 800
    assert history.waiting == sorted(history.waiting)


def test_what_waited_is_derived_backwards_if_the_history_begins_late(store: Store) -> None:
    store.commit(Batch(counted=[(1, {"queued": 500, "finished": 100})]))  # by an older version
    write(store, HistoryWriter(store, 0), BEGAN_S, pages=11)
    assert read(store, 1, 0.0, BEGAN_S + 60).waiting[0] == 410


def test_a_clock_that_is_set_back_loses_nothing(store: Store) -> None:
    writer = HistoryWriter(store, 0)
    for when_s in (BEGAN_S, BEGAN_S + 1000, BEGAN_S - 5000, BEGAN_S + 1001, BEGAN_S + 9000):
        write(store, writer, when_s)
    assert sum(read(store, 1, 0.0, BEGAN_S * 2).pages) == 5


@pytest.mark.slow
def test_weeks_of_crawling_take_little_room_and_add_up(store: Store) -> None:
    chance, writer, when_s, pages = random.Random(1), HistoryWriter(store, 0), BEGAN_S, 0
    while when_s < BEGAN_S + 40 * DAY_S:  # nearly every hour has a bucket, as in a crawl that never rests
        more = chance.randrange(1, 100_000)
        write(store, writer, when_s, pages=more)
        pages += more
        when_s += chance.uniform(1200.0, 4800.0)
    kept = store.notes(ROOM)
    assert sum(len(name) + len(packed) for name, packed in kept) < 60_000  # and half a megabyte in a year
    assert sum(read(store, 1, 0.0, when_s).pages) == pages
    last_day = read(store, 1, when_s - DAY_S / 2, when_s, 1000)
    assert last_day.when_s[1] - last_day.when_s[0] == WIDTHS_S[1]
    assert 0 < sum(last_day.pages) < pages
    assert KEPT_S[0] < DAY_S


def test_notes_that_are_damaged_are_left_out(store: Store) -> None:
    write(store, HistoryWriter(store, 0), BEGAN_S)
    damaged = {
        "1.0.0.x": b"",
        "1.0.9.5": b"\x92\xc3\x80",
        "1.0.0.000000000005": b"nonsense",
        "": b"x",
        "1.²": b"",
    }
    store.commit(Batch(notes={(ROOM, name): packed for name, packed in damaged.items()}))
    assert sum(read(store, None, 0.0, BEGAN_S + 60).pages) == 1
