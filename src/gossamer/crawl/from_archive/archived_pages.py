"""Read the pages of a web again from its archive, for features that need more than the crawl stored."""

from collections.abc import Callable, Iterator
from pathlib import Path

from gossamer.config import Fetching
from gossamer.documents.formats.plain_text import read_plain_text
from gossamer.documents.read_document import DocumentReaders
from gossamer.documents.readable_pages import is_document, read_content
from gossamer.documents.render_html import to_page
from gossamer.fetch.http.content_decoding import make_decoder
from gossamer.net import html
from gossamer.net.html.document import Document
from gossamer.records import Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.verify.findings import MISSING

# Archived bodies passed the limits of the fetch; this limit only stops decompression bombs.
_MOST_BODY_BYTES = 1 << 28
_OK = 200


def read_archived_pages(
    store: Store, archive: Path, on_missing: Callable[[Page], None] = lambda _: None
) -> Iterator[tuple[Page, Document]]:
    """Yield all pages with text of a web in order of arrival; `on_missing` receives those that the archive does not have.

    Documents beyond HTML are read as the pages that they would be. Cost: that of reading the pages; memory for one of
    them. The web may be crawled meanwhile.
    """
    reader = open_reader(archive)
    with DocumentReaders() as documents:
        for page in store.pages():
            document = read_document(page, reader, documents)
            if document is not None:
                yield page, document
            elif _is_html(page) and (page.warc or MISSING in page.marks):  # a task may keep no bodies
                on_missing(page)


def read_document(
    page: Page, reader: ArchiveReader, documents: DocumentReaders | None = None
) -> Document | None:
    """Read a page from the archive; None if it has no text or is not in the archive."""
    if not _is_html(page) and not is_text_document(page):
        return None
    exchange = reader.read(WarcPosition(page.warc, page.warc_offset), decode_content) if page.warc else None
    if exchange is None:
        return None
    content_type = dict(exchange.headers).get("content-type")
    if page.kind == "html":
        return html.read(exchange.body, page.url, content_type)
    return read_text_document(page, exchange.body, content_type, documents)


def read_text_document(
    page: Page, body: bytes, content_type: str | None, documents: DocumentReaders | None = None
) -> Document | None:
    """Read a plain text or a document as the page that it would be; None if it cannot be read."""
    if documents is None:
        with DocumentReaders() as documents:
            return read_text_document(page, body, content_type, documents)
    content = read_content(page, body, content_type, documents)
    if content is None and page.kind == "text":
        content = read_plain_text(body, page.url, content_type)
    return None if content is None else to_page(content, page.url)


def is_text_document(page: Page) -> bool:
    """Say whether a page is a plain text or a document that has text, or may have."""
    return (page.kind == "text" and page.status == _OK) or is_document(page)


def _is_html(page: Page) -> bool:
    return page.kind == "html" and page.status == _OK


def decode_content(payload: bytes, coding: str) -> bytes:
    """Decode a content encoding; return the bytes unchanged if they cannot be decoded."""
    decoder = make_decoder(coding, _MOST_BODY_BYTES, Fetching().expansion)
    if decoder is None:
        return payload
    decoder.feed(payload)
    plain = decoder.finish()
    return payload if plain is None else plain
