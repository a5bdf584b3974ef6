"""Run a query over the views of a web in PostgreSQL."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain
from typing import Any

from gossamer.errors import BadInput
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session
from gossamer.store.postgres.open_schema import open_schema
from gossamer.store.postgres.views import READ_DIGEST

_AT_ONCE = 1_000


@contextmanager
def run_postgres_query(
    address: Address, sql: str, limit_s: float
) -> Iterator[tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]]:
    """Yield the columns and the rows of a query, in a transaction that can only read."""
    open_schema(address, create=False, upgrade=False)
    with closing(Session(address, read_only=True, setup=True)) as session:
        if session.query(READ_DIGEST)[0][0] is None:
            raise BadInput(
                f"{address} has no views yet: open it once for writing, for example with `gossamer resume`"
            )
        session.query("select set_config('statement_timeout', %s, false)", (str(int(1000 * limit_s)),))
        session.begin_snapshot()
        pieces = session.stream_columns(sql.strip().rstrip(";"), _AT_ONCE)
        [columns] = next(pieces)
        yield columns, chain.from_iterable(pieces)
