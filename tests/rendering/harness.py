"""Shows pages of the scripted site in a real browser, with the fetcher of a crawl behind it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gossamer.config import Fetching
from gossamer.errors import BadInput
from gossamer.fetch.browser.browser_pool import BrowserPool
from gossamer.fetch.browser.find_browser import Browser, find_browser
from gossamer.fetch.browser.network_source import NetworkSource
from gossamer.fetch.browser.rendered_page import NotRendered, PictureWish, RenderedPage, RenderLimits
from gossamer.fetch.browser.shared_responses import SharedResponses
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.net import url as urls
from gossamer.records import Exchange, Fetched

AGENT = "Gossamer test"


def need_browser() -> Browser:
    """Return the browser of this machine; skip the test if there is none."""
    try:
        return find_browser()
    except BadInput as error:
        pytest.skip(str(error))


class Show:
    """A pool of browsers, and how pages get into it."""

    def __init__(self, pool: BrowserPool, fetcher: CurlFetcher, options: FetchOptions) -> None:
        self.pool = pool
        self.fetcher = fetcher
        self.options = options
        self.shared = SharedResponses()

    async def fetch(self, url: str) -> Exchange:
        """Fetch a page as a crawl does."""
        where = await self.fetcher.locate(urls.host(url), self.options.settings)
        assert isinstance(where, HostAddresses)
        outcome = await self.fetcher.fetch(url, where, self.options)
        assert isinstance(outcome, Fetched), outcome
        return outcome.exchange

    async def show(self, url: str, pictures: PictureWish = PictureWish()) -> RenderedPage | NotRendered:  # noqa: B008
        """Fetch a page and show it."""
        document = await self.fetch(url)

        async def may_load(url: str, is_document: bool) -> str:
            return "robots" if is_document and "/secret" in url else ""

        return await self.pool.show(
            document,
            lambda: NetworkSource(self.fetcher, document, lambda _: self.options, self.shared, may_load),
            AGENT,
            pictures,
        )

    async def render(self, url: str) -> RenderedPage:
        """Show a page that can be shown."""
        shown = await self.show(url)
        assert isinstance(shown, RenderedPage), shown
        return shown


@asynccontextmanager
async def open_show(
    limits: RenderLimits = RenderLimits(time_s=30.0),  # noqa: B008
    allowed: tuple[str, ...] = ("127.0.0.2/32",),
    hosts: Path | None = None,
    most_pages: int = 300,
) -> AsyncIterator[Show]:
    """Open a pool of browsers while the block runs."""
    settings = Fetching(allow_private=allowed, hosts_file=str(hosts) if hosts else "")
    fetcher = CurlFetcher()
    pool = BrowserPool(need_browser(), limits, most_pages=most_pages, heap_mb=128)
    try:
        yield Show(pool, fetcher, FetchOptions(settings, AGENT))
    finally:
        await pool.close()
        await fetcher.close()
