"""The part of a SQLite store that removes pages for good, and what chooses them needs to know."""

import sqlite3
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

import msgspec

from gossamer.errors import StoreFailed
from gossamer.store.record_rows import DatabaseRow
from gossamer.store.sqlite import forget_pages
from gossamer.store.sqlite.late_index import RowSorter
from gossamer.store.sqlite.open_database import explain_failure
from gossamer.store.sqlite.status_queries import StatusQueries

Changed = TypeVar("Changed")


class OldVersion(msgspec.Struct, frozen=True):
    """A visit whose record is not that of its page's latest version."""

    number: int
    page: int
    warc: str
    offset: int
    when_s: float


class ErasableState(StatusQueries):
    """The connection that writes, and what it removes."""

    _writer: sqlite3.Connection | None
    _turn: Lock
    sorter: RowSorter

    def change_forgotten(self, change: Callable[[sqlite3.Connection], Changed]) -> Changed:
        """Change what is forgotten in one transaction that overwrites what it deletes."""
        if self._writer is None:
            raise StoreFailed(f"{self.path} was opened for reading only")
        for table in forget_pages.LATE_TABLES:
            self.sorter.prepare(table)
        try:
            with self._turn, forget_pages.overwriting(self._writer):
                return change(self._writer)
        except sqlite3.Error as error:
            raise explain_failure(self.path, error, "written") from error

    def compact(self) -> bool:
        """Write the file anew without free space; return whether the log is empty too."""
        if self._writer is None:
            raise StoreFailed(f"{self.path} was opened for reading only")
        try:
            with self._turn:
                return forget_pages.compact(self._writer)
        except sqlite3.Error as error:
            raise explain_failure(self.path, error, "written") from error

    def old_versions(self) -> list[OldVersion]:
        """Return the archived visits of pages whose latest version is another one, the oldest first."""
        found = self._query(
            "select visit.number, page, visit.warc, visit.warc_offset, when_s from visit join page on page.id = visit.page "
            "where visit.warc <> '' and result in ('fetched', 'not modified') "
            "and (visit.warc <> page.warc or visit.warc_offset <> page.warc_offset) order by when_s, visit.number"
        )
        return [OldVersion(*row) for row in found]

    def page_values(self) -> list[DatabaseRow]:
        """Return id, depth, time, digest of the text, URL and position of all pages."""
        return self._query("select id, depth, fetched_s, text_digest, url, warc, warc_offset from page")
