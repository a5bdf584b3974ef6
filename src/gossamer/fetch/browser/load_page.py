"""Load one page in a browser: answer each of its requests, wait until it is quiet, scroll, and take the document.

The browser itself connects nowhere. The document is the response that was fetched before; what the page wants besides is
asked of a `RequestSource`.
"""

import asyncio
import time
from base64 import b64decode, b64encode
from collections import Counter
from contextlib import suppress
from typing import Any

from gossamer.fetch.browser.devtools import BrowserGone, CommandRefused, PageFailed, Params
from gossamer.fetch.browser.page_scripts import CLICK_MORE, MEASURE, SCROLL, TAKE_DOCUMENT
from gossamer.fetch.browser.rendered_page import (
    BrowserAnswer,
    BrowserRequest,
    LoadedResponse,
    PictureWish,
    Readiness,
    RenderedPage,
    RenderLimits,
    RequestSource,
)
from gossamer.fetch.browser.tab import HEIGHT, WIDTH, Tab
from gossamer.records import Exchange

_POLL_S = 0.05
_MOST_WANTED = 20
_UNREPORTED_S = 1.0
_SCRIPT_S = 8.0
_MOST_HEIGHT = 8_000
_THUMBNAIL_WIDTH = 320
_THUMBNAIL_QUALITIES = (60, 35, 15)
THUMBNAIL_BYTES = 30_000
# What describes the transfer and not the content, and what would make the browser ask for more.
_DROPPED = {
    *("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "trailer"),
    *("strict-transport-security", "alt-svc", "link", "refresh", "reporting-endpoints", "report-to", "nel"),
}
_PHRASE = "OK"


class PageLoad:
    """One page in one browser, from its context to its document."""

    def __init__(
        self,
        tab: Tab,
        browser: str,
        document: Exchange,
        source: RequestSource,
        limits: RenderLimits,
        pictures: PictureWish,
    ) -> None:
        self._tab = tab
        self._browser = browser
        self._document = document
        self._source = source
        self._limits = limits
        self._pictures = pictures
        self._world = 0
        """The context of our scripts."""
        self._shown = False
        """Whether the document was handed over."""
        self._loaded = asyncio.Event()
        self._failure = ""
        self._under_way: set[asyncio.Task[None]] = set()
        self._last_s = time.monotonic()
        """When something last happened on its network."""
        self._asked = 0
        self._answered = 0
        self._body_bytes = 0
        self._responses: list[LoadedResponse] = []
        self._wanted: dict[str, None] = {}
        """Where its scripts wanted to go."""
        self.refused: Counter[str] = Counter()

    @property
    def url(self) -> str:
        """The URL of the page."""
        return self._document.url

    async def run(self) -> RenderedPage:
        """Load the page and return it; raise BrowserGone if the browser or the page in it fails."""
        began_s = time.monotonic()
        self._tab.uses += 1
        self._tab.tools.listen(self._tab.session, self._hear)
        try:
            self._tab.post("Page.navigate", url=self._document.url)
            ready = await self._wait_until_ready(began_s + self._limits.time_s)
            html, cut = await self._take_document()
            thumbnail, picture = await self._take_pictures()
        except BrowserGone as gone:
            raise PageFailed(str(gone)) if self._tab.tools.is_open else gone from None
        finally:
            await self._end_requests()
        return RenderedPage(
            html,
            tuple(self._responses),
            self._answered,
            dict(self.refused),
            ready,
            time.monotonic() - began_s,
            self._browser,
            thumbnail,
            picture,
            cut,
            tuple(self._wanted),
        )

    async def _end_requests(self) -> None:
        """Answer nothing more."""
        self._tab.tools.forget(self._tab.session)
        for one in self._under_way:
            one.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    # Events

    def _hear(self, method: str, params: Params) -> None:
        """Take note of an event of the page."""
        match method:
            case "Fetch.requestPaused":
                self._last_s = time.monotonic()
                one = asyncio.get_running_loop().create_task(self._answer(params))
                self._under_way.add(one)
                one.add_done_callback(self._end_answer)
            case "Page.loadEventFired":
                self._loaded.set()
            case "Page.javascriptDialogOpening":
                self.refused["dialog"] += 1
                self._tab.post("Page.handleJavaScriptDialog", accept=False)
            case "Network.webSocketCreated":
                self.refused["WebSocket"] += 1
            case "Network.webTransportCreated":
                self.refused["WebTransport"] += 1
            case "Page.windowOpen":
                self.refused["popup"] += 1
            case "Page.downloadWillBegin":
                self.refused["download"] += 1
            case "Inspector.targetCrashed":
                self._fail("the page crashed in the browser, perhaps because memory ran out")
            case "Inspector.detached":
                self._fail(f"the page was closed: {params.get('reason', '')}")
            case "closed":
                self._fail("the browser ended")

    def _fail(self, why: str) -> None:
        self._failure = why
        self._loaded.set()

    def _end_answer(self, one: "asyncio.Task[None]") -> None:
        self._under_way.discard(one)
        self._last_s = time.monotonic()

    # Requests of the page

    async def _answer(self, params: Params) -> None:
        """Answer a request that the browser holds back; it never sends one itself, and none is held for ever."""
        number = params["requestId"]
        try:
            refused = await self._answer_request(number, params)
        except Exception as error:  # noqa: BLE001 - the page goes on without it, and its mark says why
            refused = f"failed: {type(error).__name__}"
        if refused:
            self.refused[refused] += 1
            self._tab.post("Fetch.failRequest", requestId=number, errorReason="BlockedByClient")

    async def _answer_request(self, number: str, params: Params) -> str:
        """Answer a request; return why it is refused, or ""."""
        asked = params["request"]
        kind = str(params.get("resourceType", "Other"))
        if kind == "Document" and params.get("frameId") == self._tab.frame:
            self._answer_document(number, str(asked["url"]))
            return ""
        found = await self._ask(kind, asked)
        if found.loaded is None:
            return found.refused
        exchange = found.loaded.exchange
        if self._body_bytes + len(exchange.body) > self._limits.body_bytes:
            return "too many bytes"
        self._fulfil(number, exchange)
        self._answered += 1
        self._body_bytes += len(exchange.body)
        if not found.loaded.is_archived:
            self._responses.append(found.loaded)
        return ""

    def _answer_document(self, number: str, url: str) -> None:
        """Hand over the response that was fetched; the page may not go anywhere else."""
        if not self._shown:
            self._shown = True
            self._fulfil(number, self._document)
        else:
            self.refused["navigation"] += 1
            if len(self._wanted) < _MOST_WANTED:
                self._wanted[url.partition("#")[0]] = None
            self._tab.post("Fetch.failRequest", requestId=number, errorReason="Aborted")

    async def _ask(self, kind: str, asked: Params) -> BrowserAnswer:
        self._asked += 1
        if self._asked > self._limits.requests:
            return BrowserAnswer(refused="too many requests")
        if self._body_bytes >= self._limits.body_bytes:
            return BrowserAnswer(refused="too many bytes")
        url = str(asked["url"])
        if not url.startswith(("http://", "https://")):
            return BrowserAnswer(refused="scheme")
        headers = asked.get("headers", {})
        lines = tuple((str(name).lower(), str(value)) for name, value in headers.items())
        return await self._source.answer(BrowserRequest(url, str(asked["method"]), kind, lines))

    def _fulfil(self, number: str, exchange: Exchange) -> None:
        headers = [{"name": name, "value": value} for name, value in exchange.headers if name not in _DROPPED]
        self._tab.post(
            "Fetch.fulfillRequest",
            requestId=number,
            responseCode=exchange.status,
            responsePhrase=_PHRASE,
            responseHeaders=headers,
            body=b64encode(exchange.body).decode("ascii"),
        )

    # Until it is ready

    async def _wait_until_ready(self, until_s: float) -> Readiness:
        """Wait until network and document are quiet, then scroll and load more, as long as that brings something."""
        await self._wait_until_loaded(until_s)
        measured = await self._wait_until_quiet(until_s, "")
        if measured is None:
            return "time"
        for script, times in ((SCROLL, self._limits.scrolls), (CLICK_MORE, self._limits.clicks)):
            for _ in range(times):
                if not await self._evaluate(script):
                    break
                before, measured = measured, await self._wait_until_quiet(until_s, measured)
                if measured is None:
                    return "time"
                if measured == before:
                    break
        return "quiet"

    async def _wait_until_loaded(self, until_s: float) -> None:
        """Wait for the end of loading; a page that wanted to go elsewhere reports none, and is quiet instead."""
        while not self._loaded.is_set():
            now_s = time.monotonic()
            if now_s >= until_s or (
                self._shown and not self._under_way and now_s - self._last_s > _UNREPORTED_S
            ):
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(min(_UNREPORTED_S / 2, until_s - now_s)):
                    await self._loaded.wait()

    async def _wait_until_quiet(self, until_s: float, before: str) -> str | None:
        """Return the measures of the document once nothing changes; None at the time limit."""
        now_s = time.monotonic()
        self._last_s = max(self._last_s, now_s - self._limits.quiet_s / 2)
        measured, since_s = before, now_s
        while (now_s := time.monotonic()) < until_s:
            if self._failure:
                raise BrowserGone(self._failure)
            quiet_s = now_s - max(self._last_s, since_s)
            if not self._under_way and quiet_s >= self._limits.quiet_s / 2:
                found = str(await self._evaluate(MEASURE))
                now_s = time.monotonic()
                if found == measured and quiet_s >= self._limits.quiet_s:
                    return found
                if found != measured:
                    measured, since_s = found, now_s
            await asyncio.sleep(_POLL_S)
        return None

    async def _evaluate(self, script: str, within_s: float = _SCRIPT_S) -> Any:
        """Run a script of ours in the page, in a world that its own scripts do not reach."""
        if not self._world:
            made = await self._tab.send("Page.createIsolatedWorld", within_s, frameId=self._tab.frame)
            self._world = int(made["executionContextId"])
        answer = await self._tab.send(
            "Runtime.evaluate",
            within_s,
            contextId=self._world,
            expression=script,
            returnByValue=True,
            awaitPromise=True,
            silent=True,
            userGesture=False,
        )
        if self._failure:
            raise BrowserGone(self._failure)
        return answer.get("result", {}).get("value", "")

    async def _take_document(self) -> tuple[bytes, bool]:
        """Return the document as it is shown now, and whether it was cut."""
        text = str(await self._evaluate(TAKE_DOCUMENT.replace("MOST", str(self._limits.page_bytes + 1))))
        data = text.encode("utf-8", "replace")
        if not data:
            raise BrowserGone("the browser shows no document")
        return data[: self._limits.page_bytes], len(data) > self._limits.page_bytes

    # Pictures

    async def _take_pictures(self) -> tuple[bytes, bytes]:
        """Take the pictures that are wanted; a page without them is better than none."""
        thumbnail = picture = b""
        try:
            if self._pictures.thumbnail or self._pictures.whole:
                await self._evaluate("scrollTo(0, 0)")
            if self._pictures.thumbnail:
                scale = _THUMBNAIL_WIDTH / WIDTH
                for quality in _THUMBNAIL_QUALITIES:
                    thumbnail = await self._capture(HEIGHT, scale, quality)
                    if len(thumbnail) <= THUMBNAIL_BYTES:
                        break
                thumbnail = thumbnail if len(thumbnail) <= THUMBNAIL_BYTES else b""
            if self._pictures.whole:
                height = int(
                    await self._evaluate("Math.ceil(document.documentElement.scrollHeight)") or HEIGHT
                )
                picture = await self._capture(max(HEIGHT, min(height, _MOST_HEIGHT)), 1.0, 70)
        except (CommandRefused, BrowserGone, ValueError):
            self.refused["picture"] += 1
        return thumbnail, picture

    async def _capture(self, height: int, scale: float, quality: int) -> bytes:
        answer = await self._tab.send(
            "Page.captureScreenshot",
            20.0,
            format="webp",
            quality=quality,
            clip={"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": scale},
            captureBeyondViewport=height > HEIGHT,
            optimizeForSpeed=False,
        )
        return b64decode(answer["data"])
