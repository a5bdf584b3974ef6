"""Open one state of a web, wherever it is, to read whole tables of it as arrays."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from gossamer.store.batch import Store
from gossamer.store.links.sqlite_snapshot import open_sqlite_snapshot
from gossamer.store.sqlite.sqlite_store import SqliteStore


class Snapshot(Protocol):
    """The state of a web at one moment, unaffected by later writes."""

    @property
    def web(self) -> str:
        """What messages call the web."""

    @property
    def relevance(self) -> str:
        """The relevance of a page, in a query; -1 if it has none."""

    @property
    def links(self) -> str:
        """The query for the number of links."""

    def restore(self, text: str) -> str:
        """Return a title as it was before the store changed characters that it cannot hold."""

    def read_batches(self, query: str, columns: str) -> Iterator[list[Any]]:
        """Yield the rows of a query in batches of columns: arrays of numbers, or `PackedBytes`.

        `columns` has a letter for each: n for numbers, b for bytes.
        """


def open_snapshot(store: Store) -> AbstractContextManager[Snapshot]:
    """Open a snapshot of a web, which is closed at the end of the `with` block."""
    if isinstance(store, SqliteStore):
        return open_sqlite_snapshot(store.path)
    from gossamer.store.postgres.postgres_store import PostgresStore
    from gossamer.store.postgres.reading.snapshot import open_postgres_snapshot

    if not isinstance(store, PostgresStore):
        raise TypeError(f"{type(store).__name__} has no snapshots")
    return open_postgres_snapshot(store.address)
