"""Read whole tables of a web in pieces, so that a long scan blocks no writer and takes little memory."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import random
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gossamer.errors import make_damage_error
from gossamer.records import Decision, HostNote, Request
from gossamer.store import record_rows
from gossamer.store.record_rows import DatabaseRow
from gossamer.store.sqlite.open_database import READ_ERRORS, explain_failure
from gossamer.store.sqlite.write_batch import quote_columns

DECISION_COLUMNS = quote_columns(Decision.__struct_fields__)
REQUEST_COLUMNS = "id, url, host, task, depth, -rank, parent, type, attempt, number, hops"
_REQUEST_KEY = ("lot", "task", "host", "rank", "number")
_AT_ONCE = 500


class TableScans:
    """The reader of a web, and what it reads as a whole."""

    path: Path
    _reader: sqlite3.Connection

    def known_urls(self) -> Iterator[tuple[int, str]]:
        """Yield the ids and URLs of all pages that were discovered, each once."""
        for page_id, url in self._scan("known", "id, url"):
            if type(page_id) is not int or type(url) is not str:
                raise make_damage_error("the URL of a page")
            yield page_id, url

    def sample_urls(self, most: int, seed: int) -> list[tuple[int, str]]:
        """Return the ids and URLs of a uniform sample of the known pages. Cost: a look-up for each."""
        last = record_rows.to_count(self._query_one("select coalesce(max(number), 0) from known"))
        chosen = sorted(random.Random(seed).sample(range(1, last + 1), min(most, last)))
        found: list[tuple[int, str]] = []
        for at in range(0, len(chosen), _AT_ONCE):
            some = chosen[at : at + _AT_ONCE]
            these = f"select id, url from known where number in ({', '.join('?' * len(some))})"
            found += [(page_id, url) for page_id, url in self._query(these, some)]
        return found

    def all_hosts(self) -> Iterator[HostNote]:
        """Yield the notes of all hosts."""
        for row in self._scan_by_key("host", ("name",), "*"):
            yield record_rows.row_to_record(HostNote, row)

    def all_requests(self) -> Iterator[Request]:
        """Yield all waiting requests of all tasks."""
        for row in self._scan_by_key("request", _REQUEST_KEY, REQUEST_COLUMNS):
            yield record_rows.row_to_record(Request, row)

    def all_sent(self) -> Iterator[tuple[int, Request]]:
        """Yield all requests that are in an inbox, oldest first, each with its host's share of the web."""
        for share, packed in self._scan("inbox", "share, request"):
            yield share, record_rows.decode_request(packed)

    def all_decisions(self) -> Iterator[Decision]:
        """Yield all stored decisions, oldest first."""
        for row in self._scan("decision", DECISION_COLUMNS):
            yield record_rows.row_to_record(Decision, row)

    def all_budgets(self) -> Iterator[tuple[int, str, int]]:
        """Yield tasks with a budget for each host, hosts, and the number of pages fetched from each so far."""
        yield from self._scan_by_key("budget", ("task", "host"), "task, host, pages")

    def rooms(self) -> list[str]:
        """Return the rooms that have notes, sorted."""
        return [room for (room,) in self._query("select distinct room from note order by room")]

    def count_visits(self, upto: int) -> int:
        """Count the visits up to this number."""
        return record_rows.to_count(self._query_one("select count(*) from visit where number <= ?", upto))

    # Queries

    def _query(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[DatabaseRow]:
        try:
            return self._reader.execute(query, values).fetchall()
        except READ_ERRORS as error:
            raise explain_failure(self.path, error, "read") from error

    def _query_one(self, query: str, *values: int | str) -> DatabaseRow | None:
        found = self._query(query, values)
        return found[0] if found else None

    def _scan(self, table: str, columns: str, after: int = 0) -> Iterator[DatabaseRow]:
        """Yield a table in order of arrival, read in pieces: a long scan blocks no writer and sees new rows."""
        piece = f"select number, {columns} from {table} where number > ? order by number limit ?"
        last = after
        while found := self._query(piece, (last, _AT_ONCE)):
            last = found[-1][0]
            yield from (row[1:] for row in found)

    def _scan_by_key(self, table: str, key: Sequence[str], columns: str) -> Iterator[DatabaseRow]:
        """Yield a table in the order of its primary key, read in pieces."""
        names, width = quote_columns(key), len(key)
        select = f"select {names}, {columns} from {table}"
        after = f"where ({names}) > ({', '.join('?' * width)})"
        found = self._query(f"{select} order by {names} limit ?", (_AT_ONCE,))
        while found:
            yield from (row[width:] for row in found)
            found = self._query(f"{select} {after} order by {names} limit ?", (*found[-1][:width], _AT_ONCE))
