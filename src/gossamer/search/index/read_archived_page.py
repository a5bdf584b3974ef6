"""Read the indexable content of a page: title, headings, main text and the rest of HTML, or all text of a document."""

from contextlib import nullcontext
from urllib.parse import unquote, urlsplit

import msgspec

from gossamer.documents.document_content import DocumentContent
from gossamer.documents.read_document import DocumentReaders
from gossamer.documents.readable_pages import is_document, read_content
from gossamer.net import html
from gossamer.net.encoding import decode
from gossamer.net.fingerprint import text_fingerprints
from gossamer.net.html.document import Document, Guard
from gossamer.net.main_text.page_layout import make_layout
from gossamer.net.robots.page_directives import Directives, directives
from gossamer.records import Page

# A page of a million characters is a list or a book: its topic is clear from what comes before.
_MOST_CHARACTERS = 1_000_000
_MOST_HEADINGS = 200

# Markdown is found as the text that it is.
_KIND_OF_FORMAT = {"markdown": "text"}

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
    kind: str = ""
    """The format of a document, which is more exact than the kind of its page."""
    parts: tuple[tuple[int, str], ...] = ()
    """Where the parts of a document begin in the main text, and their labels."""


def read_page(
    page: Page,
    body: bytes,
    headers: Headers = (),
    guard: Guard = nullcontext,
    documents: DocumentReaders | None = None,
) -> PageContent:
    """Read the body of a page, HTML within `guard()`, documents in their process. Cost for HTML: that of a layout."""
    content_type = dict(headers).get("content-type")
    if page.kind == "html":
        with guard():
            # Links come from the store: resolving them again is a third of the time of reading.
            return _read_html(page, html.read(body, page.url, content_type, most_links=0), headers)
    name = unquote(urlsplit(page.url).path.rpartition("/")[2])
    asks = directives((), headers)
    found = read_content(page, body, content_type, documents) if documents is not None else None
    if found is not None:
        return _make_content(found, name, asks)
    # A document that cannot be read is found by its name and by the links to it.
    text = "" if is_document(page) else decode(body, content_type)[0][:_MOST_CHARACTERS]
    _, simhash, words = text_fingerprints(text)
    return PageContent(title=name, main=text, directives=asks, words=words, simhash=simhash)


def _make_content(document: DocumentContent, name: str, asks: Directives) -> PageContent:
    """Return the indexable content of a document, with the places where its pages or chapters begin."""
    parts: list[tuple[int, str]] = []
    begin = 0
    for part in document.parts:
        if part.label:
            parts.append((begin, part.label))
        begin += len(part.text) + 1
    text = document.text[:_MOST_CHARACTERS]
    _, simhash, words = text_fingerprints(text)
    return PageContent(
        title=document.title or name,
        headings=document.headings[:_MOST_HEADINGS],
        main=text,
        directives=asks,
        words=words,
        simhash=simhash,
        kind=_KIND_OF_FORMAT.get(document.format, document.format),
        parts=tuple(parts),
    )


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
