"""Read an exchange into a page: its kind, its text, its links."""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import msgspec

from gossamer.documents.document_content import DocumentContent
from gossamer.documents.find_reader import PLAIN_TEXT, choose_reader
from gossamer.documents.formats.plain_text import read_plain_text
from gossamer.documents.plugin_readers import DOCUMENT, NO_READERS, READER, PluginReaders, get_plugin_name
from gossamer.documents.readable_pages import UNREADABLE
from gossamer.documents.render_html import to_page
from gossamer.documents.worker.messages import ReadingResult, UnreadDocument
from gossamer.errors import BadUrl
from gossamer.net import fingerprint, html, media_type, robots
from gossamer.net.html.document import Document, Guard
from gossamer.net.html.references import AddressPlaces
from gossamer.net.robots import Directives
from gossamer.net.sitemap import read_sitemap
from gossamer.net.url import UrlRules, canonical, find_link_rules, host, page_id
from gossamer.records import Exchange, Link, Page, Request
from gossamer.store.reading_attempts import ReadingAttempts

_replace = msgspec.structs.replace


class Reading(msgspec.Struct, frozen=True):
    """The result of reading one exchange."""

    page: Page
    links: Sequence[Link] = ()
    document: Document | None = None
    """The parsed HTML, for classifiers and filters."""
    follow: bool = True
    """Whether the page's own directives let robots follow its links."""
    lists_sitemaps: bool = False
    """Whether it is an index, which lists further sitemaps."""
    sitemap_bytes: int = 0
    """The unpacked size of a sitemap."""
    unread: UnreadDocument | None = None
    """The document that is still to be read, in a process with limits; None for HTML and plain text."""
    requisites: Sequence[str] = ()
    """The URLs of what it needs to be shown, if they were asked for."""
    places: AddressPlaces | None = None
    """Where the addresses in its body are, if they were asked for and found."""


REVISIT_AFTER = "revisit-after"
"""The mark with the revisit-after wish of a page, in seconds."""
KILLED_READERS = "reading it killed the program twice"
REDUCED = "reduced"
"""The mark of a page whose tree would have been too large, with what was left out before it was parsed."""
LINKS_CUT = "links-cut"
"""The mark of a page with more links than the task reads, with the number of links that were left out."""
FORMAT = "format"
"""The mark with the format of a document that was read, such as docx."""
PARTS = "parts"
"""The mark with the number of pages, sheets, chapters or messages of a document that have text."""
AUTHOR = "author"
DATED = "dated"
"""The mark with the date that a document gives for itself."""
READER_NOTES = "reader-notes"
"""The mark with what the reader of a document left out."""
_LONGEST_MARK = 300
_OK = 200
_NO_DIRECTIVES = Directives()


def read(
    request: Request,
    exchange: Exchange,
    agent: str,
    page_links: int = html.MAX_LINKS,
    attempts: ReadingAttempts | None = None,
    requisites: bool = False,
    readers: PluginReaders = NO_READERS,
    schemes: tuple[str, ...] = (),
    texts: bool = True,
    groups: dict[str, int] | None = None,
) -> Reading:
    """Read any exchange. Never raises: a page that makes no sense has no links, and one that breaks a reader is marked.

    A page that killed earlier readers twice, by `attempts`, is not read. With `requisites`, also find what it needs to be shown.
    `readers` are plug-ins for further media types, and `schemes` those besides http and https whose links count. Without
    `texts`, HTML is read for its links alone, and images are not read; `groups` asks for the places of its addresses.
    """
    guard: Guard = nullcontext
    if attempts is not None:
        if request.id in attempts.banned:
            page = _make_page(request, exchange, dict(exchange.headers), "binary")
            return Reading(_replace(page, marks={UNREADABLE: KILLED_READERS}))
        guard = partial(attempts.attempt, request.id)
    try:
        rules = find_link_rules(request.url.partition(":")[0], schemes)
        if not texts:
            return _read_addresses(
                request, exchange, agent, page_links, guard, rules, readers, requisites, groups
            )
        reading = _read(request, exchange, agent, page_links, guard, rules, readers)
        return _add_requisites(reading, exchange, page_links) if requisites else reading
    except Exception as error:  # noqa: BLE001 - a bug in a reader must not end a crawl of a million pages
        page = _make_page(request, exchange, dict(exchange.headers), "binary")
        marks = {UNREADABLE: f"{type(error).__name__}: {error}"[:200]}
        return Reading(_replace(page, marks=marks))


