"""Read whole tables of a web as arrays, by ADBC and Arrow; needs the extra `graph`.

Compiled code turns rows into columns: a million rows take a third of a second. Reading them as Python rows
alone takes twice as long.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import MissingExtra, StoreFailed, make_damage_error
from gossamer.store.sqlite.open_database import make_reader_uri

if TYPE_CHECKING:
    from adbc_driver_manager import AdbcConnection

# Measured at a million rows: 1,024 and 65,536 are a tenth slower.
_ROWS_AT_ONCE = 8192
_BATCH_ROWS = "adbc.sqlite.query.batch_rows"
PackedBytes = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Concatenated texts or bytes, and the start of each; one more start marks the end of the last."""


class Snapshot:
    """The state of a web at one moment, unaffected by later writes."""

    def __init__(self, path: Path, connection: "AdbcConnection") -> None:
        self._path = path
        self._connection = connection

    def read_batches(self, query: str, columns: str = "") -> Iterator[list[Any]]:
        """Yield the rows of a query in batches of columns: arrays of numbers, or `PackedBytes`.

        `columns` has a letter for each: n for numbers, b for bytes; raise `BadInput` if a column is otherwise.
        Reading ahead in another thread would take up to a tenth more processor time.
        """
        from adbc_driver_manager import AdbcStatement, Error

        from gossamer.store.links.arrow_stream import StreamFailed, read_batches

        try:
            with closing(AdbcStatement(self._connection)) as statement:
                statement.set_options(**{_BATCH_ROWS: str(_ROWS_AT_ONCE)})
                statement.set_sql_query(query)
                stream, _ = statement.execute_query()
                for found in read_batches(stream):
                    if (
                        columns
                        and "".join("b" if type(column) is tuple else "n" for column in found) != columns
                    ):
                        raise make_damage_error("a table")
                    yield found
        except (Error, StreamFailed) as error:
            raise StoreFailed(f"{self._path} could not be read: {error}") from error


@contextmanager
def open_snapshot(path: Path) -> Iterator[Snapshot]:
    """Open a snapshot of a web; the file must be known to be one."""
    try:
        import adbc_driver_sqlite
        from adbc_driver_manager import AdbcConnection
    except ImportError:
        raise MissingExtra("graph", "adbc-driver-sqlite") from None
    with (
        closing(adbc_driver_sqlite.connect(make_reader_uri(path))) as database,
        closing(AdbcConnection(database)) as connection,
    ):
        connection.set_autocommit(False)  # all queries share one transaction, and so see one state
        yield Snapshot(path, connection)


def unpack_texts(packed: PackedBytes) -> list[str]:
    """Return packed texts as a list."""
    held, starts = packed[0].tobytes(), packed[1].tolist()
    return [held[start:end].decode("utf-8", "replace") for start, end in pairwise(starts)]
