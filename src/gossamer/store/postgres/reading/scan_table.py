"""Read tables in order of arrival, in pieces, while others write.

Rows below the horizon are settled: no transaction that is still open can add one. They are read piece by piece, from
the number of the last row on. What is above the horizon is read at the end: its numbers in one query, which sees one
state, then its rows. So a scan misses no row that was committed before its end began, sees none twice, and holds no
transaction open.
"""

# ruff: noqa: S608 - only names of tables and columns written in this package go into queries; values are always bound

from collections.abc import Iterator
from itertools import islice

from gossamer.store.postgres.binary_columns import Int8s, pack_array
from gossamer.store.postgres.connect import Row, Session

_AT_ONCE = 500


def scan_settled(
    session: Session, table: str, columns: str, after: int = 0, at_once: int = _AT_ONCE, where: str = "true"
) -> Iterator[Row]:
    """Yield the settled rows after a number, each with its number in front."""
    settled = f"number > %s and number < horizon() and {where}"
    piece = f"select number, {columns} from {table} where {settled} order by number limit %s"
    last = after
    while found := session.query(piece, (last, at_once)):
        last = found[-1][0]
        yield from found
        if len(found) < at_once:
            return


def scan_table(session: Session, table: str, columns: str, where: str = "true") -> Iterator[Row]:
    """Yield the rows of a table in order of arrival."""
    last = 0
    for row in scan_settled(session, table, columns, where=where):
        last = row[0]
        yield row[1:]
    found = session.query(
        f"select number from {table} where number > %s and {where} order by number", (last,)
    )
    numbers = iter([number for (number,) in found])
    these = f"select {columns} from {table} where number = any(%s) order by number"
    while some := list(islice(numbers, _AT_ONCE)):
        yield from session.query(these, (pack_array(Int8s, some),))
