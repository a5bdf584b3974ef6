"""The browsers of a crawl: started with the first page that needs one, recycled by age and memory, replaced when they fail."""

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress

from gossamer.errors import BadInput
from gossamer.fetch.browser.browser_process import BrowserProcess
from gossamer.fetch.browser.devtools import BrowserGone, CommandRefused, PageFailed, Params
from gossamer.fetch.browser.find_browser import Browser
from gossamer.fetch.browser.load_page import PageLoad
from gossamer.fetch.browser.rendered_page import (
    NotRendered,
    PictureWish,
    RenderedPage,
    RenderLimits,
    RequestSource,
)
from gossamer.fetch.browser.tab import Tab, TabUse
from gossamer.net import url as urls
from gossamer.records import Exchange

PAGES_AT_ONCE = 4
_MOST_PAGES = 300
_MOST_AGE_S = 1_800.0
_MOST_BYTES = 1_500_000_000
_MEASURE_S = 2.0
_TRIES = 6
# So many browsers in a row that show no page, with growing pauses between them, say that no further one will, either.
_MOST_FAILURES = 6
_FIRST_PAUSE_S = 0.5
_REST_S = 60.0
_SLACK_S = 45.0


class _Running:
    """One browser process, with the pages that are open in it."""

    def __init__(self, process: BrowserProcess) -> None:
        self.process = process
        self.pages = 0
        """How many it was given."""
        self.shown = 0
        """How many it has shown."""
        self.idle: list[Tab] = []
        """Tabs without a page, the one used last at the end."""
        self.loads: set[PageLoad] = set()
        """The pages that load."""
        self.open = 0
        self.is_worn = False
        """Whether it takes no further page."""


