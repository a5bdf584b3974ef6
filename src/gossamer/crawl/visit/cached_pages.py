"""Reuse pages that the web has: young enough ones are read from the archive instead of fetched.

Everything else is the same as for a page from the network: it is classified and filtered, and its links are followed.
Source: Wollenweber 2002, section 6.2.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from gossamer.config import Fetching, TaskSpec
from gossamer.crawl.read_page import Reading, add_content, read
from gossamer.crawl.rule_names import CONTENT_SEEN, IN_LANGUAGE, LANGUAGE, NOFOLLOW_PAGE, NOT_FOLLOWED
from gossamer.documents.plugin_readers import find_former_reader
from gossamer.documents.read_document import DocumentReaders
from gossamer.fetch.http.content_decoding import make_decoder
from gossamer.frontier.pauses_and_backoff import CLOCK_SLACK_S
from gossamer.records import Decision, Exchange, Link, Page, PageLink, Request
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.visit_archive import VisitArchive
from gossamer.store.batch import Store
from gossamer.store.reading_attempts import ReadingAttempts

_OK = 200
# Decisions against all links of a page, and the option of the task that they depend on.
_OPTION_OF_RULE = {NOFOLLOW_PAGE: "nofollow", CONTENT_SEEN: "content_seen"}


class RecalledPage(msgspec.Struct, frozen=True):
    """A visited page as the web has it, if it was kept, and its links to follow."""

    page: Page | None
    links: Sequence[Link]


class CacheHit(msgspec.Struct, frozen=True):
    """The page is in the web; this is what reading it yields."""

    reading: Reading


class UnchangedCopy(msgspec.Struct, frozen=True):
    """The server says that the copy in the web is still good; this is what reading it yields."""

    exchange: Exchange
    reading: Reading


class PageCache:
    """Finds pages in the web."""

    def __init__(
        self,
        store: Store,
        archive: VisitArchive,
        attempts: ReadingAttempts | None = None,
        is_new: bool = False,
    ) -> None:
        self._store = store
        self.is_new = is_new
        """Whether the web had no page when the crawl began."""
        self.attempts = attempts
        """Notes which page is being read; None in simulations and tests."""
        self._archive = archive
        self.documents = DocumentReaders()
        """Reads documents beyond HTML; its processes start when there is one."""

    async def find(
        self, request: Request, spec: TaskSpec, agent: str, now_s: float, texts: bool = True
    ) -> CacheHit | None:
        """Return the page if it is whole and not older than the task allows."""
        return await asyncio.to_thread(self._find, request, spec, agent, now_s, texts)

    def find_copy(self, request: Request) -> Page | None:
        """Return the page as the web has it, if a server can be asked whether it has changed since."""
        page = self._store.page(request.id)
        is_whole = page is not None and page.status == _OK and page.warc and not page.cut and page.body_bytes
        return page if is_whole and page is not None and (page.etag or page.last_modified) else None

    async def read_copy(
        self, request: Request, page: Page, spec: TaskSpec, agent: str, texts: bool
    ) -> Reading | None:
        """Read the copy of a page from the archive; None if it cannot be read."""
        requisites = spec.keeping.requisites
        return await asyncio.to_thread(
            self._read_archived, request, page, spec.fetching, agent, requisites, texts
        )

    def _find(
        self, request: Request, spec: TaskSpec, agent: str, now_s: float, texts: bool
    ) -> CacheHit | None:
        settings = spec.fetching
        page = self._store.page(request.id)
        if page is None or not now_s - settings.max_age_s <= page.fetched_s <= now_s + CLOCK_SLACK_S:
            return None
        # A page without a body was fetched by its head only: its links are not known.
        if page.cut or not (page.body_bytes or settings.head_only):
            return None
        reading = self._read_archived(request, page, settings, agent, spec.keeping.requisites, texts)
        if reading is None:
            decisions = self._store.decisions(page.id)
            follow = all(decision.rule != NOFOLLOW_PAGE for decision in decisions)
            reading = Reading(page, self._load_links(page.id), None, follow)
        return CacheHit(reading)

    def recall(self, request: Request, spec: TaskSpec, agent: str) -> RecalledPage:
        """Return a page that a task has visited, with its links to follow."""
        page = self._store.page(request.id)
        if not self.are_links_followed(request, spec):
            return RecalledPage(page, ())
        if spec.keeping.links:
            return RecalledPage(page, self._load_links(request.id))
        reading = self._read_archived(request, page, spec.fetching, agent) if page is not None else None
        return RecalledPage(page, reading.links if reading is not None else ())

    def read_text(self, page: Page) -> str:
        """Return the text of an HTML page from the archive; "" if its bytes were not kept."""
        request = Request(page.id, page.url, page.host, page.task)
        reading = self._read_archived(request, page, Fetching(), "")
        return reading.document.text if reading is not None and reading.document is not None else ""

    def are_links_followed(self, request: Request, spec: TaskSpec) -> bool:
        """Say whether the links of a page may be followed, by the decisions about it that still hold."""
        return not any(
            decision.task == request.task
            and decision.detail.startswith(NOT_FOLLOWED)
            and _still_holds(decision, spec)
            for decision in self._store.decisions(request.id)
        )

    def _read_archived(
        self,
        request: Request,
        page: Page,
        settings: Fetching,
        agent: str,
        requisites: bool = False,
        texts: bool = True,
    ) -> Reading | None:
        """Read the page from the archive; None if its bytes were not kept."""

        def decode(payload: bytes, coding: str) -> bytes:
            decoder = make_decoder(coding, settings.page_bytes, settings.expansion)
            if decoder is None:
                return payload
            decoder.feed(payload)
            return decoder.finish() or b""

        exchange = (
            self._archive.read(WarcPosition(page.warc, page.warc_offset), decode) if page.warc else None
        )
        if exchange is None:
            return None
        reading = read(
            request,
            exchange,
            agent,
            settings.page_links,
            self.attempts,
            requisites,
            find_former_reader(page),
            settings.schemes,
            texts,
        )
        if reading.unread is not None:
            reading = add_content(reading, self.documents.read(reading.unread), settings.page_links)
        return msgspec.structs.replace(reading, page=page)

    def _load_links(self, page_id: int) -> tuple[Link, ...]:
        """Return the links of a page from the store."""
        stored = self._store.links_from(page_id)
        return rebuild_links(stored, self._store.urls({link.target for link in stored}))


def _still_holds(decision: Decision, spec: TaskSpec) -> bool:
    """Say whether a decision about all links of a page still holds for the task's options."""
    if decision.rule == LANGUAGE:
        wanted = spec.filters.language
        return bool(wanted) and decision.detail.rpartition(IN_LANGUAGE)[2] not in wanted
    return bool(getattr(spec.filters, _OPTION_OF_RULE.get(decision.rule, ""), True))


def rebuild_links(stored: Iterable[PageLink], names: Mapping[int, str]) -> tuple[Link, ...]:
    """Return stored links as they stood on their page; links to unknown URLs are left out."""
    return tuple(
        Link(names[link.target], link.type, link.text, "nofollow" if link.nofollow else "")
        for link in stored
        if link.target in names
    )
