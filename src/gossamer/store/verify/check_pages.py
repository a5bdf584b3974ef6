"""Check that each page and each visit of a web is in its archive where the state says, and find where it is if not."""

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.store.sqlite.open_database import READ_ERRORS
from gossamer.store.verify.check_archive import ArchiveCheck
from gossamer.store.verify.findings import MISSING, Findings
from gossamer.store.verify.record_table import NOWHERE, PageContent

_ROWS_AT_ONCE = 1000
PageRow = tuple[Any, ...]
"""Number, page id, URL, marks, file, offset, status and digest; texts are bytes."""
_PAGES = (
    "select number, id, url, marks, warc, warc_offset, status, digest from page where number > ? "
    "order by number limit ?"
)
_VISITS = (
    "select number, page, '', x'7b7d', warc, warc_offset, status, '' from visit where number > ? and warc != '' "
    "order by number limit ?"
)
_VISITED = "select page from visit where warc != '' and typeof(page) = 'integer'"
_MARKS = msgspec.json.Decoder(dict[str, str])


class Misplaced(msgspec.Struct, frozen=True, gc=False):
    """A row whose position is wrong, and the right one; "" if there is none."""

    number: int
    problem: str
    warc: str
    offset: int


class PageRows(Protocol):
    """The pages and visits of a state, a thousand or so at a time, in order."""

    def read_pages(self) -> Iterator[list[PageRow]]:
        """Yield pages."""
        ...

    def read_visits(self) -> Iterator[list[PageRow]]:
        """Yield visits that are in the archive."""
        ...

    def read_visited(self) -> Iterator[int]:
        """Yield the pages of these visits."""
        ...


class SqlitePageRows:
    """The pages and visits of a web in a directory; rows after one that cannot be read are left out."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def read_pages(self) -> Iterator[list[PageRow]]:
        """Yield pages."""
        return self._read(_PAGES)

    def read_visits(self) -> Iterator[list[PageRow]]:
        """Yield visits that are in the archive."""
        return self._read(_VISITS)

    def read_visited(self) -> Iterator[int]:
        """Yield the pages of these visits; none if one cannot be read."""
        try:
            return iter([row[0] for row in self._db.execute(_VISITED)])
        except READ_ERRORS:  # found by the check of rows
            return iter(())

    def _read(self, query: str) -> Iterator[list[PageRow]]:
        last = 0
        try:
            while rows := self._db.execute(query, (last, _ROWS_AT_ONCE)).fetchall():
                last = rows[-1][0]
                yield rows
        except READ_ERRORS:
            return  # found by the check of rows


class PageCheck:
    """Compares the positions of pages and visits with the records of an archive. Cost: a few microseconds a row."""

    def __init__(self, rows: PageRows, archive: ArchiveCheck, findings: Findings) -> None:
        self._rows = rows
        self._archive = archive
        self._findings = findings
        self.lost: set[str] = set()
        """Files that lack records of pages or visits."""
        self.needed: set[str] = set()
        """Files that pages need beyond the length that the state has for them."""
        self._visited: NDArray[np.int64] | None = None

    def check(self, on_rows: Callable[[int], None]) -> None:
        """Check all pages and visits."""
        for are_pages in (True, False):
            for _ in self.find_misplaced(are_pages, on_rows):
                pass

    def find_misplaced(
        self, pages: bool, on_rows: Callable[[int], None] = lambda _: None
    ) -> Iterator[Misplaced]:
        """Yield the pages, or else the visits, that are not where the state says; count them as found."""
        for rows in self._rows.read_pages() if pages else self._rows.read_visits():
            for number, page_id, url, marks, warc, offset, status, digest in rows:
                if not (type(page_id) is int and isinstance(warc, bytes) and type(offset) is int):
                    continue  # found by the check of rows
                name = url.decode("utf-8", "replace") if isinstance(url, bytes) else ""
                if not warc:  # a task may keep no bodies
                    if MISSING in _read_marks(marks):
                        self._findings.add("marked", name)
                    continue
                problem = self._judge(page_id, warc.decode("utf-8", "replace"), offset, pages)
                if not problem:
                    continue
                content = _read_content(status, digest)
                found = (self._find_page if pages else self._find_visit)(page_id, content)
                yield self._describe(number, page_id, name, problem if pages else "visit pointer", found)
            self._findings.check("pages" if pages else "visits", len(rows))
            on_rows(len(rows))

    def _judge(self, page_id: int, warc: str, offset: int, is_page: bool) -> str:
        """Return what is wrong with a position; "" if nothing is."""
        table = self._archive.table
        record = table.find(warc, offset)
        if record == NOWHERE or table.page_id(record) != page_id:
            if self._archive.short.get(warc, offset + 1) <= offset:
                self.lost.add(warc)
            return "pointer"
        committed = self._archive.committed.get(warc, 0)
        if offset >= committed and warc not in self.needed:
            self.needed.add(warc)
            self._findings.add("wrong end" if committed else "unlisted file", warc)
        is_whole = table.has_content(record) if is_page else table.is_sound(record)
        return "" if is_whole else "page damaged"

    def _find_page(self, page_id: int, content: PageContent) -> int:
        """Return the last record with the content of a page; `NOWHERE` if there is none."""
        records = self._archive.table.find_content(page_id, content)
        return records[-1] if records else NOWHERE

    def _find_visit(self, page_id: int, content: PageContent) -> int:
        """Return the record of a visit if it cannot be that of another visit, else `NOWHERE`."""
        table = self._archive.table
        if len(table.find_page(page_id)) != 1 or self._count_visits(page_id) != 1:
            return NOWHERE
        return self._find_page(page_id, content)

    def _count_visits(self, page_id: int) -> int:
        """Count the archived visits to a page. Cost: the first call reads and sorts their ids, 8 bytes each."""
        if self._visited is None:
            self._visited = np.sort(np.fromiter(self._rows.read_visited(), np.int64))
        first, last = (int(np.searchsorted(self._visited, page_id, side)) for side in ("left", "right"))
        return last - first

    def _describe(self, number: int, page_id: int, url: str, problem: str, found: int) -> Misplaced:
        warc, offset = self._archive.table.position(found) if found != NOWHERE else ("", 0)
        if problem == "pointer" and not warc:
            problem = "page missing"
        self._findings.add(problem, url or f"page id {page_id & (1 << 64) - 1:016x}")
        return Misplaced(number, problem, warc, offset)


def _read_content(status: object, digest: object) -> PageContent:
    return PageContent(
        status if isinstance(status, int) else 0,
        digest.decode("utf-8", "replace") if isinstance(digest, bytes) else "",
    )


def _read_marks(packed: object) -> dict[str, str]:
    try:
        return _MARKS.decode(packed) if isinstance(packed, bytes) else {}
    except (msgspec.MsgspecError, ValueError):
        return {}
