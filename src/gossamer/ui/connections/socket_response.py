"""Answers that stay open and send events over a WebSocket, to programs whose libraries prefer that to server-sent events."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager

import anyio
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from gossamer.ui.connections.event_response import (
    HEARTBEAT_S,
    LONGEST_S,
    NO_ROOM,
    EventViewer,
    TooManyViewers,
)
from gossamer.ui.connections.switched_connection import SWITCH, Switch, SwitchedConnection
from gossamer.ui.connections.web_socket import (
    CLOSE,
    GOING_AWAY,
    PING,
    PONG,
    TEXT,
    FrameError,
    FrameReader,
    accept_key,
    write_close,
    write_frame,
)

_UPGRADE_REQUIRED = 426
_NO_HANDSHAKE = (
    "This address speaks WebSocket, version 13; /api/navigate/events sends the same events without it."
)


class EventSocket(Response):
    """Sends each message of a viewer as a text message, and a ping when none comes for long."""

    def __init__(
        self,
        open_viewer: Callable[[], AbstractContextManager[EventViewer]],
        refusal: str,
        may_look: Callable[[], bool] = lambda: True,
    ) -> None:
        """Send what viewers get; `refusal` is told when `open_viewer` raises TooManyViewers, and the end comes if `may_look` says no."""
        super().__init__()
        self._open_viewer, self._refusal, self._may_look = open_viewer, refusal, may_look

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the viewer leaves, the server ends, or the time is up."""
        accepted = accept_key(Headers(scope=scope))
        switch: Switch | None = scope.get("extensions", {}).get(SWITCH)
        if not accepted or switch is None:
            headers = {"upgrade": "websocket", "connection": "upgrade"}
            await PlainTextResponse(_NO_HANDSHAKE, _UPGRADE_REQUIRED, headers)(scope, receive, send)
            return
        try:
            with self._open_viewer() as viewer:
                answer = ((b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"))
                connection = switch((*answer, (b"Sec-WebSocket-Accept", accepted.encode())))
                await self._serve(viewer, connection)
                connection.close()
        except TooManyViewers:
            await PlainTextResponse(self._refusal, NO_ROOM)(scope, receive, send)

    async def _serve(self, viewer: EventViewer, connection: SwitchedConnection) -> None:
        async with anyio.create_task_group() as group:

            async def listen() -> None:
                await _answer_client(connection)
                group.cancel_scope.cancel()

            group.start_soon(listen)
            await self._send_events(viewer, connection)
            connection.send(write_close(GOING_AWAY))
            group.cancel_scope.cancel()

    async def _send_events(self, viewer: EventViewer, connection: SwitchedConnection) -> None:
        ends_s = asyncio.get_running_loop().time() + LONGEST_S
        while (left_s := ends_s - asyncio.get_running_loop().time()) > 0:
            message = await viewer.take(min(left_s, HEARTBEAT_S))
            if not self._may_look():
                return
            connection.send(write_frame(PING) if message is None else write_frame(TEXT, message))


async def _answer_client(connection: SwitchedConnection) -> None:
    """Answer pings until the client ends the connection, leaves, or breaks the protocol."""
    reader = FrameReader()
    try:
        while data := await connection.receive():
            for kind, payload in reader.feed(data):
                if kind == PING:
                    connection.send(write_frame(PONG, payload))
                if kind == CLOSE:
                    connection.send(write_frame(CLOSE, payload[:2]))
                    return
    except FrameError as error:
        connection.send(write_close(error.code))
