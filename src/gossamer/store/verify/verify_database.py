"""Check a web in a database: its segments first, then the state against them; repair totals and positions."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.store.model_folder import check_models
from gossamer.store.opening.open_archive import list_committed_files
from gossamer.store.opening.web_location import read_database
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.reading.snapshot import PostgresSnapshot, open_postgres_snapshot
from gossamer.store.postgres.repair_tables import TableRepair
from gossamer.store.share_of_work import Work
from gossamer.store.verify.check_archive import ROW_COST, ArchiveCheck
from gossamer.store.verify.check_forgotten_rows import check_forgotten_rows
from gossamer.store.verify.check_pages import PageCheck
from gossamer.store.verify.check_tables import DatabasePageRows, TableCheck
from gossamer.store.verify.findings import Findings
from gossamer.store.verify.repair_web import WHY, add_mark

_ROWS_AT_ONCE = 1000


def verify_database(
    folder: Path, on_progress: Callable[[float], None] = lambda _: None, repair: bool = False
) -> Findings:
    """Check the archive, the state and the models of a web in a database; with `repair`, no fetcher may be at work.

    Everything is compared as it was at one moment. Cost: reading everything once, and each segment by one request.
    """
    findings, address = Findings(), read_database(folder)
    with closing(PostgresStore(address, read_only=True)) as store:
        if repair and store.has_fetchers():
            raise BadInput(f"fetchers are at work on {address}: stop them before you repair it")
        check_forgotten_rows(store, findings)
    for name, why in check_models(folder):
        findings.add("model", f"{name}: {why}")
    with open_postgres_snapshot(address) as state:
        _check(state, folder, findings, on_progress, repair)
    on_progress(1.0)
    return findings


def _check(
    state: PostgresSnapshot,
    folder: Path,
    findings: Findings,
    on_progress: Callable[[float], None],
    repair: bool,
) -> None:
    committed = {
        warc.decode("utf-8", "replace"): length
        for rows in state.read_rows("select warc, bytes from archive")
        for warc, length in rows
    }
    tables = TableCheck(state, findings)
    work = Work(sum(committed.values()) + 2 * ROW_COST * tables.count_rows(), on_progress)
    archive = ArchiveCheck(folder / "archive", committed, findings, is_ended=True, is_live=True)
    archive.check_segments(list_committed_files(folder / "archive", committed), work.add)
    tables.check(lambda rows: work.add(ROW_COST * rows))
    pages = PageCheck(DatabasePageRows(state), archive, findings)
    if repair:
        _repair(folder, pages, findings)
    else:
        pages.check(lambda rows: work.add(ROW_COST * rows))
    archive.judge_short_files(pages.lost)


def _repair(folder: Path, pages: PageCheck, findings: Findings) -> None:
    """Correct positions of pages and visits, mark pages that the archive does not have whole, and count totals again."""
    with TableRepair(read_database(folder)) as repair:
        for are_pages in (True, False):
            misplaced = pages.find_misplaced(are_pages)
            while some := list(islice(misplaced, _ROWS_AT_ONCE)):
                for one in some:
                    if one.problem == "visit pointer":
                        repair.move("visit", one.number, one.warc, one.offset)
                    elif one.warc:
                        repair.move("page", one.number, one.warc, one.offset)
                    else:
                        repair.mark_page(one.number, partial(add_mark, why=WHY[one.problem]))
                    findings.repair(one.problem)
        if findings.has("totals"):
            repair.count_totals()
            findings.repair("totals", 1 << 30)
