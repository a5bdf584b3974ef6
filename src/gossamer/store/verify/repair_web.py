"""Repair what can be rebuilt of a web: positions of pages, totals, SQLite's indexes, lengths and indexes of WARC files.

Nothing is removed from the archive, and no row is deleted except those of indexes, which are built again.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import msgspec

from gossamer.errors import StoreFailed
from gossamer.store.archive import cdxj_index
from gossamer.store.sqlite.open_database import READ_ERRORS, explain_failure, open_unchecked
from gossamer.store.verify.check_archive import ArchiveCheck
from gossamer.store.verify.check_pages import Misplaced, PageCheck
from gossamer.store.verify.check_state import LATE_TABLES
from gossamer.store.verify.findings import MISSING, Findings

_ROWS_AT_ONCE = 1000
_MOVE_PAGE = "update page set warc = ?, warc_offset = ? where number = ?"
_MARK_PAGE = "update page set warc = '', warc_offset = 0, marks = ? where number = ?"
_MOVE_VISIT = "update visit set warc = ?, warc_offset = ? where number = ?"
WHY = {"page missing": "not in the archive", "page damaged": "damaged in the archive"}


def repair_pages(state: Path, pages: PageCheck, findings: Findings) -> None:
    """Correct the positions of pages and visits; mark pages that the archive does not have whole."""
    for are_pages in (True, False):
        misplaced = pages.find_misplaced(are_pages)
        while some := list(islice(misplaced, _ROWS_AT_ONCE)):
            with _writing(state) as db:
                for one in some:
                    _repair_row(db, one)
                    findings.repair(one.problem)


def _repair_row(db: sqlite3.Connection, one: Misplaced) -> None:
    if one.problem == "visit pointer":
        db.execute(_MOVE_VISIT, (one.warc, one.offset, one.number))
    elif one.warc:
        db.execute(_MOVE_PAGE, (one.warc, one.offset, one.number))
    else:
        (marks,) = db.execute("select marks from page where number = ?", (one.number,)).fetchone()
        db.execute(_MARK_PAGE, (add_mark(marks, WHY[one.problem]), one.number))


def add_mark(marks: object, why: str) -> bytes:
    """Return the marks of a page with one that says why it is missing."""
    try:
        known = msgspec.json.decode(marks, type=dict[str, str]) if isinstance(marks, bytes) else {}
    except (msgspec.MsgspecError, ValueError):
        known = {}
    return msgspec.json.encode(known | {MISSING: why})


def repair_state(state: Path, findings: Findings) -> None:
    """Count totals again, and build SQLite's indexes and the late index anew."""
    if findings.has("totals"):
        with _writing(state) as db:
            db.execute(
                "update total set value = (select coalesce(sum(links), 0) from link) where name = 'links'"
            )
            db.execute("delete from waiting")
            db.execute("insert into waiting select task, host, count(*) from request group by task, host")
        findings.repair("totals", len(LATE_TABLES))
    if findings.has("late index"):
        with _writing(state) as db:  # look-ups sort the rows again when they need it
            db.execute("delete from sorted")
            db.execute("delete from run")
        findings.repair("late index", len(LATE_TABLES))
    if findings.has("sqlite index") and not findings.has("sqlite"):
        with _writing(state) as db:
            db.execute("reindex")
        findings.repair("sqlite index", 1 << 30)


def repair_ends(state: Path, pages: PageCheck, archive: ArchiveCheck, findings: Findings) -> None:
    """Correct the committed lengths of files that pages need: what is behind them would be cut off."""
    is_cut = {name for name, end in archive.committed.items() if 0 < end < archive.ends.get(name, 0)}
    is_short = {name for name, has in archive.short.items() if archive.ends.get(name) == has}
    wrong = pages.needed | is_cut | (is_short - pages.lost)
    wrong = wrong if findings.has("wrong end", "unlisted file") else set()
    if not wrong:
        return
    with _writing(state) as db:
        for name in sorted(wrong):
            db.execute("replace into archive (warc, bytes) values (?, ?)", (name, archive.ends[name]))
    for problem in ("wrong end", "unlisted file", "uncommitted"):
        findings.repair(problem, 1 << 30)


def repair_indexes(folder: Path, archive: ArchiveCheck, findings: Findings) -> None:
    """Write the CDXJ indexes of all files anew."""
    if not findings.has("cdxj missing", "cdxj wrong", "cdxj late", "wrong end", "unlisted file"):
        return
    for name in archive.ends:
        path = folder / name
        try:
            cdxj_index.write_index(path, cdxj_index.index_warc(path))
        except OSError as error:
            raise StoreFailed(
                f"{cdxj_index.index_path(path)} could not be written: {error.strerror}"
            ) from None
    for problem in ("cdxj missing", "cdxj wrong", "cdxj late"):
        findings.repair(problem, 1 << 30)


@contextmanager
def _writing(state: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection within a transaction, committed in the end or rolled back after an error."""
    db = open_unchecked(state, write=True)
    try:
        db.execute("begin immediate")
        yield db
        db.execute("commit")
    except READ_ERRORS as error:
        raise explain_failure(state, error, "written") from error
    finally:
        db.close()
