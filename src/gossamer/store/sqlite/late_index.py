"""Which rows belong to a page, for tables that the crawl only appends to.

An index would do, but the crawl would pay for it: a random insertion for each row, three times the cost of a commit at
ten million rows. So the keys of each of these tables are sorted when somebody asks, in runs: each run is a range of
rows, its keys and their rows packed into pieces of a page of the file each. A look-up asks every run. A new run takes
in the ones before it that are not much larger, so that they stay few (O'Neil et al. 1996, the log-structured
merge-tree). Each run is a transaction of a second at most, with pauses between them: a crawl in this or another process
is hardly held up. Rows behind the last run, too few for one, are looked through.
"""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import contextlib
import sqlite3
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from gossamer.store import record_rows

if TYPE_CHECKING:  # loaded when keys are sorted: whoever looks into a small web need not wait for it
    import numpy as np
    from numpy.typing import NDArray

_KEY = {"known": "id", "visit": "page", "decision": "page"}
# Rows of the longest run, and of the shortest: a row of links has a hundred keys.
_LONGEST = {"known": 1_000_000, "visit": 1_000_000, "decision": 1_000_000, "link": 10_000}
_SHORTEST = {"known": 10_000, "visit": 10_000, "decision": 10_000, "link": 100}
_PIECE_KEYS = 500
_PAUSE_S = 0.05

OnSorting = Callable[[int, int], None]
"""Hears how many rows of how many have been sorted."""


def sort_new_rows(db: sqlite3.Connection, table: str, turn: Lock, watch: OnSorting) -> None:
    """Make runs as far as rows go; give up where the file cannot be written, since nothing needs them."""
    with contextlib.suppress(sqlite3.Error):
        while _is_behind(db, table):
            with turn:
                done, newest = _add_run(db, table)
            watch(done, newest)
            time.sleep(_PAUSE_S)


def find_rows(db: sqlite3.Connection, table: str, keys: Sequence[int]) -> list[int]:
    """Return the numbers of the rows with one of these keys, in order."""
    ends = _read_ends(db, table)
    found = set(_scan_unsorted(db, table, ends[-1], keys))
    for run in range(len(ends) - 1):
        for key in keys:
            found.update(_find_in_run(db, table, run, key))
    return sorted(found)


def _find_in_run(db: sqlite3.Connection, table: str, run: int, key: int) -> Iterator[int]:
    """Find the rows with a key in one run: in one piece, or in several neighbours if there are many."""
    pieces = db.execute(
        "select first, keys, numbers from sorted where name = ? and run = ? and last >= ? order by last",
        (table, run, key),
    )
    for first, keys, row_numbers in pieces:
        if first > key:
            break
        held, owners = record_rows.unpack_keys(keys), record_rows.unpack_keys(row_numbers)
        at = bisect_left(held, key)
        while at < len(held) and held[at] == key:
            yield owners[at]
            at += 1


def _read_ends(db: sqlite3.Connection, table: str) -> list[int]:
    """Return 0 and the last row of each run."""
    found = db.execute("select upto from run where name = ? order by number", (table,))
    return [0, *(upto for (upto,) in found)]


def _find_newest(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"select coalesce(max(number), 0) from {table}").fetchone()[0])


def _is_behind(db: sqlite3.Connection, table: str) -> bool:
    return _find_newest(db, table) - _read_ends(db, table)[-1] >= _SHORTEST[table]


def _add_run(db: sqlite3.Connection, table: str) -> tuple[int, int]:
    """Add a run, in a transaction of its own; return up to which row, and which is the newest."""
    db.execute("begin immediate")
    try:
        ends, newest = _read_ends(db, table), _find_newest(db, table)
        upto = min(newest, ends[-1] + _LONGEST[table])
        run = _choose_run(ends, upto, _LONGEST[table])
        db.execute("delete from sorted where name = ? and run >= ?", (table, run))
        db.execute("delete from run where name = ? and number >= ?", (table, run))
        _write_run(db, table, run, ends[run], upto)
        db.execute("insert into run (name, number, upto) values (?, ?, ?)", (table, run, upto))
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise
    return upto, newest


def _choose_run(ends: list[int], upto: int, longest: int) -> int:
    """Say which run a new one up to here becomes, when it takes in those before it that are not twice its length."""
    run = len(ends) - 1
    while run and ends[run] - ends[run - 1] < 2 * (upto - ends[run]) and upto - ends[run - 1] <= longest:
        run -= 1
    return run


def _write_run(db: sqlite3.Connection, table: str, run: int, after: int, upto: int) -> None:
    """Sort the keys of a range of rows and write them, piece by piece."""
    keys, owners = _read_link_keys(db, after, upto) if table == "link" else _read_keys(db, table, after, upto)
    order = keys.argsort(kind="stable")
    keys, owners = keys[order], owners[order]
    pieces = (slice(at, at + _PIECE_KEYS) for at in range(0, len(keys), _PIECE_KEYS))
    db.executemany(
        "insert into sorted (name, run, first, last, keys, numbers) values (?, ?, ?, ?, ?, ?)",
        (
            (
                table,
                run,
                int(keys[piece][0]),
                int(keys[piece][-1]),
                keys[piece].tobytes(),
                owners[piece].tobytes(),
            )
            for piece in pieces
        ),
    )


def _read_keys(
    db: sqlite3.Connection, table: str, after: int, upto: int
) -> tuple["NDArray[np.int64]", "NDArray[np.int64]"]:
    """Read the keys of a range of rows, and the numbers of their rows."""
    import numpy as np

    these = f"select {_KEY[table]}, number from {table} where number > ? and number <= ? order by number"
    read = np.fromiter(db.execute(these, (after, upto)), np.dtype([("key", "<i8"), ("owner", "<i8")]))
    return read["key"].copy(), read["owner"].copy()


def _read_link_keys(
    db: sqlite3.Connection, after: int, upto: int
) -> tuple["NDArray[np.int64]", "NDArray[np.int64]"]:
    """Read the targets of a range of rows of links, and the numbers of their rows."""
    import numpy as np

    these = "select number, links, targets from link where number > ? and number <= ? order by number"
    read = db.execute(these, (after, upto)).fetchall()
    targets = np.frombuffer(b"".join(packed for _, _, packed in read), "<i8")
    return targets, np.repeat(np.array([row[0] for row in read], "<i8"), [row[1] for row in read])


def _scan_unsorted(db: sqlite3.Connection, table: str, after: int, keys: Sequence[int]) -> Iterable[int]:
    """Look through the rows that no run has reached."""
    if table == "link":
        wanted = set(keys)
        found = db.execute("select number, targets from link where number > ?", (after,))
        return [number for number, packed in found if not wanted.isdisjoint(record_rows.unpack_keys(packed))]
    among = f"{_KEY[table]} in ({', '.join('?' * len(keys))})"
    found = db.execute(f"select number from {table} where number > ? and {among}", (after, *keys))
    return [number for (number,) in found]
