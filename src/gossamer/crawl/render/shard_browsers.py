"""The browsers of one shard: started with the first page that needs one, and answered by the shard's own fetcher."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from gossamer.config import Rendering as RenderOptions
from gossamer.errors import BadInput
from gossamer.fetch.browser.browser_pool import PAGES_AT_ONCE, BrowserPool
from gossamer.fetch.browser.find_browser import Browser
from gossamer.fetch.browser.network_source import NetworkSource
from gossamer.fetch.browser.rendered_page import NotRendered, PictureWish, RenderedPage, RenderLimits
from gossamer.fetch.browser.shared_responses import MOST_AT_A_HOST, SharedResponses
from gossamer.fetch.browser.try_browser import try_browser
from gossamer.fetch.fetcher import Fetcher, FetchOptions
from gossamer.records import Exchange


class PageOwner(msgspec.Struct, frozen=True):
    """The task that has a page shown, as far as its browser has to know it."""

    name: str
    """Tasks share no tab."""
    agent: str
    wish: RenderOptions
    make_options: Callable[[str], FetchOptions]
    """Returns how the page fetches a URL."""
    may_load: Callable[[str, bool], Awaitable[str]]
    """Returns why a URL is refused to it, or ""; the second argument says whether it is a document."""
    count: Callable[[Exchange], None]
    """Counts what it loads."""


class ShardBrowsers:
    """Shows pages to one shard. Tasks with other options share its browsers; the limits are those of the first."""

    def __init__(self, fetcher: Fetcher, say: Callable[[str], None], shards: int = 1) -> None:
        self._fetcher = fetcher
        self._say = say
        self._at_once = max(1, PAGES_AT_ONCE // shards)
        self._browser: Browser | None = None
        self._missing = ""
        """Why there is no browser; "" if there is one, or none was looked for."""
        self._finding = asyncio.Lock()
        self._pool: BrowserPool | None = None
        # Hosts of scripts and images belong to no shard: the shards of a machine ask them no more often together than one.
        self._shared = SharedResponses(most_at_a_host=max(1, MOST_AT_A_HOST // shards))
        self._told = ""
        self._warned: set[str] = set()
        """Tasks whose budget was spent."""

    async def prepare(self, wish: RenderOptions) -> str:
        """Find the browser before there is a page to show, and say what a person should know; return why there is none."""
        async with self._finding:
            if self._browser is None and not self._missing:
                try:
                    self._browser = await asyncio.to_thread(try_browser, wish.browser)
                except BadInput as error:
                    self._missing = str(error)
                    self._say(f"{error}; pages are kept as they came")
                for note in self._browser.notes if self._browser is not None else ():
                    self._say(note)
        return self._missing

    def warn_of_share(self, owner: str, share: float) -> None:
        """Say once for each task that more of its pages seem to need a browser than may be shown."""
        if owner not in self._warned:
            self._warned.add(owner)
            self._say(
                f"more pages seem to need a browser than --render-share {share:g} lets through: some are kept as they came"
            )

    async def show(self, document: Exchange, owner: PageOwner) -> RenderedPage | NotRendered:
        """Show a page that was fetched."""
        wish = owner.wish
        if missing := await self.prepare(wish):
            return NotRendered(missing)
        if self._pool is None and self._browser is not None:
            limits = RenderLimits(time_s=wish.render_time_s)
            self._pool = BrowserPool(self._browser, limits, self._at_once)
        assert self._pool is not None  # noqa: S101 - for the type checker

        def make_source() -> NetworkSource:
            return NetworkSource(
                self._fetcher, document, owner.make_options, self._shared, owner.may_load, owner.count
            )

        shown = await self._pool.show(
            document, make_source, owner.agent, PictureWish(wish.screenshots, wish.screenshots), owner.name
        )
        if self._pool.broken and self._pool.broken != self._told:
            self._told = self._pool.broken
            self._say(f"{self._told}; pages are kept as they came from now on")
        return shown

    async def close(self) -> None:
        """End the browsers."""
        if self._pool is not None:
            await self._pool.close()
            self._pool = None
