"""Import WARC files of other programs into a web, as if it had been crawled."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.loop.write_batches import BatchWriter
from gossamer.crawl.read_page import add_content, read
from gossamer.crawl.seen_keys import task_mark
from gossamer.crawl.task.link_keys import ids_of
from gossamer.crawl.task.schedule_links import Candidates, LinkScheduler
from gossamer.crawl.task.scope_rules import ScopeRules
from gossamer.crawl.task.task_languages import Languages
from gossamer.crawl.task_counts import Tally
from gossamer.crawl.visit.pending_batch import (
    LINK_BYTES,
    ArchiveEntry,
    PendingBatch,
    count_body_bytes,
    make_visit,
)
from gossamer.documents.read_document import DocumentReaders
from gossamer.errors import BadUrl
from gossamer.fetch.http.response_head import ResponseHead, hide_cookies
from gossamer.fetch.user_agent_header import format_user_agent
from gossamer.frontier.seen_set import SeenSet
from gossamer.net import url as urls
from gossamer.net.html.link_columns import PageLinks
from gossamer.net.secret_headers import redact_request, sends_cookies
from gossamer.order import find_order
from gossamer.records import Exchange, HostNote, Link, Page, Request, Visit, VisitResult
from gossamer.store.archive.foreign_warc import ForeignWarcs
from gossamer.store.archive.visit_archive import VisitArchive
from gossamer.store.batch import Store, TaskNote
from gossamer.store.model_folder import language_model
from gossamer.store.opening.open_archive import open_import_archive
from gossamer.store.opening.web_name import label_web
from gossamer.store.reading_attempts import ReadingAttempts
from gossamer.store.tombstones import load_tombstones

BATCH_PAGES = 200
BATCH_BYTES = 32_000_000
"""Bytes of bodies and links in a batch."""


class ImportResult(msgspec.Struct, frozen=True):
    """The result of an import."""

    task: str
    counts: dict[str, int]
    known: int
    """How many captures the web had already."""
    damage: list[str]
    """What could not be read, and where."""
    forgotten: int = 0
    """How many captures were left out, since the web has forgotten their pages."""


def import_warcs(
    store: Store,
    folder: Path,
    paths: Iterable[Path],
    now_s: float,
    name: str = "",
    on_progress: Callable[[int], None] = lambda _: None,
) -> ImportResult:
    """Import WARC and WACZ files, or all in a folder; `on_progress` receives the number of captures read after each batch.

    The caller holds the web's lock. Captures that the web has are skipped, so an interrupted import can be started
    again. Cost: that of reading and writing the pages; memory for a batch and for the keys of the web.
    """
    foreign = ForeignWarcs(paths, decode_content, folder)
    result = import_exchanges(store, folder, foreign, now_s, name, on_progress)
    return msgspec.structs.replace(result, damage=foreign.damage)


def import_exchanges(
    store: Store,
    folder: Path,
    exchanges: Iterable[Exchange],
    now_s: float,
    name: str = "",
    on_progress: Callable[[int], None] = lambda _: None,
    reason: str = "",
) -> ImportResult:
    """Import captures; the caller holds the web's lock. With a `reason`, they are added to the task of that name and reason."""
    archive = open_import_archive(folder, store.archive_ends())
    documents = DocumentReaders()
    try:
        attempts = ReadingAttempts(folder)
        languages = Languages((), language_model(folder))
        importing = _Import(store, archive, languages, attempts, documents, name, now_s, reason)
        archive.about = {
            "isPartOf": label_web(folder),
            "description": f"{importing.name}: {reason or 'imported from WARC files'}",
        }
        for number, exchange in enumerate(exchanges, 1):
            importing.add(exchange)
            if importing.full:
                importing.write()
                on_progress(number)
        importing.finish()
        attempts.close()
    finally:
        documents.close()
        archive.close()
    return ImportResult(importing.name, importing.tally.as_dict(), importing.known, [], importing.forgotten)


