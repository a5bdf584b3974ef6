"""Read the pages of a web again from its archive, for features that need more than the crawl stored."""

from collections.abc import Callable, Iterator
from pathlib import Path

from gossamer.config import Fetching
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
    """Yield all HTML pages of a web in order of arrival; `on_missing` receives those that the archive does not have.

    Cost: that of reading the pages; memory for one of them. The web may be crawled meanwhile.
    """
    reader = open_reader(archive)
    for page in store.pages():
        document = read_document(page, reader)
        if document is not None:
            yield page, document
        elif _is_readable(page) and (page.warc or MISSING in page.marks):  # a task may keep no bodies
            on_missing(page)


def read_document(page: Page, reader: ArchiveReader) -> Document | None:
    """Read a page from the archive; None if it is not HTML or not in the archive."""
    if not _is_readable(page):
        return None
    exchange = reader.read(WarcPosition(page.warc, page.warc_offset), decode_content)
    if exchange is None:
        return None
    return html.read(exchange.body, page.url, dict(exchange.headers).get("content-type"))


def _is_readable(page: Page) -> bool:
    return page.kind == "html" and page.status == _OK


def decode_content(payload: bytes, coding: str) -> bytes:
    """Decode a content encoding; return the bytes unchanged if they cannot be decoded."""
    decoder = make_decoder(coding, _MOST_BODY_BYTES, Fetching().expansion)
    if decoder is None:
        return payload
    decoder.feed(payload)
    plain = decoder.finish()
    return payload if plain is None else plain
