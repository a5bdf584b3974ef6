"""The store that keeps the state of a web in one SQLite file."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TypeVar

from gossamer.errors import StoreFailed, make_damage_error
from gossamer.records import Decision, HostNote, Page, PageLink, Request, Visit
from gossamer.store import record_rows
from gossamer.store.batch import Batch, LinkRow, TaskNote, Widening
from gossamer.store.record_rows import DatabaseRow
from gossamer.store.sqlite import erase, late_index
from gossamer.store.sqlite.erasable_state import ErasableState
from gossamer.store.sqlite.open_database import READ_ERRORS, explain_failure, open_reader, open_writer
from gossamer.store.sqlite.scan_tables import DECISION_COLUMNS, REQUEST_COLUMNS
from gossamer.store.sqlite.status_queries import VISIT_COLUMNS
from gossamer.store.sqlite.write_batch import LOTS, quote_columns, write_batch

_PAGE_COLUMNS = quote_columns(record_rows.PAGE_FIELDS)
_LINK_COLUMNS = "source, targets, kinds, texts"
_SELECT_REQUEST = f"select {REQUEST_COLUMNS} from request"
_COUNT = (
    "select coalesce((select max(number) from {0}), 0) - (select value from total where name = '{0} gaps')"
)
_COUNTS = {
    "pages": _COUNT.format("page"),
    "links": "select value from total where name = 'links'",
    "known": _COUNT.format("known"),
    "waiting": "select coalesce(sum(requests), 0) from waiting",
    "visits": _COUNT.format("visit"),
    "hosts": "select count(*) from host",
}
_AT_ONCE = 500
_ROWS_AT_ONCE = 100
Found = TypeVar("Found")


class SqliteStore(ErasableState):
    """The state of a web. Writers in several processes take turns; readers see whole batches."""

    def __init__(self, path: Path, create: bool = False, read_only: bool = False) -> None:
        self.path = path
        self._writer = None if read_only else open_writer(path, create)
        # Reads have their own connection, so that they do not see an unfinished commit of another thread.
        self._reader = open_reader(path, checked=not read_only)
        self._turn = threading.Lock()
        self.sorter = late_index.RowSorter(self._writer, self._turn)

    # Writing

    def commit(self, batch: Batch) -> None:
        """Write a batch in one transaction."""
        if self._writer is None:
            raise StoreFailed(f"{self.path} was opened for reading only")
        with self._turn:
            try:
                self._transact(self._writer, batch)
            except UnicodeEncodeError:
                self._transact(self._writer, record_rows.replace_surrogates(batch))

    def _transact(self, db: sqlite3.Connection, batch: Batch) -> None:
        try:
            db.execute("begin immediate")
            try:
                write_batch(db, batch)
                db.execute("commit")
            except BaseException:
                if db.in_transaction:
                    db.execute("rollback")
                raise
        except sqlite3.Error as error:
            raise explain_failure(self.path, error, "written") from error

    def rewrite_specs(self, specs: Mapping[int, bytes]) -> None:
        """Replace the options of some tasks, by number, and erase the old ones from the file, if it can be written."""
        if self._writer is not None:
            with self._turn, suppress(sqlite3.Error):
                erase.rewrite_specs(self._writer, specs)

    def finish_erasing(self) -> None:
        """Erase what a killed process has left of options that it replaced."""
        if self._writer is not None:
            with self._turn, suppress(sqlite3.Error):
                erase.finish_erasing(self._writer)

    # For the crawl

    def tasks(self) -> list[TaskNote]:
        """Return all tasks, oldest first."""
        return [record_rows.row_to_task(row) for row in self._query("select * from task order by number")]

    def count_remaining(self, task: int) -> int:
        """Count a task's remaining work in one snapshot. Cost: a scan of all inboxes."""
        # One statement sees one state: a request is in an inbox, waiting, or finished.
        found = self._query(
            "select counts, null from task where number = ? union all select null, request from inbox "
            "union all select null, null from widening where task = ?",
            (task, task),
        )
        counts = next((record_rows.decode_counts(packed) for packed, _ in found if packed is not None), {})
        sent = sum(
            record_rows.decode_request(packed).task == task for _, packed in found if packed is not None
        )
        widenings = found.count((None, None))
        return counts.get("queued", 0) - counts.get("finished", 0) + sent + widenings

    def seen_keys(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield the keys of all known pages and scheduled pages in numbered pieces, as packed 64-bit integers."""
        for number, packed in self._scan("seen", "number, keys", after):
            yield number, record_rows.check_keys(packed)

    def waiting_hosts(self, task: int, after: str = "", most: int = -1) -> list[str]:
        """Return hosts with requests of a task, sorted by name, after this name."""
        these = "select host from waiting where task = ? and host > ? order by host limit ?"
        return [host for (host,) in self._query(these, (task, after, most))]

    def count_waiting(self, host: str, task: int) -> int:
        """Count the waiting requests of a task at a host."""
        row = self._query_one("select requests from waiting where task = ? and host = ?", task, host)
        return int(row[0]) if row else 0

    def longest_queue(self) -> tuple[str, int]:
        """Return the host at which most requests wait, and how many; "" and 0 if none wait."""
        longest = "select host, sum(requests) from waiting group by host order by 2 desc limit 1"
        return next(iter(self._query(longest)), ("", 0))

    def count_waiting_by_depth(self) -> dict[int, int]:
        """Count the waiting requests of all tasks by depth. Cost: a scan of all of them."""
        return dict(self._query("select depth, count(*) from request group by depth order by depth"))

    def requests(self, host: str, task: int, most: int) -> list[Request]:
        """Return the best requests of a task at a host, best first."""
        lots = [lot for (lot,) in self._query(LOTS)]
        these = "where lot = ? and task = ? and host = ? order by rank, number limit ?"
        shares = dict.fromkeys(lots, most)
        if len(lots) > 1:
            # Keys first, rows second: most requests that are the best of their lot are not among the best of all.
            places = f"select rank, number, lot from request {these}"
            found = sorted(place for lot in lots for place in self._query(places, (lot, task, host, most)))
            shares = Counter(lot for _, _, lot in found[:most])
        asked = ((lot, task, host, share) for lot, share in shares.items())
        # Their types are not checked: the crawl takes each request from here.
        best = [Request(*row) for one in asked for row in self._query(f"{_SELECT_REQUEST} {these}", one)]
        return sorted(best, key=lambda request: (-request.priority, request.number))

    def pages_by_host(self, task: int) -> dict[str, int]:
        """Return the number of pages of each host that a task with a budget for each host has fetched."""
        return dict(self._query("select host, pages from budget where task = ?", (task,)))

    def decisions_by_rule(self, rule: str) -> list[Decision]:
        """Return the stored decisions of one rule, oldest first. Cost: a scan of all decisions."""
        found = f"select {DECISION_COLUMNS} from decision where rule = ? order by number"
        return [record_rows.row_to_record(Decision, row) for row in self._query(found, (rule,))]

    def inbox(self, shard: int, shards: int, after: int = 0, most: int = 1000) -> list[tuple[int, Request]]:
        """Return the inbox requests of one shard, oldest first, each with its number."""
        oldest = (
            "select number, request from inbox where number > ? and share % ? = ? order by number limit ?"
        )
        found = self._query(oldest, (after, shards, shard, most))
        return [(number, record_rows.decode_request(packed)) for number, packed in found]

    def widenings(self) -> list[Widening]:
        """Return the unfinished widenings, oldest first."""
        rows = self._query(
            f"select {quote_columns(Widening.__struct_fields__)} from widening order by number"
        )
        return [record_rows.row_to_record(Widening, row) for row in rows]

    def release_memory(self) -> None:
        """Forget what was read of the web: up to 160 MB of caches, once it is as large."""
        self._query("pragma shrink_memory")
        if self._writer is not None:
            with self._turn:
                self._writer.execute("pragma shrink_memory")

    def last_visit(self) -> int:
        """Return the number of the newest visit; 0 if there is none."""
        return int(self._query("select coalesce(max(number), 0) from visit")[0][0])

    def last_visit_s(self) -> float:
        """Return the time of the newest visit; 0 if there is none."""
        row = self._query_one("select when_s from visit order by number desc limit 1")
        return float(row[0]) if row else 0.0

    def visited_pages(self, task: int, after: int, upto: int, most: int) -> tuple[list[int], int]:
        """Return the pages with links that a task visited, each once, and the number of the last visit that was read."""
        these = (
            "select number, page, task = ? and result in ('fetched', 'not modified', 'redirected', 'cache hit') "
            "from visit where number > ? and number <= ? order by number limit ?"
        )
        found = self._query(these, (task, after, upto, most))
        pages = dict.fromkeys(page for _, page, is_wanted in found if is_wanted)
        return list(pages), found[-1][0] if len(found) == most else upto

    def host(self, name: str) -> HostNote | None:
        """Return the note of a host; None if there is none."""
        row = self._query_one("select * from host where name = ?", name)
        return record_rows.row_to_record(HostNote, row) if row else None

    def note(self, room: str, name: str) -> bytes | None:
        """Return a room's note of this name; None if there is none."""
        row = self._query_one("select value from note where room = ? and name = ?", room, name)
        return row[0] if row else None

    def notes(self, room: str, after: str = "", most: int = -1) -> list[tuple[str, bytes]]:
        """Return notes of a room, sorted by name, after this name."""
        these = "select name, value from note where room = ? and name > ? order by name limit ?"
        return list(self._query(these, (room, after, most)))

    def archive_ends(self) -> dict[str, int]:
        """Return the WARC files and the committed length of each."""
        ends: dict[str, int] = dict(self._query("select warc, bytes from archive"))
        if not all(type(name) is str and type(length) is int for name, length in ends.items()):
            raise make_damage_error("the list of WARC files")
        return ends

    def pages_by_digest(self, digests: Iterable[str]) -> dict[str, Page]:
        """Return the first page with each of these payload digests; digests without a page are left out."""
        # One look-up for each: of an error page that a million URLs share, only the first row is read.
        first = "(select number from page where digest = wanted.payload order by number limit 1)"
        select = f"select {_PAGE_COLUMNS} from wanted join page on page.number = {first}"
        found: dict[str, Page] = {}
        wanted = iter(digests)
        while some := list(islice(wanted, _AT_ONCE)):
            values = ", ".join(["(?)"] * len(some))
            pages = map(
                record_rows.row_to_page,
                self._query(f"with wanted (payload) as (values {values}) {select}", some),
            )
            found.update((page.digest, page) for page in pages)
        return found

    def last_number(self) -> int:
        """Return the highest request number ever used."""
        return record_rows.to_count(self._query_one("select value from total where name = 'last_number'"))

    # For people

    def page(self, page_id: int) -> Page | None:
        """Return the latest version of a page; None if it was never fetched."""
        return self.pages_by_id([page_id]).get(page_id)

    def pages_by_id(self, page_ids: Iterable[int]) -> dict[int, Page]:
        """Return the latest versions of those of these pages that were fetched."""
        found: dict[int, Page] = {}
        wanted = iter(page_ids)
        while some := list(islice(wanted, _AT_ONCE)):
            these = f"select {_PAGE_COLUMNS} from page where id in ({_placeholders(some)})"
            found.update((page.id, page) for page in map(record_rows.row_to_page, self._query(these, some)))
        return found

    def pages(self) -> Iterator[Page]:
        """Yield all pages in order of arrival."""
        for row in self._scan("page", _PAGE_COLUMNS):
            yield record_rows.row_to_page(row)

    def url(self, page_id: int) -> str | None:
        """Return the URL of a known page, fetched or not."""
        return self.urls([page_id]).get(page_id)

    def page_urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that were fetched."""
        found: dict[int, str] = {}
        wanted = iter(page_ids)
        while some := list(islice(wanted, _AT_ONCE)):
            found.update(self._query(f"select id, url from page where id in ({_placeholders(some)})", some))
        if not all(type(url) is str for url in found.values()):
            raise make_damage_error("the URL of a page")
        return found

    def urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that are known, fetched or not."""
        wanted = set(page_ids)
        found = self.page_urls(wanted)
        missing = iter(wanted - found.keys())
        while some := list(islice(missing, _AT_ONCE)):
            found.update((row[0], row[1]) for row in self._rows_of_pages("known", "id, url", some))
        if not all(type(url) is str for url in found.values()):
            raise make_damage_error("the URL of a page")
        return found

    def links_to(self, page_id: int, most: int = 100) -> list[PageLink]:
        """Return up to `most` links to a page, in the order in which their pages were read."""
        leading: list[PageLink] = []
        for row in self._rows_of_pages("link", _LINK_COLUMNS, [page_id]):
            leading.extend(record_rows.unpack_links_to(page_id, *row))
            if len(leading) >= most:
                break
        return leading[:most]

    def count_links_to(self, page_id: int) -> int:
        """Count all links to a page."""
        return self._look_up("link", lambda db: late_index.count_targets(db, page_id))

    def links_from(self, page_id: int) -> list[PageLink]:
        """Return the links of a page's latest version, in page order."""
        found = f"select {_LINK_COLUMNS} from link where source = ? order by number"
        return [link for row in self._query(found, (page_id,)) for link in record_rows.unpack_links(*row)]

    def links(self) -> Iterator[PageLink]:
        """Yield all links, page by page."""
        for row in self._scan("link", _LINK_COLUMNS):
            yield from record_rows.unpack_links(*row)

    def link_rows(self) -> Iterator[LinkRow]:
        """Yield all links in packed form, page by page."""
        for row in self._scan("link", f"number, {_LINK_COLUMNS}"):
            yield record_rows.check_links(row)

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Yield all redirects: ids of the redirecting and the target address. Cost: a scan, a microsecond a page."""
        kinds = [bytes([kind]) for kind in record_rows.REDIRECTS]
        has_one = " or ".join(["instr(kinds, ?)"] * len(kinds))
        for row in self._query(f"select {_LINK_COLUMNS} from link where {has_one} order by number", kinds):
            yield from (
                (link.source, link.target)
                for link in record_rows.unpack_links(*row)
                if link.type == "redirect"
            )

    def link_texts(self, numbers: Iterable[int]) -> dict[int, list[str]]:
        """Return the link texts of some rows; deleted rows are left out."""
        found: dict[int, list[str]] = {}
        wanted = iter(numbers)
        while some := list(islice(wanted, _AT_ONCE)):
            these = self._query(
                f"select number, texts from link where number in ({_placeholders(some)})", some
            )
            found.update((number, record_rows.unpack_link_texts(packed)) for number, packed in these)
        return found

    def visits(self, page_id: int) -> list[Visit]:
        """Return all visits to a page, oldest first."""
        return self.visits_of_pages([page_id]).get(page_id, [])

    def visits_of_pages(self, page_ids: Iterable[int]) -> dict[int, list[Visit]]:
        """Return all visits to each of these pages, oldest first; pages without one are left out."""
        found: dict[int, list[Visit]] = {}
        wanted = iter(page_ids)
        while some := list(islice(wanted, _AT_ONCE)):
            for row in self._rows_of_pages("visit", VISIT_COLUMNS, some):
                visit = record_rows.row_to_record(Visit, row)
                found.setdefault(visit.page, []).append(visit)
        return found

    def all_visits(self) -> Iterator[Visit]:
        """Yield all visits, oldest first."""
        for row in self._scan("visit", VISIT_COLUMNS):
            yield record_rows.row_to_record(Visit, row)

    def decisions(self, page_id: int) -> list[Decision]:
        """Return the stored decisions about a page, oldest first."""
        rows = self._rows_of_pages("decision", DECISION_COLUMNS, [page_id])
        return [record_rows.row_to_record(Decision, row) for row in rows]

    def request(self, page_id: int, task: int, host: str = "") -> Request | None:
        """Return the request for a page, if it waits or is in an inbox. Cost: a scan of its host's requests and inboxes."""
        if not host:
            if (url := self.url(page_id)) is None:
                return None
            host = url.split("/", 3)[2]
        asked = f"{_SELECT_REQUEST} where lot = ? and task = ? and host = ? and id = ?"
        found = (self._query_one(asked, lot, task, host, page_id) for (lot,) in self._query(LOTS))
        waiting = next((record_rows.row_to_record(Request, row) for row in found if row), None)
        return waiting or next(
            (one for _, one in self.inbox(0, 1, most=-1) if one.id == page_id and one.task == task), None
        )

    def counts(self) -> dict[str, int]:
        """Count pages, links, known URLs, waiting requests, visits and hosts."""
        return {name: record_rows.to_count(self._query_one(query)) for name, query in _COUNTS.items()}

    def count_page_kinds(self) -> list[tuple[bool, int, str, int]]:
        """Count pages by whether they may be indexed, status and kind. Cost: a scan of all pages."""
        found = self._query('select "index", status, kind, count(*) from page group by 1, 2, 3')
        return [(bool(index), status, kind, pages) for index, status, kind, pages in found]

    def close(self) -> None:
        """Close the connections."""
        self._reader.close()
        if self._writer is not None:
            self._writer.close()

    # Queries

    def _look_up(self, table: str, look: Callable[[sqlite3.Connection], Found]) -> Found:
        """Look something up in the late index of a table, after its new rows are sorted."""
        self.sorter.prepare(table)
        try:
            return look(self._reader)
        except READ_ERRORS as error:
            raise explain_failure(self.path, error, "read") from error

    def _rows_of_pages(self, table: str, columns: str, keys: Sequence[int]) -> Iterator[DatabaseRow]:
        """Yield the rows of a table that belong to some pages, in order of arrival."""
        numbers = self._look_up(table, lambda db: late_index.find_rows(db, table, keys))
        # Some at once: of a page with ten thousand links, a query for each takes three times as long.
        while some := self._take_numbers(numbers):
            these = f"select {columns} from {table} where number in ({_placeholders(some)}) order by number"
            yield from self._query(these, some)

    def _take_numbers(self, numbers: Iterator[int]) -> list[int]:
        """Return the next numbers of rows, which are looked up meanwhile."""
        try:
            return list(islice(numbers, _ROWS_AT_ONCE))
        except READ_ERRORS as error:
            raise explain_failure(self.path, error, "read") from error


def _placeholders(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
