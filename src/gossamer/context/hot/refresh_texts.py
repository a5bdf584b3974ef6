"""Read the new pages of a web into its stored texts: pages that were not read yet, and those whose text has changed."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
from xxhash import xxh3_64_intdigest

from gossamer.context.hot.stored_texts import StoredTexts, add_segment, finish_refresh, lock_texts, open_texts
from gossamer.context.hot.text_date import TextDate, choose_date, find_stated_date
from gossamer.context.hot.text_segment import TextRow, make_segment
from gossamer.crawl.from_archive.archived_pages import decode_content, read_text_document
from gossamer.documents.read_document import DocumentReaders
from gossamer.net import html
from gossamer.net.html.document import Document
from gossamer.net.url.public_suffix import site
from gossamer.records import Page
from gossamer.search.index.make_entry import is_indexed
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.reading_attempts import ReadingAttempts
from gossamer.text.hot.list_terms import list_terms
from gossamer.text.hot.text_memory import TextMemory

PAGES_A_SEGMENT = 10_000
"""So many pages are read before their texts are written: a kill loses that much work."""
_PAGES_AT_ONCE = 500
_MOST_CHARACTERS = 1_000_000


class RefreshedTexts(msgspec.Struct):
    """How many pages a refresh read, and how many of them have new text."""

    texts: int = 0
    copies: int = 0
    """Pages all of whose sentences were read before, and near copies."""
    unchanged: int = 0
    """Pages that were read in an earlier refresh, and whose text has not changed."""
    missing: int = 0
    """Pages that are not in the archive, or have no text."""


class ReadableWeb(msgspec.Struct, frozen=True):
    """The store of a web, and its folder."""

    store: Store
    folder: Path


def refresh_texts(
    web: ReadableWeb,
    on_progress: Callable[[RefreshedTexts], None] = lambda _: None,
    pages_a_segment: int = PAGES_A_SEGMENT,
) -> tuple[StoredTexts, RefreshedTexts]:
    """Bring the stored texts of a web up to date; only new and changed pages are read. The web may be crawled meanwhile."""
    began_s = time.time()
    with lock_texts(web.folder), DocumentReaders() as documents:
        refresher = _Refresher(web, documents, open_texts(web.folder, unfinished=True), on_progress)
        try:
            for page, after_day in refresher.list_new_pages():
                refresher.read_page(page, after_day)
                if refresher.pages_read >= pages_a_segment:
                    refresher.write()
            refresher.write()
        finally:
            refresher.close()
        return finish_refresh(refresher.texts, began_s), refresher.counts


class _Refresher:
    """Reads pages, and writes their texts segment by segment."""

    def __init__(
        self,
        web: ReadableWeb,
        documents: DocumentReaders,
        texts: StoredTexts,
        on_progress: Callable[[RefreshedTexts], None],
    ) -> None:
        self.texts = texts
        self.counts = RefreshedTexts()
        self._web = web
        self._documents = documents
        self._on_progress = on_progress
        self._archive = open_reader(web.folder / "archive")
        self._attempts = ReadingAttempts(web.folder)
        self._begin_segment()

    def _begin_segment(self) -> None:
        self._memory = TextMemory(self.texts)
        self._rows: list[TextRow] = []
        self._read: dict[int, tuple[int, int]] = {}

    @property
    def pages_read(self) -> int:
        """How many pages wait to be written."""
        return len(self._read)

    def list_new_pages(self) -> Iterator[tuple[Page, int]]:
        """Yield pages that were not read in this version, each with the day of its earlier version, 0 if there is none."""
        pages = (page for page in self._web.store.pages() if is_indexed(page))
        while some := list(islice(pages, _PAGES_AT_ONCE)):
            known = self.texts.find_versions(np.array([page.id for page in some], np.int64))
            for page, digest, day in zip(some, known.digests.tolist(), known.days.tolist(), strict=True):
                if day and digest == _digest_version(page):
                    self.counts.unchanged += 1
                else:
                    yield page, day
            self._on_progress(self.counts)

    def read_page(self, page: Page, after_day: int) -> None:
        """Read a page, and keep its terms if it has new text."""
        document = self._read_document(page)
        if document is None:
            self.counts.missing += 1
            return
        date = self._find_date(page, document, after_day)
        self._read[page.id] = (_digest_version(page), date.day)
        main = html.main_text(document) if page.kind == "html" else document.text
        sentences = self._memory.take_new_sentences(f"{document.title}\n{main[:_MOST_CHARACTERS]}")
        terms = frozenset[str]().union(*map(list_terms, sentences))
        if not terms:
            self.counts.copies += 1
            return
        self.counts.texts += 1
        language = page.language.partition("-")[0]
        self._rows.append(TextRow(page.id, date, site(page.host), language, terms))

    def _read_document(self, page: Page) -> Document | None:
        if page.id in self._attempts.banned or not page.warc:
            return None
        exchange = self._archive.read(WarcPosition(page.warc, page.warc_offset), decode_content)
        if exchange is None:
            return None
        content_type = dict(exchange.headers).get("content-type")
        if page.kind != "html":
            return read_text_document(page, exchange.body, content_type, self._documents)
        guard = partial(self._attempts.attempt, page.id)
        with guard():
            document = html.read(exchange.body, page.url, content_type, most_links=0)
        document.set_guard(guard)
        return document

    def _find_date(self, page: Page, document: Document, after_day: int) -> TextDate:
        stated = find_stated_date(document if page.kind == "html" else None, page.url, page.fetched_s)
        date = choose_date(stated, page.last_modified, page.fetched_s, after_day)
        if date.source == "fetch" and not after_day:  # the store has the last visit; the first one counts
            visits = self._web.store.visits(page.id)
            first_s = min((one.when_s for one in visits if one.result == "fetched"), default=page.fetched_s)
            date = choose_date(None, "", min(first_s, page.fetched_s))
        return date

    def write(self) -> None:
        """Write the texts that were read as a segment."""
        if self._read:
            segment = make_segment(self._rows, self._read, self._memory.sentences, self._memory.simhashes)
            self.texts = add_segment(self.texts, segment)
        self._begin_segment()

    def close(self) -> None:
        """Remove the note of pages being read."""
        self._attempts.close()


def _digest_version(page: Page) -> int:
    """Return a number that changes with the text of a page."""
    if page.text_digest:
        return page.text_digest
    return xxh3_64_intdigest(page.digest.encode("utf-8", "replace")) >> 1
