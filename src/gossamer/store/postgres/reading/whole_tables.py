"""Read whole tables of a web: in pieces for a copy of it, and to count their rows."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import random
from collections.abc import Iterator, Sequence

from gossamer.records import Decision, HostNote, Request
from gossamer.store import record_rows
from gossamer.store.postgres.binary_columns import restore_nul
from gossamer.store.postgres.connect import Row, Session, Statement
from gossamer.store.postgres.reading import queries
from gossamer.store.postgres.reading.scan_table import scan_table
from gossamer.store.postgres.write_batch import quote_columns

_HOST_KEY = (("name", "text"),)
_BUDGET_KEY = (("task", "integer"), ("host", "text"))
_REQUEST_KEY = (
    ("share", "integer"),
    ("task", "integer"),
    ("host", "text"),
    ("rank", "float8"),
    ("number", "bigint"),
)
_KNOWN_KEY = (("id", "bigint"),)
_AT_ONCE = 1000


class WholeTables:
    """What a copy reads of a web. The keys of tables order these reads, so that each piece begins where the last one ended."""

    _reader: Session

    def known_urls(self) -> Iterator[tuple[int, str]]:
        """Yield the ids and URLs of all pages that were discovered, each once."""
        return ((page_id, url) for page_id, url in self._scan_by_key("known", _KNOWN_KEY, "id, url"))

    def sample_urls(self, most: int, seed: int) -> list[tuple[int, str]]:
        """Return the ids and URLs of a uniform sample of the known pages.

        Ids are hashes of URLs: those that follow a random number are a random sample.
        """
        start = random.Random(seed).getrandbits(64) - (1 << 63)
        piece = "select id, url from known where id {} %s order by id limit %s"
        found = self._reader.query(piece.format(">="), (start, most))
        if len(found) < most:
            found += self._reader.query(piece.format("<"), (start, most - len(found)))
        return [(page_id, url) for page_id, url in found]

    def all_hosts(self) -> Iterator[HostNote]:
        """Yield the notes of all hosts."""
        columns = quote_columns(HostNote.__struct_fields__)
        for row in self._scan_by_key("host", _HOST_KEY, columns):
            yield record_rows.row_to_record(HostNote, row)

    def all_requests(self) -> Iterator[Request]:
        """Yield all waiting requests of all tasks."""
        for row in self._scan_by_key("request", _REQUEST_KEY, queries.REQUEST_COLUMNS):
            yield record_rows.row_to_record(Request, row)

    def all_sent(self) -> Iterator[tuple[int, Request]]:
        """Yield all requests that are in an inbox, oldest first, each with its host's share of the web."""
        for share, packed in scan_table(self._reader, "inbox", "share, request"):
            yield share, record_rows.decode_request(packed)

    def all_decisions(self) -> Iterator[Decision]:
        """Yield all stored decisions, oldest first."""
        for row in scan_table(self._reader, "decision", queries.DECISION_COLUMNS):
            yield queries.to_decision(row)

    def all_budgets(self) -> Iterator[tuple[int, str, int]]:
        """Yield tasks with a budget for each host, hosts, and the number of pages fetched from each so far."""
        yield from self._scan_by_key("budget", _BUDGET_KEY, "task, host, pages")

    def rooms(self) -> list[str]:
        """Return the rooms that have notes, sorted. Cost: a look-up for each."""
        found: list[str] = []
        following = "select room from note where room > %s order by room limit 1"
        while rows := self._reader.query(following, (found[-1] if found else "",)):
            found.append(rows[0][0])
        return [restore_nul(room) for room in found]

    def count_visits(self, upto: int) -> int:
        """Count the visits up to this number."""
        found = self._reader.query("select count(*) from visit where number <= %s::bigint", (upto,))
        return record_rows.to_count(found[0])

    def count_waiting_by_depth(self) -> dict[int, int]:
        """Count the waiting requests of all tasks by depth. Cost: a scan of all of them."""
        return dict(self._count_all("select depth, count(*) from request group by depth order by depth"))

    def count_page_kinds(self) -> list[tuple[bool, int, str, int]]:
        """Count pages by whether they may be indexed, status and kind. Cost: a scan of all pages."""
        found = self._count_all(
            'select "index", status, kind, count(*) from page group by 1, 2, 3 order by 1, 2, 3'
        )
        return [(bool(index), status, kind, pages) for index, status, kind, pages in found]

    def _count_all(self, query: str) -> list[Row]:
        """Return the rows of a query that reads a whole table."""
        return self._reader.transact([Statement("set local enable_seqscan = on"), Statement(query)])[1]

    def _scan_by_key(self, table: str, key: Sequence[tuple[str, str]], columns: str) -> Iterator[Row]:
        """Yield a table in the order of a key, read in pieces; of rows with the same key, perhaps only one."""
        names, width = quote_columns(name for name, _ in key), len(key)
        places = ", ".join(f"%s::{kind}" for _, kind in key)
        select = f"select {names}, {columns} from {table}"
        found = self._reader.query(f"{select} order by {names} limit %s", (_AT_ONCE,))
        while found:
            yield from (row[width:] for row in found)
            after = f"{select} where ({names}) > ({places}) order by {names} limit %s"
            found = self._reader.query(after, (*found[-1][:width], _AT_ONCE))
