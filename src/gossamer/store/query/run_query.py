"""Run one query in SQL over the views of a web, wherever it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gossamer.errors import BadInput
from gossamer.store.opening.open_store import STATE, check_copy_finished
from gossamer.store.opening.web_location import find_database
from gossamer.store.query.sqlite_query import run_sqlite_query


class QueryRows(msgspec.Struct, frozen=True):
    """The answer to a query; its rows are read while you take them."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def run_query(web: Path, sql: str, limit_s: float) -> Iterator[QueryRows]:
    """Yield the answer to one query; raise BadInput if it is wrong, writes, or takes longer than a limit (0: none).

    The query sees the web as it is at one moment, and a crawl goes on meanwhile.
    """
    if not sql.strip().rstrip(";").strip():
        raise BadInput('the query is empty: write one, such as "select count(*) from pages"')
    check_copy_finished(web)
    address = find_database(web)
    if address is not None:
        from gossamer.store.query.postgres_query import run_postgres_query

        found = run_postgres_query(address, sql, limit_s)
    else:
        found = run_sqlite_query(web / STATE, sql, limit_s)
    with found as (columns, rows):
        yield QueryRows(columns, rows)
