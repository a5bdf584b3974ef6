"""Read the indexable content of a page: title, headings, main text and the rest of HTML, or a whole plain text."""

from contextlib import nullcontext
from html import escape
from urllib.parse import unquote, urlsplit

import msgspec

from gossamer.net import html
from gossamer.net.encoding import decode
from gossamer.net.fingerprint import text_fingerprints
from gossamer.net.html.document import Document, Guard
from gossamer.net.html.plugin_readers import DOCUMENT, READER, load_reader, read_document
from gossamer.net.main_text.page_layout import make_layout
from gossamer.net.robots.page_directives import Directives, directives
from gossamer.records import Page

# A page of a million characters is a list or a book: its topic is clear from what comes before.
_MOST_CHARACTERS = 1_000_000
_MOST_HEADINGS = 200

Headers = tuple[tuple[str, str], ...]
"""Lower-case names, and values."""


class PageContent(msgspec.Struct, frozen=True, kw_only=True):
    """The indexable content of a page."""

    title: str
    headings: tuple[str, ...] = ()
    main: str
    rest: str = ""
    directives: Directives
    """What it asks of robots."""
    words: int
    simhash: int


def read_page(page: Page, body: bytes, headers: Headers = (), guard: Guard = nullcontext) -> PageContent:
    """Read the body of a page, HTML within `guard()`. Cost for HTML: that of a layout."""
    content_type = dict(headers).get("content-type")
    if page.kind == "html":
        with guard():
            # Links come from the store: resolving them again is a third of the time of reading.
            return _read_html(page, html.read(body, page.url, content_type, most_links=0), headers)
    if page.kind == DOCUMENT:
        with guard():
            return _read_html(page, _read_document(page, body), headers)
    text = decode(body, content_type)[0][:_MOST_CHARACTERS]
    _, simhash, words = text_fingerprints(text)
    name = unquote(urlsplit(page.url).path.rpartition("/")[2])
    return PageContent(
        title=name, main=text, directives=directives((), headers), words=words, simhash=simhash
    )


def _read_document(page: Page, body: bytes) -> Document:
    """Read a document by the plug-in that read it in the crawl; without it, only its title is known."""
    try:
        return read_document(load_reader(page.marks.get(READER, "")), body, page.url, most_links=0)
    except Exception:  # noqa: BLE001 - a plug-in may raise anything, or not be installed here
        return html.read(f"<title>{escape(page.title)}</title>", page.url, most_links=0)


def _read_html(page: Page, document: Document, headers: Headers) -> PageContent:
    layout = make_layout(document)
    parts: tuple[list[str], list[str]] = ([], [])
    for text, is_main in zip(layout.texts, layout.flag_main_text(), strict=True):
        parts[is_main].append(text)
    rest, main = ("\n".join(texts)[:_MOST_CHARACTERS] for texts in parts)
    return PageContent(
        title=document.title,
        headings=tuple(heading.text for heading in document.headings[:_MOST_HEADINGS]),
        main=main,
        rest=rest,
        directives=directives(document.robots, headers),
        words=page.words,
        simhash=page.simhash,
    )
