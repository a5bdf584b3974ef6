"""Read whole tables of a web as arrays, in one state, while others write; the twin of `store.links.arrow_tables`.

A cursor of the server sends some thousand rows at a time, so that memory does not grow with the table. The transaction takes no
number, so readers that wait for the horizon do not wait for it.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import make_damage_error
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.binary_columns import restore_nul
from gossamer.store.postgres.connect import Row, Session

_ROWS_AT_ONCE = 8192
PackedBytes = tuple[NDArray[np.uint8], NDArray[np.int64]]


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
            yield [
                _pack_bytes(column) if kind == "b" else np.array(column)
                for kind, column in zip(columns, zip(*rows, strict=True), strict=True)
            ]


@contextmanager
def open_postgres_snapshot(address: Address) -> Iterator[PostgresSnapshot]:
    """Open a snapshot of a web, on a connection of its own."""
    # Whole tables are read: the settings of other sessions, which are for look-ups by key, would be wrong here.
    with closing(Session(address, read_only=True, setup=True)) as session:
        session.begin_snapshot()
        yield PostgresSnapshot(session)


def _pack_bytes(column: Sequence[bytes | None]) -> PackedBytes:
    try:
        packed = b"".join(column)  # type: ignore[arg-type]  # what is no bytes is damage
    except TypeError:
        raise make_damage_error("a table") from None
    sizes = np.fromiter(map(len, column), np.int64, len(column))  # type: ignore[arg-type]  # the same
    return np.frombuffer(packed, np.uint8), np.concatenate([[0], np.cumsum(sizes)])
