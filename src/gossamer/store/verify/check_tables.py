"""Check the state of a web in a database: ids, links, visits, what columns hold, and totals; all as it was at one moment.

The server keeps the types of columns and its own checksums, so this checks only what it cannot know.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np

from gossamer.net import url as urls
from gossamer.records import Request
from gossamer.store.postgres.reading.snapshot import PostgresSnapshot
from gossamer.store.verify.check_links import Ids, check_links, report_unknown
from gossamer.store.verify.check_pages import PageRow
from gossamer.store.verify.findings import Findings

OnRows = Callable[[int], None]

TABLES = ("page", "known", "link", "visit")
TOTALS = (
    ("pages", "select coalesce(sum(pages), 0)::bigint from total", "select count(*) from page"),
    (
        "links",
        "select coalesce(sum(links), 0)::bigint from total",
        "select coalesce(sum(links), 0)::bigint from link",
    ),
    ("known", "select coalesce(sum(known), 0)::bigint from total", "select count(*) from known"),
    ("visits", "select coalesce(sum(visits), 0)::bigint from total", "select count(*) from visit"),
    (
        "waiting requests",
        "select coalesce(sum(requests), 0)::bigint from waiting",
        "select count(*) from request",
    ),
)
"""Stored totals: name, query of the stored value, query that counts."""
_DECODE: tuple[tuple[str, str, str, Callable[[bytes], object]], ...] = (
    ("page", "url", "marks", msgspec.json.Decoder(dict[str, str]).decode),
    ("task", "name", "spec", msgspec.json.Decoder(dict[str, Any]).decode),
    ("inbox", "page::text", "request", msgspec.msgpack.Decoder(Request).decode),
)
_VISITS = (
    "select number, page, ''::text, '\\x7b7d'::bytea, warc, warc_offset, status, ''::text from visit "
    "where warc <> '' order by number"
)
_PAGES = "select number, id, url, marks, warc, warc_offset, status, digest from page order by number"


class DatabasePageRows:
    """The pages and visits of a web in a database."""

    def __init__(self, state: PostgresSnapshot) -> None:
        self._state = state

    def read_pages(self) -> Iterator[list[PageRow]]:
        """Yield pages."""
        return self._state.read_rows(_PAGES)

    def read_visits(self) -> Iterator[list[PageRow]]:
        """Yield visits that are in the archive."""
        return self._state.read_rows(_VISITS)

    def read_visited(self) -> Iterator[int]:
        """Yield the pages of these visits."""
        for rows in self._state.read_rows("select page from visit where warc <> ''"):
            yield from (page for (page,) in rows)


class TableCheck:
    """Checks the tables of a web. Cost: two passes over its rows; memory for the ids of all known pages, 8 bytes each."""

    def __init__(self, state: PostgresSnapshot, findings: Findings) -> None:
        self._state = state
        self._findings = findings

    def count_rows(self) -> int:
        """Count the rows of the large tables, as far as totals say."""
        return sum(self._state.read_number(stored) for _, stored, _ in TOTALS)

    def check(self, on_rows: OnRows) -> None:
        """Check everything; `on_rows` receives how many rows were read since its last call."""
        for table, name, column, decode in _DECODE:
            self._check_column(table, name, column, decode)
        known = self._read_known(on_rows)
        self._check_links(known, on_rows)
        for rows in self._state.read_rows("select page from visit"):
            report_unknown(
                "unknown visit", np.array([page for (page,) in rows], np.int64), known, self._findings
            )
            self._findings.check("rows of visit", len(rows))
            on_rows(len(rows))
        for name, stored, counted in TOTALS:
            right, wrong = self._state.read_number(counted), self._state.read_number(stored)
            if right != wrong:
                self._findings.add("totals", f"{name}: {wrong:,} instead of {right:,}")

    def _check_column(self, table: str, name: str, column: str, decode: Callable[[bytes], object]) -> None:
        for rows in self._state.read_rows(f"select {name}, {column} from {table}"):  # noqa: S608 - names written here
            for where, value in rows:
                try:
                    decode(value)
                except (ValueError, TypeError, msgspec.MsgspecError) as error:
                    what = where.decode("utf-8", "replace") if isinstance(where, bytes) else where
                    self._findings.add("unreadable row", f"{table} {str(what)[:100]}: {error}")

    def _read_known(self, on_rows: OnRows) -> Ids:
        """Check the ids of all known pages; return them, ascending, with 0, the source of start pages."""
        found = [np.zeros(1, np.int64)]
        for table in ("page", "known"):
            for rows in self._state.read_rows(f"select id, url from {table}"):  # noqa: S608 - names written here
                for page_id, url in rows:
                    if urls.page_id(text := url.decode("utf-8", "replace")) != page_id:
                        self._findings.add("wrong id", text)
                found.append(np.array([page_id for page_id, _ in rows], np.int64))
                self._findings.check(f"rows of {table}", len(rows))
                on_rows(len(rows))
        return np.unique(np.concatenate(found))

    def _check_links(self, known: Ids, on_rows: OnRows) -> None:
        for rows in self._state.read_rows(
            "select number, source, links, targets, kinds, texts from link order by number"
        ):
            check_links(rows, known, self._findings)
            on_rows(len(rows))
