"""Copies of pages, as the archive has them. They are hostile: they run nothing, and are strangers to this server."""

import re
from html import escape

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.archive.archived_pages import decode_content
from gossamer.errors import BadUrl
from gossamer.net import encoding, html
from gossamer.records import Page
from gossamer.search.links.page_neighbours import find_page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.ui.page_context import desk_of
from gossamer.ui.pages.inline_assets import Looks
from gossamer.web import Web

_NOT_THERE, _NOT_SHOWN = 404, 403
# What may stand before the first element. A <base> behind it comes before any other, and leaves the page its mode.
_BEFORE = re.compile(r"(?:\s+|<!--.*?-->|<\?[^>]*>)*(?:<!doctype[^>]*>)?", re.IGNORECASE | re.DOTALL)

# Only a person who clicks on a link leads away from a copy, and then from the whole page.
SANDBOX = "allow-top-navigation-by-user-activation"
_ALONE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:"
_WITH_LOOKS = (
    "default-src 'none'; style-src 'unsafe-inline' http: https:; img-src data: http: https:; "
    "font-src data: http: https:; media-src http: https:"
)
_READABLE = ("html", "text", "xml", "json", "feed", "sitemap")


class Copy(msgspec.Struct, frozen=True):
    """What the archive has of a page."""

    page: Page
    body: bytes
    content_type: str


class NoCopy(msgspec.Struct, frozen=True):
    """Why there is nothing to show."""

    status: int
    sentence: str


def cached(request: Request) -> Response:
    """Show a copy of a page in a frame of its own, under a banner that says of when it is."""
    desk = desk_of(request)
    with desk.web() as web:
        found = _copy(web, request.query_params.get("url", ""))
        if isinstance(found, NoCopy):
            return desk.page(request, "sentence.html", found.status, title="No copy", sentence=found.sentence)
        looks = Looks(web.store, _archive(web))
        _shown(found, looks)  # to say what the copy lacks
    live = request.query_params.get("looks") == "live"
    return desk.page(request, "cached.html", copy=found.page, looks=looks, live=live, sandbox=SANDBOX)


def bare(request: Request) -> Response:
    """Return a copy of a page itself."""
    with desk_of(request).web() as web:
        found = _copy(web, request.query_params.get("url", ""))
        if isinstance(found, NoCopy):
            return Response(found.sentence, found.status, media_type="text/plain")
        shown = _shown(found, Looks(web.store, _archive(web)))
    loads = _WITH_LOOKS if request.query_params.get("looks") == "live" else _ALONE
    headers = {
        "content-security-policy": f"sandbox {SANDBOX}; {loads}; form-action 'none'; frame-ancestors 'self'",
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
        "x-dns-prefetch-control": "off",
    }
    kind = "text/html" if found.page.kind == "html" else "text/plain"
    return Response(shown.encode("utf-8", "replace"), headers=headers, media_type=f"{kind}; charset=utf-8")


def _copy(web: Web, url: str) -> Copy | NoCopy:
    try:
        page = web.store.page(find_page(web.store, url))
    except BadUrl:
        return NoCopy(_NOT_THERE, "That is not the address of a page.")
    if page is None:
        return NoCopy(_NOT_THERE, "This page is not in the collection.")
    if not page.archive:
        return NoCopy(_NOT_SHOWN, "This page asks that no copy of it be shown (noarchive).")
    if page.kind not in _READABLE:
        return NoCopy(_NOT_SHOWN, f"This page is no text that could be shown here, but {page.kind}.")
    exchange = _archive(web).read(WarcPosition(page.warc, page.warc_offset), decode_content)
    if exchange is None:
        return NoCopy(_NOT_THERE, "The archive does not have this page any more.")
    return Copy(page, exchange.body, dict(exchange.headers).get("content-type", ""))


def _archive(web: Web) -> ArchiveReader:
    return ArchiveReader(web.folder / "archive")


def _shown(found: Copy, looks: Looks) -> str:
    """Return the text of a copy; of a page, with its looks as far as they are at hand, and links that lead to where they led."""
    text, _ = encoding.decode(found.body, found.content_type)
    if found.page.kind != "html":
        return text
    base = html.read(found.body, found.page.url, found.content_type).base
    before = _BEFORE.match(text)
    at = before.end() if before else 0
    elements = looks.dressed(text, base) or text[at:]
    return f'{text[:at]}<base href="{escape(base)}" target="_top">{elements}'


ROUTES = (Route("/cached", cached), Route("/cached/page", bare))
