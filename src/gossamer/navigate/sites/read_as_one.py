"""The kept texts of a sequence of pages, one after the other, to be read or printed as one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.navigate.sites.page_sequence import PagePart
from gossamer.net import url as urls
from gossamer.net.html.document import Document
from gossamer.net.main_text.page_layout import make_layout
from gossamer.records import Page
from gossamer.store.opening.open_archive import open_reader
from gossamer.web import Web

_MOST_CHARACTERS = 2_000_000
"""Of all parts together: about a thousand printed pages."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


class ReadBlock(msgspec.Struct, frozen=True):
    """A paragraph of a text: `heading`, `code`, `item`, or `text`."""

    kind: str
    text: str


class ReadPart(msgspec.Struct, frozen=True):
    """The text of one part."""

    url: str
    title: str
    language: str = ""
    fetched_s: float = 0.0
    blocks: tuple[ReadBlock, ...] = ()
    missing: str = ""
    """Why there is no text, in one sentence."""


def read_parts(web: Web, parts: Sequence[PagePart]) -> Iterator[ReadPart]:
    """Yield the text of each part, in order; parts after two million characters only have their names."""
    reader, left = open_reader(Path(web.folder) / "archive"), _MOST_CHARACTERS
    pages = web.store.pages_by_id(urls.page_id(part.url) for part in parts)
    for part in parts:
        page = pages.get(urls.page_id(part.url))
        document = read_document(page, reader) if page is not None and page.archive and left > 0 else None
        if page is None or document is None:
            yield ReadPart(part.url, part.title, missing=_explain(page, left))
            continue
        blocks = _list_blocks(document, page.title)
        left -= sum(len(block.text) for block in blocks)
        yield ReadPart(part.url, page.title, page.language, page.fetched_s, blocks)


def _explain(page: Page | None, left: int) -> str:
    if page is not None and not page.archive:
        return "This page allows no copies."
    return "The archive has no copy of this page." if left > 0 else "The text is too long to be shown as one."


def _list_blocks(document: Document, title: str) -> tuple[ReadBlock, ...]:
    layout = make_layout(document)
    flags = layout.flag_main_text()
    flags = flags if any(flags) else [True] * len(flags)
    found = list[ReadBlock]()
    for place, text, is_main in zip(layout.places, layout.texts, flags, strict=True):
        is_repeated = not found and text.strip().casefold() == title.strip().casefold()
        if not is_main or not text.strip() or is_repeated:
            continue
        kind = {"code": "code", "list item": "item"}.get(layout.kinds[place], "text")
        found.append(ReadBlock("heading" if layout.tags[place] in _HEADINGS else kind, text))
    return tuple(found)
