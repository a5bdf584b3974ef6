"""A web made of WARC files that others wrote, as if it had been crawled: pages read, links kept, bytes archived."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.archive.archived_pages import decoded
from gossamer.crawl.loop.batch_writer import BatchWriter
from gossamer.crawl.read_page import read
from gossamer.crawl.seen_keys import agent_line, host_of, task_mark
from gossamer.crawl.task.link_keys import ids_of
from gossamer.crawl.task.schedule_links import Candidates, LinkScheduler
from gossamer.crawl.task.scope_rules import ScopeRules
from gossamer.crawl.task.task_languages import Languages
from gossamer.crawl.task_counts import Tally
from gossamer.crawl.visit.pending_batch import ArchiveEntry, PendingBatch, make_visit
from gossamer.errors import BadUrl
from gossamer.frontier.seen_set import SeenSet
from gossamer.net import url as urls
from gossamer.net.html.link_columns import PageLinks
from gossamer.order import find_order
from gossamer.records import Exchange, HostNote, Link, Page, Request, Visit, VisitResult
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.foreign_warc import ForeignWarcs
from gossamer.store.batch import Store, TaskNote
from gossamer.store.model_folder import language_model

BATCH_PAGES = 200


class Imported(msgspec.Struct, frozen=True):
    """What came of an import."""

    task: str
    counts: dict[str, int]
    known: int
    """Captures that the web had already."""
    damage: list[str]
    """What could not be read, and where."""


def import_warcs(
    store: Store,
    folder: Path,
    paths: Iterable[Path],
    now_s: float,
    name: str = "",
    told: Callable[[int], None] = lambda _: None,
) -> Imported:
    """Read WARC files, or all in a folder, into a web; `told` hears after each batch how many captures were read.

    Whoever calls holds the web's lock. What is in the web already is passed over, so an import that was broken off can
    be begun anew. Cost: that of reading and writing the pages; memory for a batch and for the keys of the web.
    """
    foreign = ForeignWarcs(paths, decoded)
    archive = Archive(folder / "archive", store.archive_ends())
    try:
        importing = _Import(store, archive, Languages((), language_model(folder)), name, now_s)
        archive.about = {
            "isPartOf": folder.name,
            "description": f"{importing.name}: imported from WARC files",
        }
        for number, exchange in enumerate(foreign, 1):
            importing.take(exchange)
            if importing.full:
                importing.write()
                told(number)
        importing.finish()
    finally:
        archive.close()
    return Imported(importing.name, importing.tally.as_dict(), importing.known, foreign.damage)


class _Import:
    """One import as a task of the web, and the batch that it fills."""

    def __init__(self, store: Store, archive: Archive, languages: Languages, name: str, now_s: float) -> None:
        self._store = store
        self._writer = BatchWriter(store, archive)
        self._languages = languages
        self._now_s = now_s
        self._number = max((note.number for note in store.tasks()), default=0) + 1
        self.name = name or f"import-{self._number}"
        # No start pages, and nothing beyond them: what was not imported is outside the scope.
        self._spec = TaskSpec(name=self.name, scope="page")
        self._agent = agent_line(self._spec)
        self._was_empty = not store.counts()["visits"]
        self._seen = SeenSet(memoryview(bytearray().join(keys for _, keys in store.seen_keys())).cast("q"))
        self.tally = Tally()
        rules, order = ScopeRules(self._spec, ()), find_order(self._spec.order)
        self._scheduler = LinkScheduler(
            self._number, rules, order, self._seen, None, self.tally, self._spec.site_rule
        )
        self._pending = PendingBatch()
        self._in_batch: set[int] = set()
        self._robots_moved: dict[str, str] = {}
        """URLs to which the robots.txt of hosts were redirected, until they come."""
        self.known = 0

    @property
    def full(self) -> bool:
        return len(self._pending.batch.visits) >= BATCH_PAGES

    def take(self, exchange: Exchange) -> None:
        """Take in one capture."""
        try:
            url = urls.canonical(exchange.url)
        except BadUrl:
            return
        request = Request(urls.page_id(url), url, host_of(url), self._number)
        if request.id in self._in_batch:
            self.write()  # the links of a page stand once in a batch
        if self._has(request, exchange):
            self.known += 1
            return
        self._in_batch.add(request.id)
        if asked_for := self._robots_of(request):
            self._keep_robots(request, exchange, asked_for)
        else:
            self._keep(request, exchange)

    def write(self) -> None:
        """Write the batch, with the task as it is now."""
        self._pending.batch.tasks.append(self._note())
        self._pending.batch.counted.append((self._number, self.tally.take_changes()))
        self._writer.write(self._pending)
        self._pending = PendingBatch()
        self._in_batch.clear()

    def finish(self) -> None:
        """Write what is left; an import that brought nothing leaves no trace."""
        if self._pending.batch:
            self.write()

    def _robots_of(self, request: Request) -> str:
        """Name the host whose robots.txt a capture is: by its URL, or because one led to it; "" if it is none."""
        if request.url.endswith("/robots.txt") and request.url.count("/") == 3:
            return request.host
        return self._robots_moved.pop(request.url, "")

    def _keep_robots(self, request: Request, exchange: Exchange, host: str) -> None:
        """Keep a robots.txt as the crawl would have: it is no page."""
        batch = self._pending.batch
        if exchange.status == 200:
            batch.hosts.append(_host_note(host, exchange))
        for link in _redirect(request.url, exchange):
            self._robots_moved[link.url] = host
        self._scheduler.record_urls([request.url], batch)
        self._pending.exchanges.append(ArchiveEntry(request, exchange, len(batch.visits)))
        batch.visits.append(
            make_visit(urls.page_id(exchange.url), self._number, exchange.began_s, "robots", exchange)
        )

    def _keep(self, request: Request, exchange: Exchange) -> None:
        batch = self._pending.batch
        result, counted, links, page = self._read(request, exchange)
        page_at = len(batch.pages) if page is not None else None
        batch.pages.extend([page] if page is not None else [])
        self._pending.exchanges.append(ArchiveEntry(request, exchange, len(batch.visits), page_at))
        batch.visits.append(_visit(request, exchange, result))
        mark = task_mark(self._number)
        if self._seen.add_many([request.id], mark)[0]:
            batch.scheduled.append(request.id ^ mark)
        self._scheduler.record_urls([request.url], batch)
        self._scheduler.record_links(
            request, self._found(links), batch, keep_links=page is not None or bool(links)
        )
        self.tally.count_links(1, 1, Counter())
        self.tally.count_result(counted, len(exchange.body))

    def _read(
        self, request: Request, exchange: Exchange
    ) -> tuple[VisitResult, str, Sequence[Link], Page | None]:
        """Say what a capture is to the web, by which name it is counted, where it leads, and its page if it is new."""
        status = exchange.status
        if status == 304:
            return "not modified", "not modified", [], None
        if 300 <= status < 400 and dict(exchange.headers).get("location"):
            return "redirected", "redirected", _redirect(request.url, exchange), None
        if status >= 400:
            return "failed", f"failed:{status}", [], None
        reading = self._languages.recognise(read(request, exchange, self._agent))
        before = self._store.page(request.id)
        if before is None or before.fetched_s <= exchange.began_s:
            return "fetched", "downloaded", reading.links, reading.page
        return "fetched", "downloaded", [], None

    def _found(self, links: Sequence[Link]) -> Candidates:
        columns = PageLinks.from_links(links)
        return Candidates(columns, ids_of(columns.urls), [], Counter())

    def _has(self, request: Request, exchange: Exchange) -> bool:
        """Say whether the web has this capture already."""
        if self._was_empty:
            return False
        capture = (exchange.began_s, exchange.status)
        return any((visit.when_s, visit.status) == capture for visit in self._store.visits(request.id))

    def _note(self) -> TaskNote:
        spec = msgspec.json.encode(self._spec)
        return TaskNote(self._number, self.name, spec, "finished", "imported", self._now_s, self._now_s)


def _visit(request: Request, exchange: Exchange, result: VisitResult) -> Visit:
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


def _redirect(url: str, exchange: Exchange) -> list[Link]:
    """Return where an answer leads to, if it is a redirect to somewhere."""
    location = dict(exchange.headers).get("location", "") if 300 <= exchange.status < 400 else ""
    try:
        return [Link(urls.canonical(location, url), "redirect")] if location else []
    except BadUrl:
        return []


def _host_note(host: str, exchange: Exchange) -> HostNote:
    return HostNote(host, robots=exchange.body, robots_status=exchange.status, robots_s=exchange.began_s)
