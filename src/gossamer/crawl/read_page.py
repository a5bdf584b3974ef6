"""From an exchange to a page: what kind of thing it is, what it says, where it links to."""

from collections.abc import Sequence
from typing import Any

import msgspec

from gossamer.net import fingerprint, html, media_type, robots
from gossamer.net.html.document import Document
from gossamer.net.robots import Directives
from gossamer.net.sitemap import read_sitemap
from gossamer.records import Exchange, Link, Page, Request


class Reading(msgspec.Struct, frozen=True):
    """What reading one exchange yields."""

    page: Page
    links: Sequence[Link] = ()
    document: Document | None = None
    """For classifiers and filters that want to look closer."""
    follow: bool = True
    """Whether the page's own directives let robots follow its links."""


REVISIT_AFTER = "revisit-after"
"""The mark of a page that says when it wants to be visited again, in seconds."""
UNREADABLE = "unreadable"
"""The mark of a page that broke a reader: what was wrong with whom."""
_NO_WISHES = Directives()


def read(request: Request, exchange: Exchange, agent: str) -> Reading:
    """Read whatever came. Total: a page that makes no sense is a page without links, and one that breaks a reader
    is kept and marked."""
    try:
        return _read(request, exchange, agent)
    except Exception as error:  # noqa: BLE001 - a mistake of ours must not end a crawl of a million pages
        page = _page(request, exchange, dict(exchange.headers), "binary")
        marks = {UNREADABLE: f"{type(error).__name__}: {error}"[:200]}
        return Reading(msgspec.structs.replace(page, marks=marks))


def _read(request: Request, exchange: Exchange, agent: str) -> Reading:
    headers = dict(exchange.headers)
    content_type = headers.get("content-type")
    kind = media_type.detect_kind(content_type, exchange.body, request.url)
    if kind == "html":
        return _read_html(request, exchange, headers, agent)
    wishes = _wishes((), exchange, headers, agent)
    page = _page(request, exchange, headers, kind, **_as_wished(wishes))
    links: tuple[Link, ...] = ()
    if kind in ("sitemap", "feed"):
        listed = read_sitemap.read(exchange.body, request.url, content_type)
        links = tuple(Link(entry.loc, "sitemap") for entry in (*listed.entries, *listed.sitemaps))
    return Reading(page, links, follow=wishes.follow)


def _read_html(request: Request, exchange: Exchange, headers: dict[str, str], agent: str) -> Reading:
    document = html.read(exchange.body, request.url, headers.get("content-type"))
    wishes = _wishes(document.robots, exchange, headers, agent)
    text_digest, simhash, words = fingerprint.text_fingerprints(document.text)
    page = _page(
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
        **_as_wished(wishes),
    )
    return Reading(page, document.links, document, wishes.follow)


def _wishes(
    metas: tuple[tuple[str, str], ...], exchange: Exchange, headers: dict[str, str], agent: str
) -> Directives:
    """Return what a page asks of robots, by its metas and by the headers it came with."""
    if not metas and "x-robots-tag" not in headers:
        return _NO_WISHES
    return robots.directives(metas, exchange.headers, agent)


def _as_wished(wishes: Directives) -> dict[str, Any]:
    """Return what is kept of these wishes with a page."""
    after_s = wishes.revisit_after_s
    marks = {} if after_s is None else {REVISIT_AFTER: f"{after_s:.0f}"}
    return {"index": wishes.index, "archive": wishes.archive, "marks": marks}


def _page(request: Request, exchange: Exchange, headers: dict[str, str], kind: str, **read: Any) -> Page:
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
