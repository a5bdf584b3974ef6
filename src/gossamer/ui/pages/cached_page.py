"""Show archived copies of pages, which may be hostile: they run no scripts and have no access to this server."""

import re
from functools import lru_cache
from html import escape
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.documents.read_document import DocumentReaders
from gossamer.documents.readable_pages import is_document, read_content
from gossamer.documents.render_html import render
from gossamer.errors import BadUrl, MissingExtra, NoIndex
from gossamer.net import encoding, html
from gossamer.net.html.parse_tree import parse_page
from gossamer.records import Page
from gossamer.search.links.page_neighbours import find_page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.reading_attempts import ReadingAttempts
from gossamer.ui.page_context import get_context
from gossamer.ui.pages.cached_page_assets import AssetInliner
from gossamer.ui.pages.copy_links import READABLE, CopyLinks
from gossamer.ui.pages.mark_copy import FIRST_MARK, FindMarks, mark_words
from gossamer.web import Web

_NOT_THERE, _NOT_SHOWN = 404, 403
_HTML = "text/html; charset=utf-8"
# What may come before the first element. A <base> after it is the first one, and keeps the page in its rendering mode.
_BEFORE = re.compile(r"(?:\s+|<!--.*?-->|<\?[^>]*>)*(?:<!doctype[^>]*>)?", re.IGNORECASE | re.DOTALL)

# Only a click on a link leaves a copy, and then replaces the whole page.
SANDBOX = "allow-top-navigation-by-user-activation"
_ARCHIVED_ONLY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:"
)
_WITH_LIVE_ASSETS = (
    "default-src 'none'; style-src 'unsafe-inline' http: https:; img-src data: http: https:; "
    "font-src data: http: https:; media-src http: https:"
)
_MOST_CHARACTERS = 2_000


class ArchivedCopy(msgspec.Struct, frozen=True):
    """The archived copy of a page."""

    page: Page
    body: bytes
    content_type: str
    is_html: bool = False
    """Whether the body is HTML, of a page or of a document that is shown as one."""


class CopyRequest(msgspec.Struct, frozen=True):
    """How a copy is shown."""

    query: str = ""
    """The query whose words are marked."""
    is_live: bool = False
    """Whether the browser loads images and styles from the web."""
    origin: str = ""
    """Which of several webs has it."""


class RenderedCopy(msgspec.Struct, frozen=True):
    """The text of a copy, and how many words of the query are marked in it."""

    text: str
    marks: int | None = None
    """None if the query has no words."""


class NoCopy(msgspec.Struct, frozen=True):
    """Why there is no copy to show."""

    status: int
    sentence: str


def show_copy(request: Request) -> Response:
    """Show a copy of a page in a frame, under a banner with its date."""
    context = get_context(request)
    with context.borrow_web(request.query_params.get("origin", "")) as web:
        found = _find_copy(web, request.query_params.get("url", ""))
        if isinstance(found, NoCopy):
            return context.render_page(
                request, "sentence.html", found.status, title="No copy", sentence=found.sentence
            )
        assets = AssetInliner(web.store, _open_archive(web))
        view = _read_view(request)
        with open_attempts(web.folder).attempt(found.page.id):
            shown = _render_copy(
                found, assets, web, view
            )  # to count marks, and what the archive does not have
    return context.render_page(
        request,
        "cached.html",
        copy=found.page,
        assets=assets,
        live=view.is_live,
        query=view.query,
        origin=view.origin,
        marks=shown.marks,
        part=request.query_params.get("part", ""),
        sandbox=SANDBOX,
        first_mark=FIRST_MARK,
    )


def send_copy(request: Request) -> Response:
    """Return the copy of a page itself."""
    with get_context(request).borrow_web(request.query_params.get("origin", "")) as web:
        found = _find_copy(web, request.query_params.get("url", ""))
        if isinstance(found, NoCopy):
            return Response(found.sentence, found.status, media_type="text/plain")
        with open_attempts(web.folder).attempt(found.page.id):
            view = _read_view(request)
            shown = _render_copy(found, AssetInliner(web.store, _open_archive(web)), web, view)
    loads = _WITH_LIVE_ASSETS if view.is_live else _ARCHIVED_ONLY
    headers = {
        "content-security-policy": f"sandbox {SANDBOX}; {loads}; form-action 'none'; frame-ancestors 'self'",
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
        "x-dns-prefetch-control": "off",
    }
    kind = "text/html" if found.is_html else "text/plain"
    return Response(
        shown.text.encode("utf-8", "replace"), headers=headers, media_type=f"{kind}; charset=utf-8"
    )