def _add_requisites(reading: Reading, exchange: Exchange, most: int) -> Reading:
    """Return the reading of a page or style sheet with what it needs to be shown."""
    from gossamer.crawl.page_requisites import (  # late: few tasks fetch requisites
        find_page_requisites,
        find_style_requisites,
    )

    if reading.document is not None:
        found = find_page_requisites(reading.document, most)
    elif reading.page.kind == "style":
        found = find_style_requisites(exchange, most)
    else:
        return reading
    return msgspec.structs.replace(reading, requisites=found)


def _read_addresses(
    request: Request,
    exchange: Exchange,
    agent: str,
    page_links: int,
    guard: Guard,
    rules: UrlRules,
    readers: PluginReaders,
    requisites: bool,
    groups: dict[str, int] | None,
) -> Reading:
    """Read HTML for where it leads and what it needs; read anything else as usual, except for images."""
    from gossamer.crawl.page_requisites import REQUISITE_KINDS, resolve_requisites

    headers = dict(exchange.headers)
    content_type = headers.get("content-type")
    if readers or media_type.detect_kind(content_type, exchange.body, request.url) != "html":
        reading = _read(request, exchange, agent, page_links, guard, rules, readers)
        if reading.page.kind == "image" or request.type == "requisite":
            reading = _replace(reading, unread=None)
        return _add_requisites(reading, exchange, page_links) if requisites else reading
    document, needed, places = html.read_addresses(
        exchange.body,
        request.url,
        content_type,
        REQUISITE_KINDS if requisites else (),
        page_links,
        rules,
        groups,
    )
    reading = _read_html(document, request, exchange, headers, agent)
    found = resolve_requisites(needed, document, page_links) if needed else ()
    return _replace(reading, document=None, requisites=found, places=places)


def _read(
    request: Request,
    exchange: Exchange,
    agent: str,
    page_links: int,
    guard: Guard,
    rules: UrlRules,
    readers: PluginReaders,
) -> Reading:
    headers = dict(exchange.headers)
    content_type = headers.get("content-type")
    kind: str = media_type.detect_kind(content_type, exchange.body, request.url)
    reader = (
        choose_reader(kind, content_type, exchange.body, request.url, readers)
        if readers or kind != "html"
        else ""
    )
    if kind == "html" and not reader:
        document = html.read(exchange.body, request.url, content_type, page_links, guard, rules)
        return _read_html(document, request, exchange, headers, agent)
    directives = _read_directives((), exchange, headers, agent)
    fields = _to_page_fields(directives)
    if plugin := get_plugin_name(reader):
        kind, fields["marks"][READER] = DOCUMENT, plugin
    page = _make_page(request, exchange, headers, kind, **fields)
    unread = UnreadDocument(reader, request.url, exchange.body) if reader else None
    if reader == PLAIN_TEXT:
        content = read_plain_text(exchange.body, request.url, content_type)
        return add_content(Reading(page, follow=directives.follow), content, page_links)
    if kind not in ("sitemap", "feed"):
        return Reading(page, follow=directives.follow, unread=unread)
    listed, unpacked_bytes = read_sitemap.read_and_measure(exchange.body, request.url, content_type)
    links = tuple(Link(entry.loc, "sitemap") for entry in (*listed.entries, *listed.sitemaps))
    return Reading(
        page,
        links,
        follow=directives.follow,
        lists_sitemaps=bool(listed.sitemaps),
        sitemap_bytes=unpacked_bytes,
        unread=unread,
    )


