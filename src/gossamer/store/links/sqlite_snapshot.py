"""Read whole tables of a web in a directory as arrays.

Compiled code turns rows into columns: a million rows take a quarter of a second of processor time. As Python rows, which is the
way where Python hides its SQLite, they take a second.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from gossamer.errors import make_damage_error
from gossamer.store.packed_bytes import pack_rows
from gossamer.store.sqlite.column_reader import ColumnReader, ColumnTypeError, find_library
from gossamer.store.sqlite.open_database import (
    READ_ERRORS,
    WAIT_FOR_OTHERS_S,
    explain_failure,
    make_reader_uri,
    open_reader,
)

# Measured at a million rows: 1,024 and 65,536 are a tenth slower.
_ROWS_AT_ONCE = 8192


class SqliteSnapshot:
    """The state of a web at one moment, unaffected by later writes."""

    # The first row decides whether a column has integers or fractions, so each must have a fraction.
    relevance = (
        "case when marks = x'7b7d' then -1.0 else "
        "coalesce(cast(json_extract(cast(marks as text), '$.relevance') as real), -1.0) end"
    )
    """The relevance of a page, in a query; -1 if it has none."""
    links = "select value from total where name = 'links'"
    """The query for the number of links."""

    def __init__(self, path: Path, connection: "ColumnReader | RowReader") -> None:
        self.web = str(path.parent)
        """What messages call the web."""
        self._path = path
        self._connection = connection

    def restore(self, text: str) -> str:
        """Return a title as it was: SQLite holds all characters."""
        return text

    def read_batches(self, query: str, columns: str) -> Iterator[list[Any]]:
        """Yield the rows of a query in batches of columns: arrays of numbers, or `PackedBytes`.

        `columns` has a letter for each: n for numbers, b for bytes; raise `BadInput` if a column is otherwise.
        Reading ahead in another thread would take up to a tenth more processor time.
        """
        try:
            yield from self._connection.read_batches(query, columns, _ROWS_AT_ONCE)
        except ColumnTypeError:
            raise make_damage_error("a table") from None
        except READ_ERRORS as error:
            raise explain_failure(self._path, error, "read") from error


class RowReader:
    """Reads rows by Python's own module, for a Python that hides its SQLite from compiled code."""

    def __init__(self, path: Path) -> None:
        self._database: sqlite3.Connection = open_reader(path, checked=True)
        self._database.text_factory = bytes

    def execute(self, query: str) -> None:
        """Carry out a statement that returns nothing."""
        self._database.execute(query)

    def read_batches(self, query: str, columns: str, most: int) -> Iterator[list[Any]]:
        """Yield the rows of a query in batches of columns."""
        cursor = self._database.execute(query)
        while rows := cursor.fetchmany(most):
            yield pack_rows(rows, columns)

    def close(self) -> None:
        """Close the connection, and end its transaction."""
        self._database.close()


@contextmanager
def open_sqlite_snapshot(path: Path) -> Iterator[SqliteSnapshot]:
    """Open a snapshot of a web; the file must be known to be one."""
    try:
        opened = _open(path)
    except READ_ERRORS as error:
        raise explain_failure(path, error, "read") from error
    with closing(opened) as connection:
        connection.execute("begin")  # all queries share one transaction, and so see one state
        yield SqliteSnapshot(path, connection)


def _open(path: Path) -> ColumnReader | RowReader:
    library = _find_library()
    if library is None:
        return RowReader(path)
    return ColumnReader(make_reader_uri(path), library, int(1e3 * WAIT_FOR_OTHERS_S))


_find_library = cache(find_library)
