"""A tab of a browser: a context of its own, for the pages of one origin and task, scrubbed between them and thrown away after them."""

import itertools
from contextlib import suppress
from typing import Any

import msgspec

from gossamer.fetch.browser.devtools import BrowserGone, CommandRefused, DevTools, Params
from gossamer.fetch.browser.page_scripts import FORGET

WIDTH, HEIGHT = 1280, 960
_ANSWER_S = 5.0
_MOST_USES = 40
_ids = itertools.count()


class TabUse(msgspec.Struct, frozen=True):
    """Whose pages a tab shows, and as what; its caches outlive a page, so no others come into it."""

    origin: str
    agent: str
    owner: str = ""


class Tab:
    """A context with one page. A renderer that starts for each page takes two thirds of the time of a page."""

    def __init__(self, tools: DevTools, use: TabUse) -> None:
        self.tools = tools
        self.use = use
        self.uses = 0
        self.is_clean = True
        """Whether it may be used again."""
        self.session = ""
        self.frame = ""
        self.number = next(_ids)
        self._context = ""

    async def open(self) -> None:
        """Open an empty page in a new context."""
        made = await self.tools.send("Target.createBrowserContext", disposeOnDetach=True)
        self._context = made["browserContextId"]
        self.tools.post("Browser.setDownloadBehavior", behavior="deny", browserContextId=self._context)
        opened = await self.tools.send(
            "Target.createTarget",
            url="about:blank",
            browserContextId=self._context,
            width=WIDTH,
            height=HEIGHT,
        )
        self.frame = opened["targetId"]
        attached = await self.tools.send("Target.attachToTarget", targetId=self.frame, flatten=True)
        self.session = attached["sessionId"]
        self.post("Inspector.enable")
        self.post("Emulation.setUserAgentOverride", userAgent=self.use.agent)
        self.post("Fetch.enable", patterns=[{"urlPattern": "*", "requestStage": "Request"}])
        # Awaited: a renderer that has not heard of them when the page comes reports nothing of it.
        await self.send("Page.enable")
        await self.send("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0)
        await self.send("Network.setBypassServiceWorker", bypass=True)

    @property
    def is_worn(self) -> bool:
        """Whether it takes no further page."""
        return not self.is_clean or self.uses >= _MOST_USES or not self.tools.is_open

    async def scrub(self) -> None:
        """Forget what the page stored: cookies, storage, caches, history. A tab that cannot is not used again."""
        if self.is_worn:
            return
        self.is_clean = False
        with suppress(BrowserGone, CommandRefused):
            self.post("Runtime.evaluate", expression=FORGET, silent=True)
            self.tools.post("Storage.clearCookies", browserContextId=self._context)
            await self.send("Storage.clearDataForOrigin", _ANSWER_S, origin="*", storageTypes="all")
            self.is_clean = True

    async def close(self) -> None:
        """Throw the context away."""
        self.tools.forget(self.session)
        if self._context and self.tools.is_open:
            with suppress(CommandRefused):
                await self.tools.send(
                    "Target.disposeBrowserContext", within_s=_ANSWER_S, browserContextId=self._context
                )

    def post(self, method: str, **params: Any) -> None:
        """Send a command to the page, and do not wait for its answer."""
        self.tools.post(method, self.session, **params)

    async def send(self, method: str, within_s: float = 10.0, **params: Any) -> Params:
        """Send a command to the page and return its answer."""
        return await self.tools.send(method, self.session, within_s, **params)
