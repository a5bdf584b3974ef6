"""What a judge sees of a page: what it says and what it is, and nothing of how it was found or rated."""

from pathlib import Path

import msgspec

from gossamer.assess.sample.page_relevance import ARCHIVE
from gossamer.crawl.archive.archived_pages import decoded
from gossamer.net import html
from gossamer.net.encoding import decode
from gossamer.records import Exchange, Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition

# A page that is longer is a list or a book: nobody reads on to judge it.
_MOST_CHARACTERS = 100_000


class Shown(msgspec.Struct, frozen=True):
    """A page before a judge."""

    url: str
    title: str
    kind: str
    language: str
    fetched_s: float
    body_bytes: int
    words: int
    text: str
    """Its main text, or all of it where it has none; "" if its bytes are not in the archive any more."""
    source: str
    """Its HTML as it came, decoded."""


def shown(folder: Path, page: Page) -> Shown:
    """Return what a judge sees of a page of the web in this folder."""
    exchange = ArchiveReader(folder / ARCHIVE).read(WarcPosition(page.warc, page.warc_offset), decoded)
    text, source = ("", "") if exchange is None else _texts(exchange, page)
    return Shown(
        page.url,
        page.title,
        page.kind,
        page.language,
        page.fetched_s,
        page.body_bytes,
        page.words,
        text[:_MOST_CHARACTERS],
        source[:_MOST_CHARACTERS],
    )


def _texts(exchange: Exchange, page: Page) -> tuple[str, str]:
    content_type = dict(exchange.headers).get("content-type")
    if page.kind != "html":
        text = decode(exchange.body, content_type)[0]
        return text, text
    document = html.read(exchange.body, page.url, content_type)
    return html.main_text(document) or document.text, document.source.decode("utf-8", "replace")
