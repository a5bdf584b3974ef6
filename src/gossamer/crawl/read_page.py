"""Read an exchange into a page: its kind, its text, its links."""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import msgspec

from gossamer.net import fingerprint, html, media_type, robots
from gossamer.net.html.document import Document, Guard
from gossamer.net.html.plugin_readers import DOCUMENT, READER, Readers, find_reader, read_document
from gossamer.net.robots import Directives
from gossamer.net.sitemap import read_sitemap
from gossamer.net.url import UrlRules, find_link_rules
from gossamer.plugins import Plugin
from gossamer.records import Exchange, Link, Page, Request
from gossamer.store.reading_attempts import ReadingAttempts


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


REVISIT_AFTER = "revisit-after"
"""The mark with the revisit-after wish of a page, in seconds."""
UNREADABLE = "unreadable"
"""The mark of a page that broke a reader, with the error."""
KILLED_READERS = "reading it killed the program twice"
REDUCED = "reduced"
"""The mark of a page whose tree would have been too large, with what was left out before it was parsed."""
LINKS_CUT = "links-cut"
"""The mark of a page with more links than the task reads, with the number of links that were left out."""
NO_READERS: Readers = {}
_NO_DIRECTIVES = Directives()


def read(
    request: Request,
    exchange: Exchange,
    agent: str,
    page_links: int = html.MAX_LINKS,
    attempts: ReadingAttempts | None = None,
    readers: Readers = NO_READERS,
    schemes: tuple[str, ...] = (),
) -> Reading:
    """Read any exchange. Never raises: a page that makes no sense has no links, and one that breaks a reader is marked.

    A page that killed earlier readers twice, by `attempts`, is not read. `readers` are plug-ins for further media
    types, and `schemes` those besides http and https whose links count.
    """
    guard: Guard = nullcontext
    if attempts is not None:
        if request.id in attempts.banned:
            page = _make_page(request, exchange, dict(exchange.headers), "binary")
            return Reading(msgspec.structs.replace(page, marks={UNREADABLE: KILLED_READERS}))
        guard = partial(attempts.attempt, request.id)
    try:
        if reader := find_reader(readers, dict(exchange.headers).get("content-type")):
            return _read_by_plugin(reader, request, exchange, agent, page_links, guard)
        rules = find_link_rules(request.url.partition(":")[0], schemes)
        return _read(request, exchange, agent, page_links, guard, rules)
    except Exception as error:  # noqa: BLE001 - a bug in a reader must not end a crawl of a million pages
        page = _make_page(request, exchange, dict(exchange.headers), "binary")
        marks = {UNREADABLE: f"{type(error).__name__}: {error}"[:200]}
        return Reading(msgspec.structs.replace(page, marks=marks))


def _read(
    request: Request, exchange: Exchange, agent: str, page_links: int, guard: Guard, rules: UrlRules
) -> Reading:
    headers = dict(exchange.headers)
    content_type = headers.get("content-type")
    kind = media_type.detect_kind(content_type, exchange.body, request.url)
    if kind == "html":
        document = html.read(exchange.body, request.url, content_type, page_links, guard, rules)
        return _read_document(document, "html", request, exchange, headers, agent)
    directives = _read_directives((), exchange, headers, agent)
    page = _make_page(request, exchange, headers, kind, **_to_page_fields(directives))
    if kind not in ("sitemap", "feed"):
        return Reading(page, follow=directives.follow)
    listed, unpacked_bytes = read_sitemap.read_and_measure(exchange.body, request.url, content_type)
    links = tuple(Link(entry.loc, "sitemap") for entry in (*listed.entries, *listed.sitemaps))
    return Reading(
        page,
        links,
        follow=directives.follow,
        lists_sitemaps=bool(listed.sitemaps),
        sitemap_bytes=unpacked_bytes,
    )


def _read_by_plugin(
    reader: Plugin, request: Request, exchange: Exchange, agent: str, page_links: int, guard: Guard
) -> Reading:
    """Read a document by a plug-in; one that makes it raise an error is kept as bytes, and marked."""
    headers = dict(exchange.headers)
    try:
        with guard():
            document = read_document(reader, exchange.body, request.url, page_links)
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything
        page = _make_page(request, exchange, headers, "binary")
        marks = {UNREADABLE: reader.describe_failure(error), READER: reader.__name__}
        return Reading(msgspec.structs.replace(page, marks=marks))
    reading = _read_document(document, DOCUMENT, request, exchange, headers, agent)
    marks = reading.page.marks | {READER: reader.__name__}
    return msgspec.structs.replace(reading, page=msgspec.structs.replace(reading.page, marks=marks))


def _read_document(
    document: Document, kind: str, request: Request, exchange: Exchange, headers: dict[str, str], agent: str
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
        kind,
        title=document.title,
        declared_language=document.lang or headers.get("content-language", ""),
        description=document.description,
        text_digest=text_digest,
        simhash=simhash,
        words=words,
        **fields,
    )
    return Reading(page, document.links, document, directives.follow)


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
