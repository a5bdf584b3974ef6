"""Open one state of a web, wherever it is, to read whole tables of it as arrays."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gossamer.store.batch import Store
from gossamer.store.links.arrow_tables import open_sqlite_snapshot
from gossamer.store.sqlite.sqlite_store import SqliteStore

PackedBytes = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Concatenated texts or bytes, and the start of each; one more start marks the end of the last."""


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


def unpack_texts(packed: PackedBytes) -> list[str]:
    """Return packed texts as a list."""
    held, starts = packed[0].tobytes(), packed[1].tolist()
    return [held[start:end].decode("utf-8", "replace") for start, end in pairwise(starts)]
