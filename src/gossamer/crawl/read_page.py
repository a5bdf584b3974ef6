"""Read an exchange into a page: its kind, its text, its links."""

from collections.abc import Sequence
from typing import Any

import msgspec

from gossamer.net import fingerprint, html, media_type, robots
from gossamer.net.html.document import Document
from gossamer.net.robots import Directives
from gossamer.net.sitemap import read_sitemap
from gossamer.records import Exchange, Link, Page, Request


class Reading(msgspec.Struct, frozen=True):
    """The result of reading one exchange."""

    page: Page
    links: Sequence[Link] = ()
    document: Document | None = None
    """The parsed HTML, for classifiers and filters."""
    follow: bool = True
    """Whether the page's own directives let robots follow its links."""


REVISIT_AFTER = "revisit-after"
"""The mark with the revisit-after wish of a page, in seconds."""
UNREADABLE = "unreadable"
"""The mark of a page that broke a reader, with the error."""
_NO_DIRECTIVES = Directives()


def read(request: Request, exchange: Exchange, agent: str) -> Reading:
    """Read any exchange. Never raises: a page that makes no sense has no links, and one that breaks a reader is marked."""
    try:
        return _read(request, exchange, agent)
    except Exception as error:  # noqa: BLE001 - a bug in a reader must not end a crawl of a million pages
        page = _make_page(request, exchange, dict(exchange.headers), "binary")
        marks = {UNREADABLE: f"{type(error).__name__}: {error}"[:200]}
        return Reading(msgspec.structs.replace(page, marks=marks))


def _read(request: Request, exchange: Exchange, agent: str) -> Reading:
    headers = dict(exchange.headers)
    content_type = headers.get("content-type")
    kind = media_type.detect_kind(content_type, exchange.body, request.url)
    if kind == "html":
        return _read_html(request, exchange, headers, agent)
    directives = _read_directives((), exchange, headers, agent)
    page = _make_page(request, exchange, headers, kind, **_to_page_fields(directives))
    links: tuple[Link, ...] = ()
    if kind in ("sitemap", "feed"):
        listed = read_sitemap.read(exchange.body, request.url, content_type)
        links = tuple(Link(entry.loc, "sitemap") for entry in (*listed.entries, *listed.sitemaps))
    return Reading(page, links, follow=directives.follow)


def _read_html(request: Request, exchange: Exchange, headers: dict[str, str], agent: str) -> Reading:
    document = html.read(exchange.body, request.url, headers.get("content-type"))
    directives = _read_directives(document.robots, exchange, headers, agent)
    text_digest, simhash, words = fingerprint.text_fingerprints(document.text)
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
        **_to_page_fields(directives),
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
