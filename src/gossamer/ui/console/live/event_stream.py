"""Server-sent events: what the live page shows, whenever it has changed."""

import asyncio

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from gossamer.ui.connections.http_server import EVENT_STREAM
from gossamer.ui.console.live.crawl_watch import CrawlWatch, TooManyViewers, get_watch
from gossamer.ui.console.live.view_parameters import read_task
from gossamer.ui.page_context import get_context

_HEARTBEAT_S = 15.0
_HEARTBEAT = b": still here\n\n"
_BEGINNING = b"retry: 1000\n\n"
# Then the browser connects again, and its right to look is checked again.
_LONGEST_S = 300.0
_NO_ROOM = 503


class EventResponse(Response):
    """Sends a message whenever the viewer gets one, and a comment when none comes for long."""

    media_type = EVENT_STREAM

    def __init__(
        self, watch: CrawlWatch, task: int, longest_s: float = _LONGEST_S, heartbeat_s: float = _HEARTBEAT_S
    ) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._watch, self._task = watch, task
        self._longest_s, self._heartbeat_s = longest_s, heartbeat_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the viewer leaves, the server ends, or the time is up."""
        try:
            with self._watch.add_viewer(self._task) as viewer:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                if scope["method"] != "HEAD":
                    await send({"type": "http.response.body", "body": _BEGINNING, "more_body": True})
                    ends_s = asyncio.get_running_loop().time() + self._longest_s
                    while (left_s := ends_s - asyncio.get_running_loop().time()) > 0:
                        message = await viewer.take(min(left_s, self._heartbeat_s))
                        piece = _HEARTBEAT if message is None else b"data: " + message + b"\n\n"
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except TooManyViewers:
            refusal = PlainTextResponse("Too many look at this crawl; ask again now and then.", _NO_ROOM)
            await refusal(scope, receive, send)


async def send_events(request: Request) -> Response:
    """Send what the live page shows, once a second if it has changed."""
    _ = get_context(request).folder  # raises if this server has no web of its own
    return EventResponse(get_watch(request), read_task(request))


ROUTES = (Route("/console/events", send_events),)
