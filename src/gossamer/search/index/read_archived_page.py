"""Read the indexable content of a page: title, headings, main text and the rest of HTML, or all text of a document."""

from collections.abc import Sequence
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
from gossamer.net.main_text.page_layout import PageLayout, make_layout
from gossamer.net.robots.page_directives import Directives, directives
from gossamer.records import Page
from gossamer.search.index.page_entry import Section

# A page of a million characters is a list or a book: its topic is clear from what comes before.
_MOST_CHARACTERS = 1_000_000
_MOST_HEADINGS = 200
# Signs behind headings that link to them.
_HEADING_MARKS = " ¶#§"
_LEVELS = {f"h{level}": level for level in range(1, 7)}

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
    sections: tuple[Section, ...] = ()
    """The sections of the main text, in order."""


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
    is_main = layout.flag_main_text()
    parts: tuple[list[str], list[str]] = ([], [])
    for text, where in zip(layout.texts, is_main, strict=True):
        parts[where].append(text)
    rest, main = ("\n".join(texts)[:_MOST_CHARACTERS] for texts in parts)
    return PageContent(
        title=document.title,
        headings=tuple(heading.text for heading in document.headings[:_MOST_HEADINGS]),
        main=main,
        rest=rest,
        directives=directives(document.robots, headers),
        words=page.words,
        simhash=page.simhash,
        sections=find_sections(layout, is_main),
    )


def find_sections(layout: PageLayout, is_main: Sequence[bool]) -> tuple[Section, ...]:
    """Return the sections of the main text by its headings h1 to h6; one whose heading is outside the main text begins after it."""
    found: list[Section] = []
    begin = 0
    for place, text, main in zip(layout.places, layout.texts, is_main, strict=True):
        if (level := _LEVELS.get(layout.tags[place])) and len(found) < _MOST_HEADINGS:
            # The heading before has no text below it, as in a side bar.
            while found and found[-1].begin == begin and found[-1].level >= level:
                found.pop()
            found.append(Section(begin, level, " ".join(text.split()).rstrip(_HEADING_MARKS)))
        begin += len(text) + 1 if main else 0
    return tuple(one for one in found if one.begin < begin)
