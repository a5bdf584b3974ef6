"""Which rows belong to a page, for tables that the crawl only appends to.

An index would do, but the crawl would pay for it: a random insertion for each row, three times the cost of a commit at
ten million rows. So each of these tables has a table of keys beside it that is filled when somebody asks, in runs:
each run is a range of rows, sorted by key and appended. A look-up asks every run. A new run takes in the ones before
it that are not much larger, so that they stay few (O'Neil et al. 1996, the log-structured merge-tree). Each run is a
transaction of a second at most, with pauses between them: a crawl in another process is hardly held up.
Rows behind the last run, too few for one, are looked through.
Measured: ten million known URLs in 10 runs within 30 s; then 0.3 ms a look-up.
"""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Sequence

from gossamer.store import rows

_KEY = {"known": "id", "visit": "page", "decision": "page"}
# Rows of the longest run, and of the shortest: a row of links has a hundred keys.
_LONGEST = {"known": 1_000_000, "visit": 1_000_000, "decision": 1_000_000, "link": 5_000}
_SHORTEST = {"known": 10_000, "visit": 10_000, "decision": 10_000, "link": 100}
_PAUSE_S = 0.05


def catch_up(db: sqlite3.Connection, table: str) -> None:
    """Make runs as far as rows go; give up where the file cannot be written, since nothing needs them."""
    with contextlib.suppress(sqlite3.Error):
        while _add_run(db, table):
            time.sleep(_PAUSE_S)


def numbers(db: sqlite3.Connection, table: str, keys: Sequence[int]) -> list[int]:
    """Return the numbers of the rows with one of these keys, in order."""
    ends = _ends(db, table)
    found = set(_behind(db, table, ends[-1], keys))
    asked = f"select number from {table}_at where run = ? and key = ?"
    for run in range(len(ends) - 1):
        for key in keys:
            found.update(number for (number,) in db.execute(asked, (run, key)))
    return sorted(found)


def _ends(db: sqlite3.Connection, table: str) -> list[int]:
    """Return 0 and the last row of each run."""
    return [
        0,
        *(upto for (upto,) in db.execute("select upto from run where name = ? order by number", (table,))),
    ]


def _newest(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"select coalesce(max(number), 0) from {table}").fetchone()[0])


def _add_run(db: sqlite3.Connection, table: str) -> bool:
    """Add a run, in a transaction of its own; say whether there is more to do."""
    if _newest(db, table) - _ends(db, table)[-1] < _SHORTEST[table]:
        return False
    db.execute("begin immediate")
    try:
        ends = _ends(db, table)
        upto = min(_newest(db, table), ends[-1] + _LONGEST[table])
        run = _place(ends, upto, _LONGEST[table])
        if run < len(ends) - 1:
            db.execute(f"delete from {table}_at where run >= ?", (run,))
            db.execute("delete from run where name = ? and number >= ?", (table, run))
        _fill(db, table, run, ends[run], upto)
        db.execute("insert into run (name, number, upto) values (?, ?, ?)", (table, run, upto))
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise
    return True


def _place(ends: list[int], upto: int, longest: int) -> int:
    """Say which run a new one up to here becomes, when it takes in those before it that are not twice its length."""
    run = len(ends) - 1
    while run and ends[run] - ends[run - 1] < 2 * (upto - ends[run]) and upto - ends[run - 1] <= longest:
        run -= 1
    return run


def _fill(db: sqlite3.Connection, table: str, run: int, after: int, upto: int) -> None:
    if table == "link":
        db.executemany(
            "insert into link_at (run, key, number) values (?, ?, ?)",
            sorted(
                {(run, target, number) for number, targets in _targets(db, after, upto) for target in targets}
            ),
        )
    else:
        db.execute(
            f"insert into {table}_at (run, key, number) select ?, {_KEY[table]}, number from {table} "
            f"where number > ? and number <= ? order by {_KEY[table]}, number",
            (run, after, upto),
        )


def _behind(db: sqlite3.Connection, table: str, after: int, keys: Sequence[int]) -> Iterable[int]:
    """Look through the rows that no run has reached."""
    if table == "link":
        wanted = set(keys)
        return [number for number, targets in _targets(db, after) if not wanted.isdisjoint(targets)]
    among = f"{_KEY[table]} in ({', '.join('?' * len(keys))})"
    found = db.execute(f"select number from {table} where number > ? and {among}", (after, *keys))
    return [number for (number,) in found]


def _targets(
    db: sqlite3.Connection, after: int, upto: int = 2**63 - 1
) -> Iterable[tuple[int, Iterable[int]]]:
    found = db.execute("select number, targets from link where number > ? and number <= ?", (after, upto))
    return ((number, rows.keys(packed)) for number, packed in found)