class _Import:
    """One import: a task of the web, and the batch that it fills."""

    def __init__(
        self,
        store: Store,
        archive: VisitArchive,
        languages: Languages,
        attempts: ReadingAttempts,
        documents: DocumentReaders,
        name: str,
        now_s: float,
        reason: str = "",
    ) -> None:
        self._store = store
        self._attempts = attempts
        self._documents = documents
        self._writer = BatchWriter(store, archive)
        self._languages = languages
        self._now_s = self._created_s = now_s
        self._reason = reason or "imported"
        notes = store.tasks()
        self._number = max((note.number for note in notes), default=0) + 1
        for note in notes if reason else ():
            if (note.name, note.reason, note.state) == (name, reason, "finished"):
                self._number, self._created_s = note.number, note.created_s
        self.name = name or f"import-{self._number}"
        # No start pages, and the scope "page": pages that were not imported are out of scope.
        self._spec = TaskSpec(name=self.name, scope="page")
        self._agent = format_user_agent(self._spec.politeness)
        self._was_empty = not store.counts()["visits"]
        self._seen = SeenSet(memoryview(bytearray().join(keys for _, keys in store.seen_keys())).cast("q"))
        self.tally = Tally()
        rules, order = ScopeRules(self._spec, ()), find_order(self._spec.order)
        self._forgotten = load_tombstones(store)
        self._scheduler = LinkScheduler(
            self._number,
            rules,
            order,
            self._seen,
            None,
            self.tally,
            self._spec.site_rule,
            forgotten=self._forgotten,
        )
        self._pending = PendingBatch()
        self._in_batch: set[int] = set()
        self._robots_moved: dict[str, str] = {}
        """Targets of redirected robots.txt files, by URL, until they are imported."""
        self.known = 0
        self.forgotten = 0
        """Captures of pages that the web has forgotten."""

    @property
    def full(self) -> bool:
        return len(self._pending.batch.visits) >= BATCH_PAGES or self._pending.held_bytes >= BATCH_BYTES

    def add(self, exchange: Exchange) -> None:
        """Add one capture to the batch."""
        try:
            url = urls.canonical(exchange.url)
        except BadUrl:
            return
        if self._forgotten.covers(url):
            self.forgotten += 1
            return
        exchange = _hide_secrets(exchange)
        request = Request(urls.page_id(url), url, host_of(url), self._number)
        if request.id in self._in_batch:
            self.write()  # a batch holds the links of a page once
        if self._is_known(request, exchange):
            self.known += 1
            return
        self._in_batch.add(request.id)
        if robots_host := self._find_robots_host(request):
            self._record_robots(request, exchange, robots_host)
        else:
            self._record(request, exchange)

    def write(self) -> None:
        """Write the batch, with the task as it is now."""
        self._pending.batch.tasks.append(self._make_note())
        self._pending.batch.counted.append((self._number, self.tally.take_changes()))
        self._writer.write(self._pending)
        self._pending = PendingBatch()
        self._in_batch.clear()

    def finish(self) -> None:
        """Write the last batch; an import without captures leaves no trace."""
        if self._pending.batch:
            self.write()

    def _find_robots_host(self, request: Request) -> str:
        """Return the host whose robots.txt a capture is, by its URL or a redirect; "" if it is none."""
        if request.url.endswith("/robots.txt") and request.url.count("/") == 3:
            return request.host
        return self._robots_moved.pop(request.url, "")

    def _record_robots(self, request: Request, exchange: Exchange, host: str) -> None:
        """Record a robots.txt as the crawl does: it is not a page."""
        batch = self._pending.batch
        if exchange.status == 200:
            batch.hosts.append(_make_host_note(host, exchange))
        for link in _read_redirect(request.url, exchange):
            self._robots_moved[link.url] = host
        self._scheduler.record_urls([request.url], batch)
        self._pending.exchanges.append(ArchiveEntry(request, exchange, len(batch.visits)))
        batch.visits.append(
            make_visit(urls.page_id(exchange.url), self._number, exchange.began_s, "robots", exchange)
        )

    def _record(self, request: Request, exchange: Exchange) -> None:
        batch = self._pending.batch
        result, count_name, links, page = self._read(request, exchange)
        page_at = len(batch.pages) if page is not None else None
        batch.pages.extend([page] if page is not None else [])
        self._pending.exchanges.append(ArchiveEntry(request, exchange, len(batch.visits), page_at))
        self._pending.held_bytes += count_body_bytes(exchange) + LINK_BYTES * len(links)
        batch.visits.append(_make_visit(request, exchange, result))
        mark = task_mark(self._number)
        if self._seen.add_many([request.id], mark)[0]:
            batch.scheduled.append(request.id ^ mark)
        self._scheduler.record_urls([request.url], batch)
        self._scheduler.record_links(
            request,
            _make_candidates(self._scheduler.leave_out_forgotten(links)),
            batch,
            keep_links=page is not None or bool(links),
        )
        self.tally.count_links(1, 1, Counter())
        self.tally.count_result(count_name, len(exchange.body))

    def _read(
        self, request: Request, exchange: Exchange
    ) -> tuple[VisitResult, str, Sequence[Link], Page | None]:
        """Return the result of a capture, the name of its count, its links, and its page if it is the newest."""
        status = exchange.status
        if status == 304:
            return "not modified", "not modified", [], None
        if 300 <= status < 400 and dict(exchange.headers).get("location"):
            return "redirected", "redirected", _read_redirect(request.url, exchange), None
        if status >= 400:
            return "failed", f"failed:{status}", [], None
        page_links = self._spec.fetching.page_links
        reading = read(request, exchange, self._agent, page_links, self._attempts)
        if reading.unread is not None:
            reading = add_content(reading, self._documents.read(reading.unread), page_links)
        reading = self._languages.recognise(reading)
        before = self._store.page(request.id)
        if before is None or before.fetched_s <= exchange.began_s:
            return "fetched", "downloaded", reading.links, reading.page
        return "fetched", "downloaded", [], None

    def _is_known(self, request: Request, exchange: Exchange) -> bool:
        """Say whether the web has this capture already."""
        if self._was_empty:
            return False
        capture = (exchange.began_s, exchange.status)
        return any((visit.when_s, visit.status) == capture for visit in self._store.visits(request.id))

    def _make_note(self) -> TaskNote:
        spec = msgspec.json.encode(self._spec)
        return TaskNote(self._number, self.name, spec, "finished", self._reason, self._created_s, self._now_s)


