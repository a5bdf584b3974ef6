"""Take pictures of pages from the archive alone: a browser shows what is kept, and nothing is fetched.

The document is the one that was kept last, as a browser showed it if one did; its scripts do not run again. Images, styles and
fonts are those of the archive.
"""

import asyncio

import msgspec

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.errors import BadInput, BadUrl
from gossamer.fetch.browser.browser_pool import BrowserPool
from gossamer.fetch.browser.find_browser import Browser
from gossamer.fetch.browser.rendered_page import (
    BrowserAnswer,
    BrowserRequest,
    LoadedResponse,
    NotRendered,
    PictureWish,
    RenderedPage,
    RenderLimits,
)
from gossamer.fetch.browser.try_browser import try_browser
from gossamer.net import url as urls
from gossamer.records import Exchange, Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.batch import Store

_OK = 200
_NO_SCRIPTS = (("content-security-policy", "script-src 'none'; object-src 'none'; frame-src 'none'"),)
_POLICY = "content-security-policy"


class ArchiveSource:
    """Answers the requests of one page from the archive; what is not there is refused."""

    def __init__(self, store: Store, archive: ArchiveReader) -> None:
        self._store = store
        self._archive = archive

    async def answer(self, request: BrowserRequest) -> BrowserAnswer:
        """Answer one request."""
        try:
            page = self._store.page(urls.page_id(urls.canonical(request.url)))
        except BadUrl:
            page = None
        exchange = read_archived(page, self._archive) if page is not None else None
        if exchange is None:
            return BrowserAnswer(refused="not in the archive")
        return BrowserAnswer(LoadedResponse(exchange, is_archived=True))


def read_archived(page: Page, archive: ArchiveReader) -> Exchange | None:
    """Return the exchange of a page; None if its bytes are not there."""
    return archive.read(WarcPosition(page.warc, page.warc_offset), decode_content) if page.warc else None


def show_archived(
    store: Store,
    archive: ArchiveReader,
    page: Page,
    wish: PictureWish,
    browser: str = "",
    time_s: float = 20.0,
) -> RenderedPage:
    """Show a page of the archive in a browser, and return it with its pictures; raise BadInput if that is not possible."""
    document = read_archived(page, archive)
    if document is None:
        raise BadInput(f"{page.url} is not in the archive: its bytes were not kept")
    headers = tuple(each for each in document.headers if each[0] != _POLICY)
    if not any(name == "content-type" for name, _ in headers):
        headers += (("content-type", "text/html; charset=utf-8"),)
    document = msgspec.structs.replace(document, url=page.url, headers=headers + _NO_SCRIPTS)
    limits = RenderLimits(time_s=time_s, scrolls=0, clicks=0)
    shown = asyncio.run(_show(document, ArchiveSource(store, archive), limits, wish, try_browser(browser)))
    if isinstance(shown, NotRendered):
        raise BadInput(f"{page.url} could not be shown in a browser: {shown.why}")
    return shown


async def _show(
    document: Exchange, source: ArchiveSource, limits: RenderLimits, wish: PictureWish, browser: Browser
) -> RenderedPage | NotRendered:
    pool = BrowserPool(browser, limits, 1)
    try:
        return await pool.show(document, lambda: source, "Gossamer", wish)
    finally:
        await pool.close()
