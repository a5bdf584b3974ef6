"""What is asked of a browser, and what comes of it: records without logic."""

from typing import Literal, Protocol

import msgspec

from gossamer.records import Exchange

Readiness = Literal["quiet", "time", "hung"]
"""When the page was taken: as soon as it was quiet, at the time limit, or without an answer of its scripts."""


class RenderLimits(msgspec.Struct, frozen=True):
    """What one page may take."""

    time_s: float = 20.0
    quiet_s: float = 0.2
    """How long the network and the document have to be quiet."""
    requests: int = 300
    body_bytes: int = 30_000_000
    """Of all that the page loads."""
    page_bytes: int = 10_000_000
    """Of the document as it is shown."""
    scrolls: int = 10
    clicks: int = 4
    """On buttons that load more."""


class PictureWish(msgspec.Struct, frozen=True):
    """Which pictures of a page to take."""

    thumbnail: bool = False
    whole: bool = False
    """The page in its full length, up to a limit."""


class BrowserRequest(msgspec.Struct, frozen=True, gc=False):
    """A request that a page in a browser wants to send."""

    url: str
    method: str
    kind: str
    """Document, Script, XHR …, in the words of the protocol."""
    headers: tuple[tuple[str, str], ...]


class LoadedResponse(msgspec.Struct):
    """A response that a page loaded. Pages share some; the first of them that is kept brings it into the archive."""

    exchange: Exchange
    is_archived: bool = False


class BrowserAnswer(msgspec.Struct, frozen=True):
    """The answer to a request of a browser: a response, or why there is none."""

    loaded: LoadedResponse | None = None
    refused: str = ""


class RequestSource(Protocol):
    """Answers the requests of browsers: from the network by our own fetcher, or from the archive."""

    async def answer(self, request: BrowserRequest) -> BrowserAnswer:
        """Answer one request. Never raises for what servers and networks do."""
        ...


class RenderedPage(msgspec.Struct, frozen=True):
    """A page as a browser shows it."""

    html: bytes
    """The document, in UTF-8."""
    responses: tuple[LoadedResponse, ...]
    """What it loaded, without what the archive had by then."""
    loaded: int
    """How many requests were answered."""
    refused: dict[str, int]
    """By cause: how many requests and other wishes of the page were refused."""
    ready: Readiness
    took_s: float
    browser: str
    """The browser and its version."""
    thumbnail: bytes = b""
    picture: bytes = b""
    cut: bool = False
    """Whether the document is longer than the limit."""
    wanted: tuple[str, ...] = ()
    """Where its scripts wanted to go instead of being shown."""


class NotRendered(msgspec.Struct, frozen=True):
    """The browser could not show a page, and why."""

    why: str
    may_go_again: bool = False
    """Whether it was the browser that failed, and not the page."""