def _find_copy(web: Web, url: str) -> ArchivedCopy | NoCopy:
    try:
        page = web.store.page(find_page(web.store, url))
    except BadUrl:
        return NoCopy(_NOT_THERE, "That is not the address of a page.")
    if page is None:
        return NoCopy(_NOT_THERE, "This page is not in the collection.")
    if not page.archive:
        return NoCopy(_NOT_SHOWN, "This page does not allow copies to be shown (noarchive).")
    if page.id in open_attempts(web.folder).banned:
        return NoCopy(_NOT_SHOWN, "This page is kept but not shown: reading it killed the program twice.")
    if page.kind not in READABLE and not is_document(page):
        return NoCopy(_NOT_SHOWN, f"This page is not text but {page.kind}, which cannot be shown here.")
    exchange = _open_archive(web).read(WarcPosition(page.warc, page.warc_offset), decode_content)
    if exchange is None:
        return NoCopy(_NOT_THERE, "This page is no longer in the archive.")
    copy = ArchivedCopy(
        page, exchange.body, dict(exchange.headers).get("content-type", ""), page.kind == "html"
    )
    return copy if page.kind in READABLE else _read_document(copy)


def _read_document(copy: ArchivedCopy) -> ArchivedCopy | NoCopy:
    """Return the copy of a document as the HTML page that it would be."""
    with DocumentReaders() as documents:
        content = read_content(copy.page, copy.body, copy.content_type, documents)
    if content is None:
        return NoCopy(_NOT_SHOWN, f"This page is not text but {copy.page.kind}, which could not be read.")
    return ArchivedCopy(copy.page, render(content).encode("utf-8", "replace"), _HTML, is_html=True)


@lru_cache(maxsize=8)  # a server has one web, tests have many
def open_attempts(folder: Path) -> ReadingAttempts:
    """Return the notes of this process on the pages of a web that it reads."""
    return ReadingAttempts(folder)


def _open_archive(web: Web) -> ArchiveReader:
    return open_reader(web.folder / "archive")


def _read_view(request: Request) -> CopyRequest:
    query = request.query_params.get("q", "").strip()[:_MOST_CHARACTERS]
    origin = request.query_params.get("origin", "")
    return CopyRequest(query, request.query_params.get("looks") == "live", origin)


def _render_copy(copy: ArchivedCopy, assets: AssetInliner, web: Web, view: CopyRequest) -> RenderedCopy:
    """Return a copy; HTML with archived assets inlined, links to other copies, and the words of the query marked.

    With live assets, references and links stay as they are, relative to the address of the page.
    """
    text, _ = encoding.decode(copy.body, copy.content_type)
    if not copy.is_html:
        return RenderedCopy(text)
    base = html.read(copy.body, copy.page.url, copy.content_type).base
    before = _BEFORE.match(text)
    at = before.end() if before else 0
    tree = parse_page(text)
    is_changed = assets.inline(tree, base)
    find_marks = _make_finder(web, view.query, copy.page.language) if view.query else None
    marks = mark_words(tree, find_marks) if find_marks is not None else None
    if not view.is_live:
        CopyLinks(web.store, copy.page, view.query, view.origin).rewrite(tree, base)
    href = f'href="{escape(base)}" ' if view.is_live else ""
    is_same = view.is_live and not (is_changed or marks)
    elements = text[at:] if is_same or tree.root is None else tree.root.html
    return RenderedCopy(f'{text[:at]}<base {href}target="_top">{elements}', marks)


def _make_finder(web: Web, query: str, language: str) -> FindMarks | None:
    """Return what finds the words of a query; None if it has none, or if the web has no index."""
    try:
        marker = web.word_marker(query)
    except (NoIndex, MissingExtra):
        return None
    return (lambda text, most: marker.find_marks(text, language, most)) if marker.has_words else None


ROUTES = (Route("/cached", show_copy), Route("/cached/page", send_copy))
