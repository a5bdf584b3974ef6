"""Whole tables of a web as arrays, through ADBC and Arrow. Needs the extra `graph`.

Rows become columns in compiled code: a million rows in a third of a second, where Python's rows take twice as long
before anything is done with them.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import MissingExtra, StoreFailed
from gossamer.store.sqlite.open_database import make_reader_uri

if TYPE_CHECKING:
    from adbc_driver_manager import AdbcConnection

# Measured at a million rows: 1,024 and 65,536 are a tenth slower.
_ROWS_AT_ONCE = 8192
_BATCH_ROWS = "adbc.sqlite.query.batch_rows"
PackedBytes = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Texts or bytes one behind the other, and where each begins; one more says where the last ends."""


class Snapshot:
    """A web as it was at one moment, however it goes on."""

    def __init__(self, path: Path, connection: "AdbcConnection") -> None:
        self._path = path
        self._connection = connection

    def read_batches(self, query: str) -> Iterator[list[Any]]:
        """Return the rows of a query a piece at a time, as columns: arrays of numbers, or `Packed`.

        Reading the next piece in another thread meanwhile would take up to a tenth more processor time.
        """
        from adbc_driver_manager import AdbcStatement, Error

        from gossamer.store.links.arrow_stream import StreamFailed, read_batches

        try:
            with closing(AdbcStatement(self._connection)) as statement:
                statement.set_options(**{_BATCH_ROWS: str(_ROWS_AT_ONCE)})
                statement.set_sql_query(query)
                stream, _ = statement.execute_query()
                yield from read_batches(stream)
        except (Error, StreamFailed) as error:
            raise StoreFailed(f"{self._path} could not be read: {error}") from error


@contextmanager
def open_snapshot(path: Path) -> Iterator[Snapshot]:
    """Open the state of a web, which is known to be one, to read all of it."""
    try:
        import adbc_driver_sqlite
        from adbc_driver_manager import AdbcConnection
    except ImportError:
        raise MissingExtra("graph", "adbc-driver-sqlite") from None
    with (
        closing(adbc_driver_sqlite.connect(make_reader_uri(path))) as database,
        closing(AdbcConnection(database)) as connection,
    ):
        connection.set_autocommit(False)  # all queries belong to one transaction, and so see one state
        yield Snapshot(path, connection)


def unpack_texts(packed: PackedBytes) -> list[str]:
    """Return packed texts one by one."""
    held, starts = packed[0].tobytes(), packed[1].tolist()
    return [held[start:end].decode("utf-8", "replace") for start, end in pairwise(starts)]
