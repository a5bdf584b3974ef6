"""The contract of every table of packs."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest
from tests.shared_archive.sqlite_pack_table import SqlitePackTable

from gossamer.store.shared_archive.pack_table import PackedSegment, PackTable

SEGMENTS = [("a", 10), ("b", 20), ("c", 30)]


class FilledTable(PackTable, Protocol):
    """A table to which segments can be committed."""

    def commit(self, segments: dict[str, int]) -> None:
        """Commit segments."""
        ...


@pytest.fixture(params=["sqlite", "postgres"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FilledTable]:
    """A table with three committed segments."""
    if request.param == "sqlite":
        made: FilledTable = SqlitePackTable(tmp_path / "rows")
        made.commit(dict(SEGMENTS))
        yield made
    else:
        address = request.getfixturevalue("postgres_web")
        from tests.shared_archive.postgres_pack_table import PostgresPackTable

        with closing(PostgresPackTable(address)) as packs:
            packs.commit(dict(SEGMENTS))
            yield packs


def test_committed_segments_wait_to_be_packed(table: FilledTable) -> None:
    assert list(table.unpacked(10)) == SEGMENTS
    assert list(table.unpacked(2)) == SEGMENTS[:2]
    assert table.find(["a", "b"]) == {}
    assert table.unsettled() == []


def test_a_pack_is_claimed_and_finished(table: FilledTable) -> None:
    assert table.claim("one", SEGMENTS[:2])
    assert list(table.unpacked(10)) == SEGMENTS[2:]
    assert table.find(["a"]) == {}, "it is not stored yet"
    assert table.known(["one", "two"]) == {"one"}
    (pack,) = table.unsettled()
    assert (pack.name, pack.segments, pack.finished, pack.size) == ("one", tuple(SEGMENTS[:2]), False, 30)
    assert pack.age_s >= 0
    assert table.finish("one")
    assert table.find(["a", "b", "c", "d"]) == {"a": PackedSegment("one", 0), "b": PackedSegment("one", 10)}
    assert table.unsettled()[0].finished


def test_a_segment_is_claimed_once(table: FilledTable) -> None:
    assert table.claim("one", SEGMENTS[1:2])
    assert not table.claim("two", SEGMENTS)
    assert list(table.unpacked(10)) == [SEGMENTS[0], SEGMENTS[2]], "nothing of a failed claim stays"
    assert table.known(["two"]) == set()


def test_a_segment_that_is_not_committed_cannot_be_claimed(table: FilledTable) -> None:
    assert not table.claim("one", [("a", 10), ("unknown", 5)])
    assert list(table.unpacked(10)) == SEGMENTS


def test_what_is_abandoned_cannot_be_finished(table: FilledTable) -> None:
    table.claim("one", SEGMENTS)
    assert table.abandon("one")
    assert not table.finish("one")
    assert not table.abandon("one")
    assert list(table.unpacked(10)) == SEGMENTS
    assert table.known(["one"]) == set()


def test_what_is_finished_cannot_be_abandoned(table: FilledTable) -> None:
    table.claim("one", SEGMENTS)
    assert table.finish("one")
    assert not table.abandon("one")
    assert not table.finish("one")
    assert len(table.find(["a", "b", "c"])) == 3


def test_what_is_settled_is_still_found(table: FilledTable) -> None:
    table.claim("one", SEGMENTS)
    table.finish("one")
    table.settle("one")
    assert table.unsettled() == []
    assert table.find(["c"]) == {"c": PackedSegment("one", 30)}
    assert table.known(["one"]) == {"one"}
    assert not table.abandon("one")


def test_of_many_claims_at_once_one_succeeds(table: FilledTable) -> None:
    claimed: list[bool] = []
    threads = [
        threading.Thread(target=lambda name=str(number): claimed.append(table.claim(name, SEGMENTS)))
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claimed) == [False] * 7 + [True]
    assert len(table.unsettled()) == 1
