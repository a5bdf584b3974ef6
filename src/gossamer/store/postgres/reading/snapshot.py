"""Read whole tables of a web as arrays, in one state, while others write; the twin of `store.links.sqlite_snapshot`.

A cursor of the server sends some thousand rows at a time, so that memory does not grow with the table. The transaction takes no
number, so readers that wait for the horizon do not wait for it.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from gossamer.store.packed_bytes import pack_rows
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.binary_columns import restore_nul
from gossamer.store.postgres.connect import Row, Session

_ROWS_AT_ONCE = 8192


class PostgresSnapshot:
    """The state of a web at one moment, unaffected by later writes."""

    relevance = "coalesce((convert_from(marks, 'UTF8')::jsonb ->> 'relevance')::float8, -1.0)"
    """The relevance of a page, in a query; -1 if it has none."""
    links = "select coalesce(sum(links), 0)::bigint from total"
    """The query for the number of links."""

    def __init__(self, session: Session) -> None:
        self.web = str(session.address)
        """What messages call the web."""
        self._session = session

    def restore(self, text: str) -> str:
        """Return a title as it was: PostgreSQL holds no NUL."""
        return restore_nul(text)

    def read_rows(self, query: str) -> Iterator[list[Row]]:
        """Yield the rows of a query, some thousand at a time; texts come as bytes."""
        return self._session.stream(query, _ROWS_AT_ONCE)

    def read_number(self, query: str) -> int:
        """Return the number that a query selects."""
        return int(next(self.read_rows(query))[0][0])

    def read_batches(self, query: str, columns: str) -> Iterator[list[Any]]:
        """Yield the rows of a query in batches of columns: arrays of numbers, or concatenated bytes and their starts.

        `columns` has a letter for each: n for numbers, b for bytes or texts.
        """
        for rows in self._session.stream(query, _ROWS_AT_ONCE):
            yield pack_rows(rows, columns)


@contextmanager
def open_postgres_snapshot(address: Address) -> Iterator[PostgresSnapshot]:
    """Open a snapshot of a web, on a connection of its own."""
    # Whole tables are read: the settings of other sessions, which are for look-ups by key, would be wrong here.
    with closing(Session(address, read_only=True, setup=True)) as session:
        session.begin_snapshot()
        yield PostgresSnapshot(session)
