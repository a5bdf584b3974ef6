"""Arrow streams of any source become arrays; unreadable ones are refused."""

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import MissingExtra, StoreFailed
from gossamer.store.links.arrow_stream import StreamFailed, read_batches
from gossamer.store.links.arrow_tables import open_sqlite_snapshot
from gossamer.store.links.snapshot import unpack_texts
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


@given(ROWS, st.integers(0, 3), st.integers(1, 8))
def test_batches_contain_the_written_values(
    rows: list[tuple[int, float, bytes, str]], skipped: int, at_once: int
) -> None:
    table = pyarrow.table(
        {name: [row[at] for row in rows] for at, name in enumerate("abcd")},
        pyarrow.schema(
            {"a": pyarrow.int64(), "b": pyarrow.float64(), "c": pyarrow.binary(), "d": pyarrow.string()}
        ),
    ).slice(skipped)
    pieces = pyarrow.Table.from_batches(table.to_batches(max_chunksize=at_once), table.schema)
    found: list[tuple[int, float, bytes, str]] = []
    for integers, floats, (held, starts), words in read_batches(pieces):
        blobs = [held[a:b].tobytes() for a, b in pairwise(starts)]
        found += zip(integers.tolist(), floats.tolist(), blobs, unpack_texts(words), strict=True)
    assert found == rows[skipped:]


@pytest.mark.parametrize(
    ("column", "said"),
    [(pyarrow.array([1, None]), "missing"), (pyarrow.array([1], pyarrow.int32()), "type")],
)
def test_unexpected_types_are_refused(column: pyarrow.Array, said: str) -> None:
    with pytest.raises(StreamFailed, match=said):
        list(read_batches(pyarrow.table({"a": column})))


def test_arrays_outlive_their_stream() -> None:
    (column,) = next(iter(read_batches(pyarrow.table({"a": np.arange(100_000)}))))
    assert column.sum() == sum(range(100_000))


def test_a_snapshot_sees_one_state(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    store = SqliteStore(path, create=True)
    with open_sqlite_snapshot(path) as state:
        before = [list(columns[0]) for columns in state.read_batches("select value from total order by name")]
        writer = store._writer
        assert writer is not None
        writer.execute("update total set value = 7")
        assert [
            list(columns[0]) for columns in state.read_batches("select value from total order by name")
        ] == before
    store.close()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    SqliteStore(path, create=True).close()
    with open_sqlite_snapshot(path) as state, pytest.raises(StoreFailed, match="could not be read"):
        list(state.read_batches("select nothing from nowhere"))


def test_the_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "adbc_driver_sqlite", None)
    with pytest.raises(MissingExtra, match=r"gossamer\[graph\]"), open_sqlite_snapshot(tmp_path):
        pass
