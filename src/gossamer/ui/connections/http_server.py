"""The HTTP server: uvicorn, with limits on what each connection may cost, and with memory given back after load."""

import asyncio
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, cast

import anyio
import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from gossamer.ui.connections.accept_connections import ConnectionAcceptor
from gossamer.ui.connections.connection_table import ConnectionTable, name_client
from gossamer.ui.connections.counted_transport import CountedTransport
from gossamer.ui.connections.return_memory import MemoryReturner
from gossamer.ui.connections.switched_connection import SWITCH, SwitchedConnection
from gossamer.ui.spooled_answer import AnswerDropped

_READING = ("GET", "HEAD")
EVENT_STREAM = "text/event-stream"
"""The media type of answers that stay open and send a message from time to time."""
# What waits in this process for one client, and in the system: larger buffers hide whether the client reads.
_MOST_PENDING_BYTES = 32 * 1024
_SYSTEM_BYTES = 64 * 1024
_SHUTDOWN_S = 2
# More than that at once are refused: each takes some ten kilobytes.
_MOST_REQUESTS = 2_000
# A tick of uvicorn takes a tenth of a second.
_TICKS_BETWEEN_CHECKS = 5

Phase = Literal["request", "work", "stream", "unread", "discard", "idle"]


class LimitedProtocol(H11Protocol):
    """A connection that is closed when its client keeps the server waiting for too long.

    `request`: the client has to send a request. `work`: the server has to answer. `stream`: an answer of events stays open
    for as long as its client likes, but is closed first when room is needed. `unread`: the client has to read.
    `discard`: the answer is sent, and the client still sends a body. `idle`: nothing is asked; uvicorn's timer runs.
    """

    def __init__(self, table: ConnectionTable, config: uvicorn.Config, state: ServerState) -> None:
        super().__init__(config, state, {})
        self.address = ""
        self._table = table
        self._application = cast("ASGIApp", self.app)
        self.app = cast("Any", self._answer)
        self._phase: Phase = "request"
        self._since_s = self.loop.time()
        """When the phase began, or when the client last read."""
        self._answer_since_s: float | None = None
        """When the client first had to be waited for with this answer."""
        self._taken_before = self._taken_last = 0
        self._running: anyio.CancelScope | None = None
        self._is_stream = False
        """Whether the answer under way is a stream of events."""
        self._switched: SwitchedConnection | None = None
        """What the connection is since it does not speak HTTP any more."""

    # Called by asyncio and uvicorn.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Take a place in the table, or be closed."""
        self._counted = CountedTransport(transport)
        super().connection_made(cast("asyncio.Transport", self._counted))
        transport.set_write_buffer_limits(high=_MOST_PENDING_BYTES)
        self.address = name_client(self.client[0] if self.client else "")
        if not self._table.add(self):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the table, and stop work that only this client waits for."""
        super().connection_lost(exc)
        self._table.remove(self)
        if self._switched is not None:
            self._switched.end()
        # What changes something is carried out, even if the client does not wait for the answer.
        if self._running is not None and self.scope["method"] in _READING:
            self._running.cancel()
        self.app = cast("Any", self._application)  # no cycle is left to be collected

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        if self._switched is not None:
            self._switched.feed(data)
            return
        super().data_received(data)
        self._note_phase()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()
        self._note_phase()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._note_phase()

    def resume_writing(self) -> None:
        """Go on after the client has read."""
        super().resume_writing()
        self._note_phase()

    def shutdown(self) -> None:
        """End a stream of events at once; let any other answer finish."""
        if self._is_stream:
            self.abort()
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, unless an answer was sent already."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    # Called by the table.

    def abort(self) -> None:
        """Close at once; a plain close would wait for the client to read, if there is something to read."""
        if self._counted.pending_bytes:
            self.transport.abort()
        else:
            self.transport.close()

    def check(self, now_s: float) -> None:
        """Abort if the client has kept the server waiting for too long."""
        self._note_phase()
        limits = self._table.limits
        waited_s = now_s - self._since_s
        match self._phase:
            case "request" if waited_s > limits.request_s:
                self.abort()
            case "discard" if waited_s > limits.discard_s:
                self.abort()
            case "unread":
                self._check_reading(now_s)

    def _check_reading(self, now_s: float) -> None:
        limits, taken = self._table.limits, self._counted.taken_bytes
        answer_s = now_s - (self._answer_since_s or now_s)
        rate_bytes_s = (taken - self._taken_before) / max(answer_s, 1e-9)
        if answer_s > limits.stalled_s and rate_bytes_s < limits.least_bytes_per_s:
            self.abort()
        elif taken > self._taken_last:
            self._taken_last, self._since_s = taken, now_s
            self._table.begin_wait(self)
        elif now_s - self._since_s > limits.stalled_s:
            self.abort()

    def _note_phase(self) -> None:
        phase = self._find_phase()
        if phase == self._phase:
            return
        self._phase, self._since_s = phase, self.loop.time()
        if phase == "unread":
            self._taken_last = self._counted.taken_bytes
            if self._answer_since_s is None:
                self._answer_since_s, self._taken_before = self._since_s, self._taken_last
        elif phase != "work":
            self._answer_since_s = None
        if phase == "work":
            self._table.end_wait(self)
        else:
            self._table.begin_wait(self)

    def _find_phase(self) -> Phase:
        answered = self.cycle is None or self.cycle.response_complete
        if self._counted.pending_bytes and (self.flow.write_paused or answered):
            return "unread"
        if self.conn.their_state is h11.SEND_BODY:
            return "discard" if answered else "request"
        if self.conn.their_state is h11.IDLE:
            return "idle" if self.cycle is not None and not self.conn.trailing_data[0] else "request"
        return "stream" if self._is_stream and not answered else "work"

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application until it has answered, or until the client has gone."""

        async def send_and_note(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start" and _is_event_stream(message):
                self._is_stream = True
                self._note_phase()

        scope["extensions"] = {**(scope.get("extensions") or {}), SWITCH: self._switch}
        with anyio.CancelScope() as scope_of_work:
            self._running = scope_of_work
            self._is_stream = False
            try:
                await self._application(scope, receive, send_and_note)
            except AnswerDropped:
                self.cycle.disconnected = True
                self.abort()
        # The next request of the connection may run already: it begins when the last bytes of this answer are sent.
        if self._running is scope_of_work:
            self._running = None

    def _switch(self, headers: Sequence[tuple[bytes, bytes]]) -> SwitchedConnection:
        """Answer 101 and stop to speak HTTP; the connection then counts as a stream of events."""
        head = self.conn.send(h11.InformationalResponse(status_code=101, headers=list(headers)))
        self.transport.write(head or b"")
        self._switched = SwitchedConnection(self.transport.write, self.abort)
        self._switched.feed(self.conn.trailing_data[0])
        self.cycle.disconnected = True  # uvicorn has nothing to answer any more
        self._is_stream = True
        self.flow.resume_reading()
        self._note_phase()
        return self._switched


def _is_event_stream(start: Message) -> bool:
    kinds = (value for name, value in start["headers"] if name.lower() == b"content-type")
    return any(kind.startswith(EVENT_STREAM.encode()) for kind in kinds)


class HttpServer(uvicorn.Server):
    """A server that leaves signals to its caller: uvicorn would end the program with an error."""

    def __init__(self, application: ASGIApp, table: ConnectionTable) -> None:
        config = uvicorn.Config(
            cast("Any", application),
            http=LimitedProtocol,
            ws="none",
            lifespan="off",
            # Below, uvicorn logs each malformed request, and hostile clients could fill a disk.
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=2 * _SHUTDOWN_S,
            # Requests whose client has gone are counted until they notice, on a busy machine hundreds at a time.
            limit_concurrency=max(_MOST_REQUESTS, 2 * table.limits.connections),
        )
        super().__init__(config)
        self._table = table
        self._memory = MemoryReturner()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signal handlers alone."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections at open sockets."""

        def make_protocol() -> LimitedProtocol:
            return LimitedProtocol(self._table, self.config, self.server_state)

        acceptors = [
            ConnectionAcceptor(one, make_protocol, self._table.close_longest_waiting) for one in sockets or ()
        ]
        self.servers = cast("list[asyncio.base_events.Server]", acceptors)
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish what is under way, and close what waits for its client a moment later."""
        closing = asyncio.get_running_loop().call_later(_SHUTDOWN_S, self._table.close_all_waiting)
        await super().shutdown(sockets)
        closing.cancel()

    async def on_tick(self, counter: int) -> bool:
        """Close overdue connections, and give memory back."""
        if counter % _TICKS_BETWEEN_CHECKS == 0:
            self._table.close_overdue(asyncio.get_running_loop().time())
            await self._memory.return_when_idle(
                self.server_state.total_requests, bool(self.server_state.tasks)
            )
        return await super().on_tick(counter)


def limit_buffers(listening: socket.socket) -> None:
    """Bound what the system buffers for each connection that this socket accepts: up to 10 MB by default."""
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        listening.setsockopt(socket.SOL_SOCKET, option, _SYSTEM_BYTES)
