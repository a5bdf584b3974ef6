"""An index, built on demand, that finds the links to a page: the sorted runs of `store.sqlite.late_index`, in PostgreSQL.

The crawl appends a page's links as one row; an index entry for each target would cost more than the rest of a commit.
The targets of settled rows are sorted at the first look-up, in runs of up to ten thousand rows, each in its own
transaction. Rows after the last run, too few for another one, are scanned. Readers without the right to write scan
more.
"""

import contextlib
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from gossamer.errors import StoreFailed
from gossamer.store import record_rows
from gossamer.store.postgres.binary_columns import Blobs, Int4s, Int8s, pack_array, pack_copy
from gossamer.store.postgres.connect import CopyIn, Row, Session, Statement, Step

if TYPE_CHECKING:  # loaded when keys are sorted: look-ups in a small web do not need it
    import numpy as np
    from numpy.typing import NDArray

_LONGEST, _SHORTEST = 10_000, 100
_PIECE_KEYS = 500
_AT_ONCE = 500
_NEXT_ROWS = "select number, links, targets from link where number > %s and number < horizon() order by number limit %s"
_ROWS_OF_RUNS = "select number, links, targets from link where number > %s and number <= %s order by number"
# One statement sees one state: a row is in a run, or after the last one.
_FIND = (
    "select null::bigint, found.keys, found.numbers from run cross join lateral "
    "(select keys, numbers from sorted where sorted.run = run.number and last >= %s and first <= %s) as found "
    "union all select number, targets, null from link "
    "where number > (select coalesce(max(upto), 0) from run) and position(%s in targets) > 0"
)
_ADD_PIECES = "copy sorted (run, first, last, keys, numbers) from stdin (format binary)"
_ADD_RUN = "insert into run (number, after, upto, rows) values (%s, %s, %s, %s)"


class _Run(msgspec.Struct, frozen=True):
    """One run: the rows of links after a number up to another."""

    number: int
    after: int
    upto: int
    rows: int


def find_rows(reader: Session, writer: Session | None, key: int) -> list[int]:
    """Return the numbers of the rows with links to a page, in order."""
    return sorted(_count_by_row(reader, writer, key))


def count_targets(reader: Session, writer: Session | None, key: int) -> int:
    """Count the links to a page, every one of a page with several, without reading the rows that are sorted."""
    times = _count_by_row(reader, writer, key)
    owners = sorted(times)
    links = 0
    for at in range(0, len(owners), _AT_ONCE):  # a row is gone when its page has been read again
        some = pack_array(Int8s, owners[at : at + _AT_ONCE])
        these = reader.query("select number from link where number = any(%s)", (some,))
        links += sum(times[number] for (number,) in these)
    return links


def _count_by_row(reader: Session, writer: Session | None, key: int) -> Counter[int]:
    """Return the rows with links to a page, and how many each has."""
    if writer is not None:
        _sort_new_rows(reader, writer)
    times: Counter[int] = Counter()
    for number, keys, numbers in reader.query(_FIND, (key, key, record_rows.pack_keys([key]))):
        held = record_rows.unpack_keys(keys)
        if number is not None:
            times[number] += held.count(key)
            continue
        owners = record_rows.unpack_keys(numbers)
        at = bisect_left(held, key)
        while at < len(held) and held[at] == key:
            times[owners[at]] += 1
            at += 1
    return +times  # without rows in which the bytes of the key span two others


def _sort_new_rows(reader: Session, writer: Session) -> None:
    """Sort new rows if there are enough of them; runs are optional, so a failure to write them does not matter."""
    with contextlib.suppress(StoreFailed):
        runs = _read_runs(reader)
        while len(new := reader.query(_NEXT_ROWS, (runs[-1].upto if runs else 0, _LONGEST))) >= _SHORTEST:
            _add_run(reader, writer, runs, new)
            runs = _read_runs(reader)


def _read_runs(session: Session) -> list[_Run]:
    return [_Run(*row) for row in session.query("select number, after, upto, rows from run order by number")]


def _add_run(reader: Session, writer: Session, runs: list[_Run], new: list[Row]) -> None:
    """Add a run for new rows, which absorbs previous runs that are not much longer."""
    kept, rows, after = list(runs), len(new), runs[-1].upto if runs else 0
    while kept and kept[-1].rows < 2 * rows and rows + kept[-1].rows <= _LONGEST:
        absorbed = kept.pop()
        rows, after = rows + absorbed.rows, absorbed.after
    upto = new[-1][0]
    if len(kept) < len(runs):
        new = reader.query(_ROWS_OF_RUNS, (after, upto))
    number = kept[-1].number + 1 if kept else 0
    steps: list[Step] = [
        # Of two processes that sort the same rows, the second fails at the key of the run, and reads the first one's.
        Statement("delete from sorted where run >= %s", (number,)),
        Statement(
            "delete from run where number >= %s and upto <= %s", (number, runs[-1].upto if runs else 0)
        ),
        Statement(_ADD_RUN, (number, after, upto, rows)),
        CopyIn(_ADD_PIECES, pack_copy([Int4s, Int8s, Int8s, Blobs, Blobs], _cut_pieces(number, new))),
    ]
    writer.transact(steps)


def _cut_pieces(run: int, rows: list[Row]) -> list[tuple[int, int, int, bytes, bytes]]:
    """Sort the targets of rows of links, and cut them into pieces."""
    keys, owners = _sort_targets(rows)
    pieces = (slice(at, at + _PIECE_KEYS) for at in range(0, len(keys), _PIECE_KEYS))
    return [
        (run, int(keys[piece][0]), int(keys[piece][-1]), keys[piece].tobytes(), owners[piece].tobytes())
        for piece in pieces
    ]


def _sort_targets(rows: list[Row]) -> tuple["NDArray[np.int64]", "NDArray[np.int64]"]:
    """Return the targets of rows of links, ascending, and the number of the row of each."""
    import numpy as np

    for _, links, packed in rows:
        record_rows.check_targets(packed, links)
    keys = np.frombuffer(b"".join(packed for _, _, packed in rows), "<i8")
    owners = np.repeat(np.array([row[0] for row in rows], "<i8"), [row[1] for row in rows])
    order = keys.argsort()
    return keys[order], owners[order]
