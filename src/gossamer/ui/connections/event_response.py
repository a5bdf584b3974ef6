"""Answers that stay open and send events: server-sent events, as browsers and programs read them."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from gossamer.ui.connections.http_server import EVENT_STREAM

HEARTBEAT_S = 15.0
_HEARTBEAT = b": still here\n\n"
_BEGINNING = b"retry: 1000\n\n"
# Then the client connects again, and its right to look is checked again.
LONGEST_S = 300.0
NO_ROOM = 503


class TooManyViewers(Exception):  # noqa: N818 - named by what happened, as in errors.py
    """No further viewer can be served."""


class EventViewer(Protocol):
    """One who looks, such as a page that is open or a program that listens."""

    async def take(self, timeout_s: float) -> bytes | None:
        """Wait for the next message; return None if none comes in time."""
        ...


class EventStream(Response):
    """Sends a message whenever the viewer gets one, and a comment when none comes for long."""

    media_type = EVENT_STREAM

    def __init__(
        self,
        open_viewer: Callable[[], AbstractContextManager[EventViewer]],
        refusal: str,
        may_look: Callable[[], bool] = lambda: True,
        longest_s: float = LONGEST_S,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        """Send what viewers get; `refusal` is told when `open_viewer` raises TooManyViewers, and the end comes if `may_look` says no."""
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._open_viewer, self._refusal, self._may_look = open_viewer, refusal, may_look
        self._longest_s, self._heartbeat_s = longest_s, heartbeat_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the viewer leaves, the server ends, or the time is up."""
        try:
            with self._open_viewer() as viewer:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                if scope["method"] != "HEAD":
                    await send({"type": "http.response.body", "body": _BEGINNING, "more_body": True})
                    await self._send_events(viewer, send)
                await send({"type": "http.response.body", "body": b""})
        except TooManyViewers:
            await PlainTextResponse(self._refusal, NO_ROOM)(scope, receive, send)

    async def _send_events(self, viewer: EventViewer, send: Send) -> None:
        ends_s = asyncio.get_running_loop().time() + self._longest_s
        while (left_s := ends_s - asyncio.get_running_loop().time()) > 0:
            message = await viewer.take(min(left_s, self._heartbeat_s))
            if not self._may_look():
                return
            piece = _HEARTBEAT if message is None else b"data: " + message + b"\n\n"
            await send({"type": "http.response.body", "body": piece, "more_body": True})