def _hide_secrets(exchange: Exchange) -> Exchange:
    """Return a capture without passwords and cookies; cookies that a crawler did not send back are no secret."""
    head = ResponseHead(exchange.status, exchange.response_head, exchange.headers)
    if sends_cookies(exchange.request_head):
        head = hide_cookies(head)
    return msgspec.structs.replace(
        exchange,
        request_head=redact_request(exchange.request_head),
        response_head=head.raw,
        headers=head.headers,
    )


def _make_candidates(links: Sequence[Link]) -> Candidates:
    columns = PageLinks.from_links(links)
    return Candidates(columns, ids_of(columns.urls), [], Counter())


def _make_visit(request: Request, exchange: Exchange, result: VisitResult) -> Visit:
    location = dict(exchange.headers).get("location", "") if result == "redirected" else ""
    failed = result == "failed"
    return make_visit(
        request.id,
        request.task,
        exchange.began_s,
        result,
        exchange,
        cause="status" if failed else "",
        detail=location or (str(exchange.status) if failed else ""),
    )


def _read_redirect(url: str, exchange: Exchange) -> list[Link]:
    """Return the link of a redirect; empty if the answer is not one."""
    location = dict(exchange.headers).get("location", "") if 300 <= exchange.status < 400 else ""
    try:
        return [Link(urls.canonical(location, url), "redirect")] if location else []
    except BadUrl:
        return []


def _make_host_note(host: str, exchange: Exchange) -> HostNote:
    return HostNote(host, robots=exchange.body, robots_status=exchange.status, robots_s=exchange.began_s)
