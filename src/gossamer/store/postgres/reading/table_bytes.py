"""Read the bytes of all rows of a web in a database, to search them for something."""

from collections.abc import Iterator
from contextlib import closing

from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session

_TABLES = """
select relname::text from pg_class
where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname
"""


def read_table_bytes(address: Address) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the name of each table, and its rows as the server keeps their values; read the rows before the next table."""
    with closing(Session(address, read_only=True, setup=True)) as session:
        for (table,) in session.query(_TABLES):
            yield table, session.copy_out(f"copy {table} to stdout (format binary)")
