"""The store that keeps the state of a web in PostgreSQL."""

# ruff: noqa: S608 - only names of tables and columns written here go into queries; values are always bound

import secrets
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from gossamer.errors import GossamerError, StoreAway, StoreFailed
from gossamer.records import Decision, HostNote, Page, PageLink, Request, Visit
from gossamer.store import record_rows
from gossamer.store.batch import Batch, LinkRow, TaskNote, Widening
from gossamer.store.postgres.address import Address, parse_address
from gossamer.store.postgres.binary_columns import (
    Int2s,
    Int8s,
    Texts,
    escape_nul,
    pack_array,
)
from gossamer.store.postgres.connect import BatchKnown, Row, Session, Statement
from gossamer.store.postgres.coordination.leases import Fence
from gossamer.store.postgres.open_schema import open_schema
from gossamer.store.postgres.reading import late_links, queries
from gossamer.store.postgres.reading.scan_table import scan_settled, scan_table
from gossamer.store.postgres.reading.status_queries import StatusQueries
from gossamer.store.postgres.schema import SLOTS
from gossamer.store.postgres.share_groups import GROUP_BITS, NO_GROUP, host_of, share_of
from gossamer.store.postgres.write_batch import plan_batch

_AT_ONCE = 500
_GROUPS_AT_ONCE = 16
_KEYS_AT_ONCE = 4000