class BrowserPool:
    """Shows pages, some at a time. Belongs to the event loop of its first page."""

    def __init__(
        self,
        browser: Browser,
        limits: RenderLimits,
        at_once: int = PAGES_AT_ONCE,
        most_pages: int = _MOST_PAGES,
        most_bytes: int = _MOST_BYTES,
        heap_mb: int = 512,
    ) -> None:
        self._browser = browser
        self._limits = limits
        self._turns = asyncio.Semaphore(at_once)
        self._suspects = asyncio.Lock()
        """Held for a page whose browser ended: of such pages one is shown at a time, so that one that ends browsers costs others little."""
        self._most_idle = at_once
        self._most_pages = most_pages
        self._most_bytes = most_bytes
        self._heap_mb = heap_mb
        self._current: _Running | None = None
        self._starting = asyncio.Lock()
        self._all: set[_Running] = set()
        self._watching: asyncio.Task[None] | None = None
        self._failures = 0
        self._rest_until_s = 0.0
        self.broken = ""
        """Why no browser can be had for a while, or at all; "" as long as it can."""
        self.started = 0
        """How many processes were started."""

    async def show(
        self,
        document: Exchange,
        make_source: Callable[[], RequestSource],
        agent: str,
        pictures: PictureWish,
        owner: str = "",
    ) -> RenderedPage | NotRendered:
        """Show a page; one that fails with its browser is tried again in a new one, some times.

        Pages share a tab only if they are of one origin and owner, and are shown to servers and scripts as the same agent.
        """
        use = TabUse(urls.origin(document.url), agent, owner)
        async with self._turns:
            why = NotRendered("the browser ended")
            for attempt in range(_TRIES):
                if self.broken:
                    if time.monotonic() < self._rest_until_s:
                        return NotRendered(self.broken)
                    self.broken, self._failures = "", 0
                async with self._suspects if attempt else nullcontext():
                    found = await self._show_once(document, make_source(), use, pictures)
                if isinstance(found, RenderedPage):
                    return found
                why = found
                if not found.may_go_again:
                    break
            return why

    async def _show_once(
        self, document: Exchange, source: RequestSource, use: TabUse, pictures: PictureWish
    ) -> RenderedPage | NotRendered:
        try:
            running = await self._get_running()
        except BadInput as error:
            self.broken, self._rest_until_s = str(error), math.inf
            return NotRendered(self.broken)
        except BrowserGone as gone:
            self._count_failure(str(gone))
            return NotRendered(str(gone), may_go_again=True)
        running.open += 1
        running.pages += 1
        try:
            async with asyncio.timeout(self._limits.time_s + _SLACK_S):
                return await self._load(running, document, source, use, pictures)
        except (BrowserGone, TimeoutError, CommandRefused, KeyError) as gone:
            dead = not await self._answers(running)
            if dead:
                if not running.shown and running in self._all:
                    self._count_failure(str(gone) or "the browser hangs")
                await self._end(running)
            again = dead or not isinstance(gone, PageFailed | TimeoutError)
            return NotRendered(str(gone)[:200] or "it took too long", again)
        finally:
            running.open -= 1
            if running.is_worn and not running.open:
                await self._end(running)

    async def _load(
        self, running: _Running, document: Exchange, source: RequestSource, use: TabUse, pictures: PictureWish
    ) -> RenderedPage:
        """Load a page in a tab that pages like it had before, or in a new one."""
        tab = next((one for one in reversed(running.idle) if one.use == use), None)
        if tab is not None:
            running.idle.remove(tab)
        try:
            if tab is None:
                tab = Tab(running.process.tools, use)
                await tab.open()
            load = PageLoad(tab, running.process.version, document, source, self._limits, pictures)
            running.loads.add(load)
            try:
                page = await load.run()
            finally:
                running.loads.discard(load)
            if page.ready == "quiet":
                await tab.scrub()
            else:
                tab.is_clean = False
            running.shown += 1
            self._failures = 0
        except BaseException:
            if tab is not None:
                tab.is_clean = False
            raise
        finally:
            if tab is not None:
                await self._put_back(running, tab)
        return page

    async def _put_back(self, running: _Running, tab: Tab) -> None:
        """Keep a clean tab for the next page of its origin; close it, or the one that waited longest, otherwise."""
        if not tab.is_worn:
            running.idle.append(tab)
            if len(running.idle) <= self._most_idle:
                return
            tab = running.idle.pop(0)
        with suppress(BrowserGone):
            await tab.close()

    async def _answers(self, running: _Running) -> bool:
        """Say whether a browser still answers, after a page in it failed."""
        if not running.process.is_alive:
            return False
        try:
            await running.process.tools.send("Browser.getVersion", within_s=5.0)
        except (BrowserGone, CommandRefused):
            return False
        return True

    def _count_failure(self, why: str) -> None:
        """Count a browser that ended before it showed a page; after some in a row, rest from trying."""
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            self._rest_until_s = time.monotonic() + _REST_S
            self.broken = f"{self._failures} browsers in a row showed no page: {why}"

    # Processes

    async def _get_running(self) -> _Running:
        """Return a browser that takes pages; start one if there is none."""
        async with self._starting:
            running = self._current
            if running is not None and not running.process.is_alive:
                await self._end(running)
                running = None
            if running is not None and self._is_worn(running):
                running.is_worn = True
                if not running.open:
                    await self._end(running)
                running = None
            if running is None:
                if self._failures > 1:  # what ended the last ones may pass
                    await asyncio.sleep(_FIRST_PAUSE_S * 2 ** (self._failures - 2))
                process = BrowserProcess(self._browser, self._heap_mb)
                await process.start()
                self.started += 1
                running = _Running(process)
                self._all.add(running)
                try:
                    await self._refuse_popups(running)
                except BaseException:
                    await self._end(running)
                    raise
                self._current = running
                if self._watching is None:
                    self._watching = asyncio.get_running_loop().create_task(self._watch_memory())
            return running

    def _is_worn(self, running: _Running) -> bool:
        age_s = time.monotonic() - running.process.began_s
        return running.is_worn or running.pages >= self._most_pages or age_s > _MOST_AGE_S

    async def _refuse_popups(self, running: _Running) -> None:
        """Close every page that a page opens, and refuse every request that belongs to no page, such as those of service workers."""
        tools = running.process.tools

        def hear(method: str, params: Params) -> None:
            if method == "Fetch.requestPaused":
                _count_worker(running, params["request"].get("headers", {}))
                tools.post("Fetch.failRequest", requestId=params["requestId"], errorReason="BlockedByClient")
            elif method == "Target.targetCreated" and params["targetInfo"].get("openerId"):
                tools.post("Target.closeTarget", targetId=params["targetInfo"]["targetId"])

        tools.listen("", hear)
        tools.post("Fetch.enable", patterns=[{"urlPattern": "*", "requestStage": "Request"}])
        await tools.send("Target.setDiscoverTargets", discover=True, filter=[{"type": "page"}])

    async def _watch_memory(self) -> None:
        """Kill browsers that take too much memory; their pages fall back to what was fetched, or are tried again."""
        while True:
            await asyncio.sleep(_MEASURE_S)
            for running in list(self._all):
                if await asyncio.to_thread(running.process.measure_memory) > self._most_bytes:
                    await self._end(running)

    async def _end(self, running: _Running) -> None:
        self._all.discard(running)
        if self._current is running:
            self._current = None
        await running.process.end()

    async def close(self) -> None:
        """End all browsers."""
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
            self._watching = None
        for running in list(self._all):
            await self._end(running)


def _count_worker(running: _Running, headers: Params) -> None:
    """Count the script of a service worker for the page that wants one, as far as the request says which that is."""
    if not any(name.lower() == "service-worker" for name in headers):
        return
    wanted_by = str(next((value for name, value in headers.items() if name.lower() == "referer"), ""))
    loads = sorted(running.loads, key=lambda load: load.url != wanted_by)
    owner = next((load for load in loads if wanted_by.startswith(f"{urls.origin(load.url)}/")), None)
    if owner is not None:
        owner.refused["service worker"] += 1
