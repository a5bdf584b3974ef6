"""What a judge sees of a page: its text, source and facts, without how it was found or rated."""

from pathlib import Path

import msgspec

from gossamer.assess.sample.page_relevance import ARCHIVE
from gossamer.crawl.from_archive.archived_pages import decode_content, read_text_document
from gossamer.net import html
from gossamer.net.encoding import decode
from gossamer.records import Exchange, Page
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.opening.open_archive import open_reader

# A longer page is a list or a book, and is judged by its beginning.
_MOST_CHARACTERS = 100_000


class JudgeView(msgspec.Struct, frozen=True):
    """A page as a judge sees it."""

    url: str
    title: str
    kind: str
    language: str
    fetched_s: float
    body_bytes: int
    words: int
    text: str
    """Its main text, or all text if it has none; "" if its bytes are no longer in the archive."""
    source: str
    """Its HTML as it was fetched, decoded."""


def read_view(folder: Path, page: Page) -> JudgeView:
    """Return what a judge sees of a page of the web in this folder."""
    exchange = open_reader(folder / ARCHIVE).read(WarcPosition(page.warc, page.warc_offset), decode_content)
    text, source = ("", "") if exchange is None else _read_texts(exchange, page)
    return JudgeView(
        url=page.url,
        title=page.title,
        kind=page.kind,
        language=page.language,
        fetched_s=page.fetched_s,
        body_bytes=page.body_bytes,
        words=page.words,
        text=text[:_MOST_CHARACTERS],
        source=source[:_MOST_CHARACTERS],
    )


def _read_texts(exchange: Exchange, page: Page) -> tuple[str, str]:
    content_type = dict(exchange.headers).get("content-type")
    if page.kind not in ("html", "text"):
        found = read_text_document(page, exchange.body, content_type)
        return ("", "") if found is None else (found.text, found.text)
    if page.kind != "html":
        text = decode(exchange.body, content_type)[0]
        return text, text
    document = html.read(exchange.body, page.url, content_type)
    return html.main_text(document) or document.text, document.source.decode("utf-8", "replace")
