"""The pages of a web, read once more from its archive: for whatever wants more of them than the crawl took."""

from collections.abc import Iterator
from pathlib import Path

from gossamer.config import Fetching
from gossamer.fetch.http.content_decoding import make_decoder
from gossamer.net import html
from gossamer.net.html.document import Document
from gossamer.records import Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.batch import Store

# What lies in an archive was small enough for whoever fetched it; this only keeps bombs from going off.
_MOST_BODY_BYTES = 1 << 28
_OK = 200


def read_again(store: Store, archive: Path) -> Iterator[tuple[Page, Document]]:
    """Read all pages of HTML that a web has, in order of arrival; what is not in the archive any more is passed over.

    Cost: that of reading the pages; memory for one of them. The web may be crawled meanwhile.
    """
    kept = ArchiveReader(archive)
    for page in store.pages():
        document = document_of(page, kept)
        if document is not None:
            yield page, document


def document_of(page: Page, kept: ArchiveReader) -> Document | None:
    """Read a page once more; None if it is not HTML, or not in the archive any more."""
    if page.kind != "html" or page.status != _OK:
        return None
    exchange = kept.read(WarcPosition(page.warc, page.warc_offset), decoded)
    if exchange is None:
        return None
    return html.read(exchange.body, page.url, dict(exchange.headers).get("content-type"))


def decoded(payload: bytes, coding: str) -> bytes:
    """Undo a content encoding; what cannot be undone stays as it is."""
    decoder = make_decoder(coding, _MOST_BODY_BYTES, Fetching().expansion)
    if decoder is None:
        return payload
    decoder.feed(payload)
    plain = decoder.finish()
    return payload if plain is None else plain
