"""Pages that the web has already: young enough, they are read again instead of fetched (seed 004, section 6.2).

Whatever follows is the same as for a page from the network: it is classified and filtered, its links are followed.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from gossamer.config import Fetching, TaskSpec
from gossamer.crawl.read_page import Reading, read
from gossamer.crawl.rule_names import CONTENT_SEEN, IN_LANGUAGE, LANGUAGE, NOFOLLOW_PAGE, NOT_FOLLOWED
from gossamer.fetch.http.content_decoding import make_decoder
from gossamer.records import Decision, Link, Page, PageLink, Request
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Store

# Decisions against all links of a page that hold as long as this option of its task does.
_ASKED_FOR_BY = {NOFOLLOW_PAGE: "nofollow", CONTENT_SEEN: "content_seen"}


class RecalledPage(msgspec.Struct, frozen=True):
    """What the web knows of a page that was visited: itself, if it was kept, and the links to be followed."""

    page: Page | None
    links: Sequence[Link]


class CacheHit(msgspec.Struct, frozen=True):
    """The page is in the web, as it was read."""

    reading: Reading


class PageCache:
    """Finds pages in a web."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive

    async def find(self, request: Request, settings: Fetching, agent: str, now_s: float) -> CacheHit | None:
        """Return the page if it is whole and not older than the settings allow."""
        return await asyncio.to_thread(self._find, request, settings, agent, now_s)

    def _find(self, request: Request, settings: Fetching, agent: str, now_s: float) -> CacheHit | None:
        page = self._store.page(request.id)
        if page is None or page.fetched_s < now_s - settings.max_age_s:
            return None
        # Of a page without a body only the head was asked for: its links are not known.
        if page.cut or not (page.body_bytes or settings.head_only):
            return None
        reading = self._read_again(request, page, settings, agent)
        if reading is None:
            decisions = self._store.decisions(page.id)
            follow = all(decision.rule != NOFOLLOW_PAGE for decision in decisions)
            reading = Reading(page, self._links(page.id), None, follow)
        return CacheHit(reading)

    def recall(self, request: Request, spec: TaskSpec, agent: str) -> RecalledPage:
        """Return what the web knows of a page that a task has visited."""
        page = self._store.page(request.id)
        if not self.are_followed(request, spec):
            return RecalledPage(page, ())
        if spec.keeping.links:
            return RecalledPage(page, self._links(request.id))
        reading = self._read_again(request, page, spec.fetching, agent) if page is not None else None
        return RecalledPage(page, reading.links if reading is not None else ())

    def text(self, page: Page) -> str:
        """Return the text of a page of HTML as the web has it; "" if its bytes were not kept."""
        request = Request(page.id, page.url, page.host, page.task)
        reading = self._read_again(request, page, Fetching(), "")
        return reading.document.text if reading is not None and reading.document is not None else ""

    def are_followed(self, request: Request, spec: TaskSpec) -> bool:
        """Say whether links of a page may be followed, by what was decided when it was read and still holds."""
        return not any(
            decision.task == request.task
            and decision.detail.startswith(NOT_FOLLOWED)
            and _still_holds(decision, spec)
            for decision in self._store.decisions(request.id)
        )

    def _read_again(self, request: Request, page: Page, settings: Fetching, agent: str) -> Reading | None:
        """Read the page from the archive, if its bytes were kept."""

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
        return msgspec.structs.replace(read(request, exchange, agent), page=page)

    def _links(self, page_id: int) -> tuple[Link, ...]:
        """Return the links of a page as the store knows them."""
        stored = self._store.links_from(page_id)
        return links_of(stored, self._store.urls({link.target for link in stored}))


def _still_holds(decision: Decision, spec: TaskSpec) -> bool:
    """Say whether a task would decide the same about all links of a page today."""
    if decision.rule == LANGUAGE:
        wanted = spec.filters.language
        return bool(wanted) and decision.detail.rpartition(IN_LANGUAGE)[2] not in wanted
    return bool(getattr(spec.filters, _ASKED_FOR_BY.get(decision.rule, ""), True))


def links_of(stored: Iterable[PageLink], names: Mapping[int, str]) -> tuple[Link, ...]:
    """Return links as they stood on their page, as far as the names of their targets are known."""
    return tuple(
        Link(names[link.target], link.type, link.text, "nofollow" if link.nofollow else "")
        for link in stored
        if link.target in names
    )
