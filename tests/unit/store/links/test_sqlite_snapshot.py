"""Whole tables become arrays, in one state of the web, and by the only copy of SQLite in the process."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.errors import BadInput, StoreFailed
from gossamer.store.batch import Batch
from gossamer.store.links import sqlite_snapshot
from gossamer.store.links.sqlite_snapshot import RowReader, open_sqlite_snapshot
from gossamer.store.packed_bytes import unpack_texts
from gossamer.store.sqlite.column_reader import ColumnReader, ColumnTypeError, find_library
from gossamer.store.sqlite.sqlite_store import SqliteStore

ROWS = st.lists(
    st.tuples(
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False),
        st.binary(max_size=9),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
    ),
    max_size=30,
)
_WRITE = """
import sys
from pathlib import Path
from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
store.commit(Batch(notes={("room", "later"): b"2"}))
store.close()
"""


@pytest.fixture(params=["compiled", "rows"])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state of a web, read by compiled code or as Python rows."""
    if request.param == "rows":
        monkeypatch.setattr(sqlite_snapshot, "_find_library", lambda: None)
    path = tmp_path / "state.sqlite"
    SqliteStore(path, create=True).close()
    return path


def test_compiled_code_reads_by_the_library_of_python() -> None:
    assert find_library() is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, at_once=st.integers(1, 8))
def test_batches_contain_the_written_values(
    tmp_path: Path, rows: list[tuple[int, float, bytes, str]], at_once: int
) -> None:
    path = tmp_path / "values.sqlite"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table t (a integer, b real, c blob, d text)")
        database.executemany("insert into t values (?, ?, ?, ?)", rows)
        database.commit()
    library = find_library()
    assert library is not None
    with closing(ColumnReader(path.as_uri(), library, 1_000)) as reader:
        found: list[tuple[Any, ...]] = []
        for integers, floats, (held, starts), words in reader.read_batches(
            "select * from t", "nnbb", at_once
        ):
            assert len(integers) <= at_once
            blobs = [held[a:b].tobytes() for a, b in pairwise(starts)]
            found += zip(integers.tolist(), floats.tolist(), blobs, unpack_texts(words), strict=True)
    assert found == rows


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("select null", "n"),
        ("select 'text'", "n"),
        ("select 1", "b"),
        ("select null", "b"),
        ("select 1 union all select 'text'", "n"),
    ],
)
def test_unexpected_types_are_damage(path: Path, query: str, columns: str) -> None:
    with open_sqlite_snapshot(path) as state, pytest.raises(BadInput, match="damaged"):
        list(state.read_batches(query, columns))


def test_a_fraction_among_integers_is_refused(tmp_path: Path) -> None:
    library = find_library()
    assert library is not None
    with (
        closing(ColumnReader("file::memory:", library, 0)) as reader,
        pytest.raises(ColumnTypeError),
    ):
        list(reader.read_batches("select 1 union all select 1.5", "n", 9))


def test_arrays_outlive_their_snapshot(path: Path) -> None:
    numbers = "with recursive n (i) as (select 0 union all select i + 1 from n where i < 9999) select i, 'n' || i from n"
    with open_sqlite_snapshot(path) as state:
        batches = list(state.read_batches(numbers, "nb"))
    assert sum(int(column.sum()) for column, _ in batches) == sum(range(10_000))
    assert [text for _, packed in batches for text in unpack_texts(packed)] == [
        f"n{i}" for i in range(10_000)
    ]


def test_a_snapshot_sees_one_state(path: Path) -> None:
    with closing(SqliteStore(path)) as store, open_sqlite_snapshot(path) as state:
        totals = "select value from total order by name"
        before = [list(columns[0]) for columns in state.read_batches(totals, "n")]
        writer = store._writer
        assert writer is not None
        writer.execute("update total set value = 7")
        assert [list(columns[0]) for columns in state.read_batches(totals, "n")] == before


def test_a_snapshot_releases_no_lock_of_an_open_store(path: Path) -> None:
    """A second copy of SQLite did: then another program deleted the log that the store was reading."""
    with closing(SqliteStore(path)) as store:
        store.commit(Batch(notes={("room", "first"): b"1"}))
        with open_sqlite_snapshot(path) as state:
            list(state.read_batches(state.links, "n"))
        subprocess.run([sys.executable, "-c", _WRITE, str(path)], check=True, env=os.environ)
        assert path.with_name("state.sqlite-wal").exists(), "the other program took itself for the only one"
        store.commit(Batch(notes={("room", "last"): b"3"}))
        assert [name for name, _ in store.notes("room")] == ["first", "last", "later"]


def test_an_abandoned_query_ends_with_its_snapshot(path: Path) -> None:
    with open_sqlite_snapshot(path) as state:
        batches = state.read_batches("select value from total", "n")
        next(batches)
    with closing(SqliteStore(path)) as store:
        store.commit(Batch(notes={("room", "name"): b"1"}))
        assert store.note("room", "name") == b"1"
    del batches


def test_a_file_that_cannot_be_read_is_named(path: Path) -> None:
    with open_sqlite_snapshot(path) as state, pytest.raises(StoreFailed, match="could not be read"):
        list(state.read_batches("select nothing from nowhere", "n"))


def test_a_reader_of_rows_closes(path: Path) -> None:
    reader = RowReader(path)
    reader.close()
    with pytest.raises(sqlite3.ProgrammingError):
        reader.execute("begin")