def add_content(reading: Reading, result: ReadingResult, page_links: int = html.MAX_LINKS) -> Reading:
    """Return the reading of a document with what its reader found, or with the reason why it was not read."""
    page = reading.page
    if not isinstance(result, DocumentContent):
        marks = page.marks | {UNREADABLE: str(result)[:_LONGEST_MARK]}
        return _replace(reading, page=_replace(page, marks=marks), unread=None)
    text = result.text
    if page.kind == "image" and not text:
        return _replace(reading, unread=None)
    document = to_page(result, page.url, page_links)
    text_digest, simhash, words = fingerprint.text_fingerprints(text)
    page = _replace(
        page,
        title=result.title,
        declared_language=result.language,
        text_digest=text_digest,
        simhash=simhash,
        words=words,
        marks=page.marks | _describe_content(result),
    )
    # The links of a feed are those of its entries, which are followed like those of a sitemap.
    links = reading.links or document.links
    return _replace(reading, page=page, links=links, document=document, unread=None)


def _describe_content(content: DocumentContent) -> dict[str, str]:
    """Return the marks of a document; plain text has none."""
    if content.format == PLAIN_TEXT:
        return {}
    marks = {
        FORMAT: content.format,
        PARTS: str(len(content.parts)) if len(content.parts) > 1 else "",
        AUTHOR: content.author,
        DATED: content.date,
        READER_NOTES: "; ".join(content.warnings),
    }
    return {name: value[:_LONGEST_MARK] for name, value in marks.items() if value}


def _read_html(
    document: Document, request: Request, exchange: Exchange, headers: dict[str, str], agent: str
) -> Reading:
    directives = _read_directives(document.robots, exchange, headers, agent)
    text_digest, simhash, words = fingerprint.text_fingerprints(document.text)
    fields = _to_page_fields(directives)
    if document.reduced:
        fields["marks"][REDUCED] = document.reduced
    if document.links_cut:
        fields["marks"][LINKS_CUT] = str(document.links_cut)
    page = _make_page(
        request,
        exchange,
        headers,
        "html",
        title=document.title,
        declared_language=document.lang or headers.get("content-language", ""),
        description=document.description,
        text_digest=text_digest,
        simhash=simhash,
        words=words,
        **fields,
    )
    return Reading(page, document.links, document, directives.follow)


_SHOWN_WITH_PAGES = frozenset({"image", "style", "script", "font", "audio", "video"})


def make_requisite(request: Request, exchange: Exchange) -> Page | None:
    """Return the row of what a page needs to be shown and a browser loaded; None if it is of another kind."""
    headers = dict(exchange.headers)
    kind = media_type.detect_kind(headers.get("content-type"), exchange.body, exchange.url)
    if kind not in _SHOWN_WITH_PAGES or exchange.status != _OK:
        return None
    try:
        url = canonical(exchange.url)
    except BadUrl:
        return None
    own = _replace(request, id=page_id(url), url=url, host=host(url))
    return _make_page(own, exchange, headers, kind)


def _read_directives(
    metas: tuple[tuple[str, str], ...], exchange: Exchange, headers: dict[str, str], agent: str
) -> Directives:
    """Return the robots directives of a page, from its meta elements and headers."""
    if not metas and "x-robots-tag" not in headers:
        return _NO_DIRECTIVES
    return robots.directives(metas, exchange.headers, agent)


def _to_page_fields(directives: Directives) -> dict[str, Any]:
    """Return the page fields that follow from the directives."""
    after_s = directives.revisit_after_s
    marks = {} if after_s is None else {REVISIT_AFTER: f"{after_s:.0f}"}
    return {"index": directives.index, "archive": directives.archive, "marks": marks}


def _make_page(request: Request, exchange: Exchange, headers: dict[str, str], kind: str, **read: Any) -> Page:
    return Page(
        request.id,
        request.url,
        request.host,
        request.task,
        request.depth,
        exchange.began_s,
        exchange.status,
        kind,
        body_bytes=len(exchange.body),
        digest=fingerprint.digest(exchange.payload),
        etag=headers.get("etag", ""),
        last_modified=headers.get("last-modified", ""),
        cut=exchange.cut,
        **read,
    )
