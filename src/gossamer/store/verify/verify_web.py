"""Check a web, and repair what can be: the archive first, then the state against it."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec

from gossamer.errors import GossamerError
from gossamer.store.model_folder import check_models
from gossamer.store.share_of_work import Work
from gossamer.store.sqlite.open_database import READ_ERRORS, check_version, open_unchecked
from gossamer.store.verify import repair_web
from gossamer.store.verify.check_archive import ROW_COST, ArchiveCheck
from gossamer.store.verify.check_forgotten import check_forgotten
from gossamer.store.verify.check_pages import PageCheck, SqlitePageRows
from gossamer.store.verify.check_state import StateCheck
from gossamer.store.verify.findings import Findings

OnProgress = Callable[[float], None]


class WebParts(msgspec.Struct, frozen=True):
    """Where the state and the archive of a web are, and whether a crawl is running there."""

    folder: Path
    state: Path
    is_live: bool = False

    @property
    def archive(self) -> Path:
        """The folder of its WARC files."""
        return self.folder / "archive"


def verify_web(web: WebParts, on_progress: OnProgress = lambda _: None, repair: bool = False) -> Findings:
    """Check the archive, the state and the models of a web; with `repair`, the caller holds its lock.

    Bytes of the archive are never changed. Cost: reading everything once, some milliseconds for a hundred pages.
    """
    findings = Findings()
    for name, why in check_models(web.folder):
        findings.add("model", f"{name}: {why}")
    try:
        db = open_unchecked(web.state)
    except GossamerError as error:
        findings.add("unusable", str(error))
        _check_archive_alone(web, findings, on_progress)
        return findings
    try:
        check_version(db, web.state)
        _check(web, db, findings, on_progress, repair)
    finally:
        db.close()
    return findings


def _check(
    web: WebParts, db: sqlite3.Connection, findings: Findings, on_progress: OnProgress, repair: bool
) -> None:
    db.execute("begin")  # everything is compared as it was at one moment
    state = StateCheck(db, findings)
    committed, is_ended = _read_archive_ends(db), _is_ended(db)
    archive = ArchiveCheck(web.archive, committed, findings, is_ended, web.is_live)
    work = Work(sum(committed.values()) + 2 * ROW_COST * state.count_rows(), on_progress)
    archive.check(work.add)
    state.check(lambda rows: work.add(ROW_COST * rows))
    check_forgotten(web.folder, db, findings)
    pages = PageCheck(SqlitePageRows(db), archive, findings)
    if not repair:
        pages.check(lambda rows: work.add(ROW_COST * rows))
        archive.judge_short_files(pages.lost)
        on_progress(1.0)
        return
    repair_web.repair_pages(web.state, pages, findings)
    archive.judge_short_files(pages.lost)
    db.execute("commit")
    repair_web.repair_state(web.state, findings)
    repair_web.repair_ends(web.state, pages, archive, findings)
    repair_web.repair_indexes(web.archive, archive, findings)
    on_progress(1.0)


def _check_archive_alone(web: WebParts, findings: Findings, on_progress: OnProgress) -> None:
    """Check an archive whose state is lost: every file counts as committed."""
    lengths = {path.name: path.stat().st_size for path in web.archive.glob("*.warc.gz")}
    work = Work(sum(lengths.values()), on_progress)
    ArchiveCheck(web.archive, lengths, findings, is_ended=False, is_live=web.is_live).check(work.add)


def _read_archive_ends(db: sqlite3.Connection) -> dict[str, int]:
    try:
        rows = db.execute("select warc, bytes from archive").fetchall()
    except READ_ERRORS:
        return {}
    return {
        warc.decode("utf-8", "replace"): length
        for warc, length in rows
        if isinstance(warc, bytes) and type(length) is int
    }


def _is_ended(db: sqlite3.Connection) -> bool:
    """Return whether every task ended as it should, so that no CDXJ index is waiting to be written."""
    try:
        return not db.execute("select count(*) from task where state = 'running'").fetchone()[0]
    except READ_ERRORS:
        return False
