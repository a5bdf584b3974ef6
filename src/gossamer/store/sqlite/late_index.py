"""An index, built on demand, that finds the rows of a page in tables to which the crawl only appends.

A database index would slow the crawl: with a random insertion for each row, a commit costs three times as much at
ten million rows. Instead, the keys of each table are sorted at the first look-up, in runs: a run covers a range of rows,
and its keys and row numbers are packed into pieces of one database page. A look-up searches every run. A new run absorbs
the previous ones that are not much larger, so that there are few (O'Neil et al. 1996, the log-structured merge-tree).
Each run is a transaction of at most a second, with pauses in between, so that crawls in this or another process are
hardly delayed. Rows after the last run, too few for another one, are scanned.
"""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import contextlib
import sqlite3
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

from gossamer.store import record_rows

if TYPE_CHECKING:  # loaded when keys are sorted: look-ups in a small web do not need it
    import numpy as np
    from numpy.typing import NDArray

_KEY = {"known": "id", "visit": "page", "decision": "page"}
# Rows of the longest and of the shortest run. A row of links has about a hundred keys.
_LONGEST = {"known": 1_000_000, "visit": 1_000_000, "decision": 1_000_000, "link": 10_000}
_SHORTEST = {"known": 10_000, "visit": 10_000, "decision": 10_000, "link": 100}
# Rows of links, of which a single look-up scans a hundred thousand in 0.3 s.
_MOST_SCANNED = 300_000
_PIECE_KEYS = 500
_PAUSE_S = 0.05
_AT_ONCE = 500
_COUNTED_AT_ONCE = 5_000

OnSorting = Callable[[str, int, int], None]
"""Called with the name of a table, the number of its sorted rows and of all its rows, before and after each run."""


class RowSorter:
    """Sorts the new rows of a table before they are looked up, unless the look-up may scan them."""

    def __init__(self, db: sqlite3.Connection | None, turn: Lock) -> None:
        self._db = db
        """The connection that writes; None for a web that is only read."""
        self._turn = turn
        self._link_scans = 0
        self.watch: OnSorting = lambda *_: None
        """Called with the progress of sorting."""

    def allow_link_scans(self, look_ups: int) -> None:
        """Let the next look-ups of links scan up to some thirty million: a second at most, and ten times as quick as sorting.

        For programs that ask once. Those that ask more often sort first.
        """
        self._link_scans = look_ups

    def prepare(self, table: str) -> None:
        """Sort the new rows of a table, if the next look-up needs that."""
        if self._db is None:
            return
        if table == "link" and self._link_scans:
            self._link_scans -= 1
            if _count_unsorted(self._db, table) <= _MOST_SCANNED:
                return
        sort_new_rows(self._db, table, self._turn, self.watch)


def sort_new_rows(db: sqlite3.Connection, table: str, turn: Lock, watch: OnSorting) -> None:
    """Add runs for all new rows; stop without an error if the file cannot be written, since runs are optional."""
    with contextlib.suppress(sqlite3.Error):
        if not _is_behind(db, table):
            return
        watch(table, _read_ends(db, table)[-1], _find_newest(db, table))
        while _is_behind(db, table):
            with turn:
                done, newest = _add_run(db, table)
            watch(table, done, newest)
            time.sleep(_PAUSE_S)


def find_rows(db: sqlite3.Connection, table: str, keys: Sequence[int]) -> Iterator[int]:
    """Yield the numbers of the rows with one of these keys, in order; a caller that needs only the first reads only their runs."""
    ends = _read_ends(db, table)
    for run in range(len(ends) - 1):  # each covers the rows after those of the one before
        yield from sorted({number for key in keys for number in _find_in_run(db, table, run, key)})
    yield from sorted(set(_scan_unsorted(db, table, ends[-1], keys)))


def count_targets(db: sqlite3.Connection, key: int) -> int:
    """Count the links to a page, every one of a page with several, without reading the rows that are sorted."""
    ends = _read_ends(db, "link")
    times = Counter(owner for run in range(len(ends) - 1) for owner in _find_in_run(db, "link", run, key))
    # A row is gone when its page has been read again. Most pages have one link to another, and are only counted.
    links = _count_rows(db, [number for number, links in times.items() if links == 1])
    several = iter([number for number, links in times.items() if links > 1])
    while some := list(islice(several, _AT_ONCE)):
        these = f"select number from link where number in ({', '.join('?' * len(some))})"
        links += sum(times[number] for (number,) in db.execute(these, some))
    for _, packed in _find_link_rows(db, ends[-1], [key]):
        links += record_rows.unpack_keys(packed).count(key)
    return links


def _count_rows(db: sqlite3.Connection, numbers: Sequence[int]) -> int:
    """Count those of some rows of links that are there."""
    counted = 0
    for begin in range(0, len(numbers), _COUNTED_AT_ONCE):
        some = numbers[begin : begin + _COUNTED_AT_ONCE]
        these = f"select count(*) from link where number in ({', '.join('?' * len(some))})"
        counted += record_rows.to_count(db.execute(these, some).fetchone())
    return counted


def _find_in_run(db: sqlite3.Connection, table: str, run: int, key: int) -> Iterator[int]:
    """Find the rows with a key in one run: in one piece, or in several adjacent ones."""
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


def _count_unsorted(db: sqlite3.Connection, table: str) -> int:
    return _find_newest(db, table) - _read_ends(db, table)[-1]


def _is_behind(db: sqlite3.Connection, table: str) -> bool:
    return _count_unsorted(db, table) >= _SHORTEST[table]


def _add_run(db: sqlite3.Connection, table: str) -> tuple[int, int]:
    """Add a run in its own transaction; return its last row and the newest row of the table."""
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
    """Return the number of a new run up to this row, which absorbs previous runs shorter than twice its length."""
    run = len(ends) - 1
    while run and ends[run] - ends[run - 1] < 2 * (upto - ends[run]) and upto - ends[run - 1] <= longest:
        run -= 1
    return run


def _write_run(db: sqlite3.Connection, table: str, run: int, after: int, upto: int) -> None:
    """Sort the keys of a range of rows and write them in pieces."""
    keys, owners = _read_link_keys(db, after, upto) if table == "link" else _read_keys(db, table, after, upto)
    order = keys.argsort()  # rows of equal keys may come in any order: look-ups sort them
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
    for _, links, packed in read:
        record_rows.check_targets(packed, links)
    targets = np.frombuffer(b"".join(packed for _, _, packed in read), "<i8")
    return targets, np.repeat(np.array([row[0] for row in read], "<i8"), [row[1] for row in read])


def _scan_unsorted(db: sqlite3.Connection, table: str, after: int, keys: Sequence[int]) -> Iterable[int]:
    """Scan the rows after the last run."""
    if table == "link":
        wanted = set(keys)
        found = _find_link_rows(db, after, keys)
        return [number for number, packed in found if not wanted.isdisjoint(record_rows.unpack_keys(packed))]
    among = f"{_KEY[table]} in ({', '.join('?' * len(keys))})"
    found = db.execute(f"select number from {table} where number > ? and {among}", (after, *keys))
    return [number for (number,) in found]


def _find_link_rows(db: sqlite3.Connection, after: int, keys: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """Yield the rows of links after a number whose bytes hold one of the keys, perhaps across two others."""
    holds_one = " or ".join(["instr(targets, ?)"] * len(keys))
    packed = [record_rows.pack_keys([key]) for key in keys]
    return db.execute(
        f"select number, targets from link where number > ? and ({holds_one})", (after, *packed)
    )