class PostgresStore(StatusQueries):
    """The state of a web. Writers on many machines write at the same time; readers see whole batches."""

    def __init__(
        self,
        address: Address | str,
        create: bool = False,
        read_only: bool = False,
        allow_unfinished: bool = False,
    ) -> None:
        self.address = parse_address(address) if isinstance(address, str) else address
        open_schema(self.address, create and not read_only, not read_only, allow_unfinished)
        # Reads have their own connection, so that they do not wait for a commit of another thread.
        self._reader = Session(self.address, read_only=read_only)
        self._writer = None if read_only else Session(self.address)
        self._writer_id = secrets.randbits(63)
        self._slot = self._writer_id % SLOTS
        self._batch_number = 0
        self._in_doubt: Batch | None = None
        """The batch whose commit got no answer."""

    @property
    def round_trips(self) -> int:
        """How often this store has waited for the server."""
        return self._reader.round_trips + (self._writer.round_trips if self._writer else 0)

    # Writing

    def commit(self, batch: Batch, fence: Fence | None = None, key_shares: Sequence[int] = ()) -> None:
        """Write a batch in one transaction.

        With a fence, raise `LeaseLost` if one of its leases is another fetcher's now. `key_shares` has the share of each
        key in `batch.scheduled`. After `StoreAway`, commit the same batch again: it is written once.
        """
        if self._writer is None:
            raise StoreFailed(f"{self.address} was opened for reading only")
        try:
            steps = plan_batch(batch, self._slot, key_shares)
        except UnicodeEncodeError:
            steps = plan_batch(record_rows.replace_surrogates(batch), self._slot, key_shares)
        with self._writer.hold():
            if batch is not self._in_doubt:
                self._batch_number += 1
            mine = Statement(
                "select begin_batch(%s, %s, %s)", (self._writer_id, self._batch_number, self._slot)
            )
            self._in_doubt = batch  # until there is an answer: also when this thread is interrupted
            try:
                self._writer.transact([mine, *(fence.plan() if fence else ()), *steps])
            except StoreAway:
                raise
            except BatchKnown:
                pass
            except GossamerError:
                self._in_doubt = None
                raise
            self._in_doubt = None

    # For the crawl

    def tasks(self) -> list[TaskNote]:
        """Return all tasks, oldest first."""
        return queries.to_tasks(self._ask(queries.ask_tasks()))

    def count_remaining(self, task: int) -> int:
        """Count a task's remaining work in one snapshot. Cost: a scan of all inboxes."""
        return record_rows.to_count(self._query_one(queries.REMAINING, task, task, task, task))

    def seen_keys(self, after: int = 0, groups: Collection[int] | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield the keys of all known pages and scheduled pages in numbered pieces, as packed 64-bit integers.

        A piece that may not be the last with its number repeats an earlier number, so that it is read again. With
        `groups`, yield all keys of these groups of shares, and those without a group; their pieces have the number 0.
        """
        if groups is not None:
            yield from self._seen_keys_of_groups(groups)
            return
        last = after
        for number, packed in scan_settled(self._reader, "seen", "keys", after, _KEYS_AT_ONCE):
            last = number
            yield number, record_rows.check_keys(packed)
        tail = "select keys from seen where number > %s order by number"
        for (packed,) in self._query(tail, last):
            yield last, record_rows.check_keys(packed)

    def _seen_keys_of_groups(self, groups: Collection[int]) -> Iterator[tuple[int, bytes]]:
        for (packed,) in scan_table(self._reader, "seen", "keys", f"share_group = {NO_GROUP}"):
            yield 0, record_rows.check_keys(packed)
        wanted = iter(sorted(groups))
        together = "select string_agg(keys, '') from seen where share_group = any(%s)"
        while some := list(islice(wanted, _GROUPS_AT_ONCE)):
            for (packed,) in self._query(together, pack_array(Int2s, some)):
                yield 0, record_rows.check_keys(packed or b"")

    def waiting_hosts(
        self, task: int, after: str = "", most: int = -1, groups: Collection[int] | None = None
    ) -> list[str]:
        """Return hosts with requests of a task, sorted by name, after this name; with `groups`, theirs only."""
        mine = "" if groups is None else f"and (share >> {GROUP_BITS}) = any(%s) "
        these = f"select host from waiting where task = %s and host > %s {mine}order by host limit %s"
        held = () if groups is None else (pack_array(Int2s, [*groups]),)
        return [host for (host,) in self._query(these, task, after, *held, queries.limit(most))]

    def count_waiting(self, host: str, task: int) -> int:
        """Count the waiting requests of a task at a host."""
        return record_rows.to_count(
            self._query_one("select requests from waiting where task = %s and host = %s", task, host)
        )

    def longest_queue(self) -> tuple[str, int]:
        """Return the host at which most requests wait, and how many; "" and 0 if none wait."""
        longest = "select host, sum(requests)::bigint from waiting group by host order by 2 desc, 1 limit 1"
        return next(((host, requests) for host, requests in self._query(longest)), ("", 0))

    def requests(self, host: str, task: int, most: int) -> list[Request]:
        """Return the best requests of a task at a host, best first."""
        return self.requests_of_hosts([(host, task, most)])[0]

    def requests_of_hosts(self, places: Sequence[queries.Place]) -> list[list[Request]]:
        """Return the best requests of many hosts and tasks in one round trip, for each place in its order."""
        return queries.read_requests(self._reader, places)

    def pages_by_host(self, task: int) -> dict[str, int]:
        """Return the number of pages of each host that a task with a budget for each host has fetched."""
        return dict(self._query("select host, pages from budget where task = %s", task))

    def decisions_by_rule(self, rule: str) -> list[Decision]:
        """Return the stored decisions of one rule, oldest first. Cost: a scan of all decisions."""
        found = f"select {queries.DECISION_COLUMNS} from decision where rule = %s order by number"
        return [queries.to_decision(row) for row in self._query(found, escape_nul(rule))]

    def inbox(
        self,
        shard: int,
        shards: int,
        after: int = 0,
        most: int = 1000,
        groups: Collection[int] | None = None,
    ) -> list[tuple[int, Request]]:
        """Return the inbox requests of one shard, or those of some groups of shares, oldest first, with their numbers.

        Entries appear in the order of their numbers, however many writers there are.
        """
        return queries.to_inbox(self._ask(queries.ask_inbox(shard, shards, after, most, groups)))

    def widenings(self) -> list[Widening]:
        """Return the unfinished widenings, oldest first."""
        return queries.to_widenings(self._ask(queries.ask_widenings()))

    def release_memory(self) -> None:
        """Do nothing: the server has the caches."""

    def last_visit(self) -> int:
        """Return the number of the newest visit; 0 if there is none."""
        return record_rows.to_count(self._query_one("select coalesce(max(number), 0) from visit"))

    def last_visit_s(self) -> float:
        """Return the time of the newest visit; 0 if there is none."""
        row = self._query_one("select when_s from visit order by number desc limit 1")
        return float(row[0]) if row else 0.0

    def visited_pages(self, task: int, after: int, upto: int, most: int) -> tuple[list[int], int]:
        """Return the pages with links that a task visited, each once, and the number of the last visit that was read."""
        these = (
            "select number, page, task = %s and result in ('fetched', 'not modified', 'redirected', 'cache hit') "
            "from visit where number > %s and number <= %s order by number limit %s"
        )
        found = self._query(these, task, after, upto, most)
        pages = dict.fromkeys(page for _, page, is_wanted in found if is_wanted)
        return list(pages), found[-1][0] if len(found) == most else upto

    def host(self, name: str) -> HostNote | None:
        """Return the note of a host; None if there is none."""
        return self.hosts([name]).get(name)

    def hosts(self, names: Iterable[str]) -> dict[str, HostNote]:
        """Return the notes of many hosts in one round trip; hosts without a note are left out."""
        return queries.read_hosts(self._reader, names)

    def host_names(self) -> list[str]:
        """Return the names of all hosts that have a note."""
        return [name for (name,) in self._query("select name from host")]

    def has_fetchers(self) -> bool:
        """Say whether a fetcher is present."""
        found = self._query("select exists (select from fetcher where expires > clock_timestamp())")
        return bool(found[0][0])

    def note(self, room: str, name: str) -> bytes | None:
        """Return a room's note of this name; None if there is none."""
        place = escape_nul(room), escape_nul(name)
        row = self._query_one("select value from note where room = %s and name = %s", *place)
        return row[0] if row else None

    def notes(self, room: str, after: str = "", most: int = -1) -> list[tuple[str, bytes]]:
        """Return notes of a room, sorted by name, after this name."""
        return queries.to_notes(self._ask(queries.ask_notes(room, after, most)))

    def archive_ends(self) -> dict[str, int]:
        """Return the WARC files and the committed length of each."""
        return dict(self._query("select warc, bytes from archive"))

    def pages_by_digest(self, digests: Iterable[str]) -> dict[str, Page]:
        """Return the first page with each of these payload digests; digests without a page are left out."""
        # One look-up for each: of an error page that a million URLs share, only the first row is read.
        first = (
            f"select {queries.PAGE_COLUMNS} from unnest(%s) as wanted (payload) cross join lateral "
            "(select * from page where digest = wanted.payload order by number limit 1) as page"
        )
        rows = self._query_for(first, Texts, sorted(set(digests)))
        return {page.digest: page for page in map(queries.to_page, rows)}

    def last_number(self) -> int:
        """Return the highest request number ever used."""
        return record_rows.to_count(self._query_one("select coalesce(max(last_number), 0) from total"))

    # For people

    def page(self, page_id: int) -> Page | None:
        """Return the latest version of a page; None if it was never fetched."""
        return self.pages_by_id([page_id]).get(page_id)

    def pages_by_id(self, page_ids: Iterable[int]) -> dict[int, Page]:
        """Return the latest versions of those of these pages that were fetched."""
        these = f"select {queries.PAGE_COLUMNS} from page where id = any(%s)"
        return {page.id: page for page in map(queries.to_page, self._query_for(these, Int8s, page_ids))}

    def pages(self) -> Iterator[Page]:
        """Yield all pages in order of arrival."""
        for row in scan_table(self._reader, "page", queries.PAGE_COLUMNS):
            yield queries.to_page(row)

    def url(self, page_id: int) -> str | None:
        """Return the URL of a known page, fetched or not."""
        return self.urls([page_id]).get(page_id)

    def page_urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that were fetched."""
        these = queries.URLS.format(table="page")
        return dict(self._query_for(these, Int8s, page_ids))

    def urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that are known, fetched or not."""
        wanted = set(page_ids)
        found = self.page_urls(wanted)
        these = queries.URLS.format(table="known")
        found.update(self._query_for(these, Int8s, wanted - found.keys()))
        return found

    def links_to(self, page_id: int, most: int = 100) -> list[PageLink]:
        """Return up to `most` links to a page, in the order in which their pages were read."""
        leading: list[PageLink] = []
        numbers = late_links.find_rows(self._reader, self._writer, page_id)
        these = f"select {queries.LINK_COLUMNS} from link where number = any(%s) order by number"
        for row in self._query_for(these, Int8s, numbers):
            leading.extend(record_rows.unpack_links_to(page_id, *row))
            if len(leading) >= most:
                break
        return leading[:most]

    def count_links_to(self, page_id: int) -> int:
        """Count all links to a page."""
        return late_links.count_targets(self._reader, self._writer, page_id)

    def links_from(self, page_id: int) -> list[PageLink]:
        """Return the links of a page's latest version, in page order."""
        found = f"select {queries.LINK_COLUMNS} from link where source = %s::bigint order by number"
        return [link for row in self._query(found, page_id) for link in record_rows.unpack_links(*row)]

    def links(self) -> Iterator[PageLink]:
        """Yield all links, page by page."""
        for row in scan_table(self._reader, "link", queries.LINK_COLUMNS):
            yield from record_rows.unpack_links(*row)

    def link_rows(self) -> Iterator[LinkRow]:
        """Yield all links in packed form, page by page."""
        for row in scan_table(self._reader, "link", f"number, {queries.LINK_COLUMNS}"):
            yield record_rows.check_links(row)

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Yield all redirects: ids of the redirecting and the target address. Cost: a scan of all links."""
        has_one = " or ".join(
            f"position('\\x{kind:02x}'::bytea in kinds) > 0" for kind in record_rows.REDIRECTS
        )
        for row in scan_table(self._reader, "link", queries.LINK_COLUMNS, f"({has_one})"):
            for link in record_rows.unpack_links(*row):
                if link.type == "redirect":
                    yield link.source, link.target

    def link_texts(self, numbers: Iterable[int]) -> dict[int, list[str]]:
        """Return the link texts of some rows; deleted rows are left out."""
        these = "select number, texts from link where number = any(%s)"
        found = self._query_for(these, Int8s, numbers)
        return {number: record_rows.unpack_link_texts(packed) for number, packed in found}

    def visits(self, page_id: int) -> list[Visit]:
        """Return all visits to a page, oldest first."""
        these = f"select {queries.VISIT_COLUMNS} from visit where page = %s::bigint order by number"
        return [queries.to_visit(row) for row in self._query(these, page_id)]

    def all_visits(self) -> Iterator[Visit]:
        """Yield all visits, oldest first."""
        for row in scan_table(self._reader, "visit", queries.VISIT_COLUMNS):
            yield queries.to_visit(row)

    def decisions(self, page_id: int) -> list[Decision]:
        """Return the stored decisions about a page, oldest first."""
        these = f"select {queries.DECISION_COLUMNS} from decision where page = %s::bigint order by number"
        return [queries.to_decision(row) for row in self._query(these, page_id)]

    def request(self, page_id: int, task: int, host: str = "") -> Request | None:
        """Return the request for a page, if it waits or is in an inbox. Cost: a scan of its host's requests and inboxes."""
        if not host:
            if (url := self.url(page_id)) is None:
                return None
            host = host_of(url)
        waiting = f"select {queries.REQUEST_COLUMNS} from request where share = %s and task = %s and host = %s and id = %s"
        if row := self._query_one(waiting, share_of(host), task, host, page_id):
            return record_rows.row_to_record(Request, row)
        sent = self._query_one(
            "select request from inbox where page = %s and task = %s limit 1", page_id, task
        )
        return record_rows.decode_request(sent[0]) if sent else None

    def counts(self) -> dict[str, int]:
        """Count pages, links, known URLs, waiting requests, visits and hosts."""
        names = "pages", "links", "known", "waiting", "visits", "hosts"
        return dict(zip(names, self._query(queries.COUNTS)[0], strict=True))

    def close(self) -> None:
        """Close the connections."""
        self._reader.close()
        if self._writer is not None:
            self._writer.close()

    # Queries

    def _query(self, query: str, *values: object) -> list[Row]:
        return self._reader.query(query, values)

    def _ask(self, statement: Statement) -> list[Row]:
        return self._reader.query(statement.sql, statement.values)

    def _query_one(self, query: str, *values: object) -> Row | None:
        return next(iter(self._reader.query(query, values)), None)

    def _query_for(
        self, query: str, kind: type[Int8s] | type[Texts], keys: Iterable[int | str]
    ) -> Iterator[Row]:
        """Yield the rows of a query about many keys, some of them at a time."""
        wanted = iter(keys)
        while some := list(islice(wanted, _AT_ONCE)):
            yield from self._query(query, pack_array(kind, some))
