"""Read whole tables of a web in a directory as arrays, by ADBC and Arrow; needs the extra `graph`.

Compiled code turns rows into columns: a million rows take a third of a second. Reading them as Python rows
alone takes twice as long.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.errors import MissingExtra, StoreFailed, make_damage_error
from gossamer.store.sqlite.open_database import make_reader_uri

if TYPE_CHECKING:
    from adbc_driver_manager import AdbcConnection

# Measured at a million rows: 1,024 and 65,536 are a tenth slower.
_ROWS_AT_ONCE = 8192
_BATCH_ROWS = "adbc.sqlite.query.batch_rows"


class SqliteSnapshot:
    """The state of a web at one moment, unaffected by later writes."""

    # ADBC infers the type of a column from its first rows, so each must have a number.
    relevance = (
        "case when marks = x'7b7d' then -1.0 else "
        "coalesce(cast(json_extract(cast(marks as text), '$.relevance') as real), -1.0) end"
    )
    """The relevance of a page, in a query; -1 if it has none."""
    links = "select value from total where name = 'links'"
    """The query for the number of links."""

    def __init__(self, path: Path, connection: "AdbcConnection") -> None:
        self.web = str(path.parent)
        """What messages call the web."""
        self._path = path
        self._connection = connection

    def restore(self, text: str) -> str:
        """Return a title as it was: SQLite holds all characters."""
        return text

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
def open_sqlite_snapshot(path: Path) -> Iterator[SqliteSnapshot]:
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
        yield SqliteSnapshot(path, connection)
