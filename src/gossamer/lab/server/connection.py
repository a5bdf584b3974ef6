"""One client's connection: requests in, replies out, in order, with everything bounded."""

import asyncio
import fcntl
import socket
import struct
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from gossamer.lab.server.handle_request import Service
from gossamer.lab.server.http_wire import head_end
from gossamer.lab.server.reply import Reply
from gossamer.lab.server.request_log import LoggedRequest
from gossamer.lab.server.send_reply import send_badly

# Larger bodies are sent in pieces, waiting for the client to take them.
_AT_ONCE_BYTES = 64 * 1024
_LOOK_AGAIN_S = 0.002
_RESET = struct.pack("ii", 1, 0)


class Connection(asyncio.Protocol):
    """Reads requests, pipelined or not, and sends a service's replies."""

    def __init__(
        self,
        service: Service,
        number: int,
        take_in: Callable[["Connection", str], bool],
        note: Callable[[LoggedRequest], None],
    ) -> None:
        self._service = service
        self._number = number
        self._take_in = take_in
        self._note = note
        self._received = b""
        self._searched = 0
        self._skip_bytes = 0
        self._sending: asyncio.Task[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._over = self._said_all = self._gone = False
        self.active_s = self._received_s = self._handed_s = time.monotonic()
        """`_handed_s`: when the system was last given something to do with this connection. Taken before it is, since
        the client may have the bytes, and ask again, before this thread is back."""
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a client in, or turn it away."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=_AT_ONCE_BYTES)
        self._address: str = self._transport.get_extra_info("sockname")[0]
        if not self._take_in(self, self._address):
            self.reset()

    def data_received(self, data: bytes) -> None:
        """Reply to what is complete, keep what is not."""
        if self._over:
            return
        self._received_s = self.active_s = time.monotonic()
        if self._skip_bytes:
            skipped = min(self._skip_bytes, len(data))
            self._skip_bytes -= skipped
            data = data[skipped:]
        self._received = self._received + data if self._received else data
        if self._sending is None:
            self._serve()
        elif len(self._received) > self._service.limits.head_bytes:
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """Finish the replies under way for a client that has said all it has to say."""
        self._said_all = True
        return self._sending is not None

    def pause_writing(self) -> None:
        """Wait with further replies: the client does not read."""
        if self._drained is None:
            self._drained = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        self.active_s = time.monotonic()
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)
        self._drained = None

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        """Stop sending; the client is gone."""
        self._over = self._gone = True
        self._handed_s = time.monotonic()
        if self._sending is not None:
            self._sending.cancel()
        else:
            self.lost.set_result(None)

    # Requests in order.

    def _serve(self) -> None:
        received, start = self._received, 0
        while self._sending is None and not self._over and not self._transport.is_closing():
            found = head_end(received, start + self._searched)
            if found is None:
                break
            raw, start, self._searched = received[start : found[0]], found[1], 0
            if raw.strip(b"\r\n"):
                self._begin(raw)
                skipped = min(self._skip_bytes, len(received) - start)
                self._skip_bytes -= skipped
                start += skipped
        self._received = received[start:]
        if self._sending is None and not self._over:
            # A blank line may be cut anywhere, so its first three bytes are looked at again.
            self._searched = max(0, len(self._received) - 3)
            if len(self._received) > self._service.limits.head_bytes:
                self._send(self._service.refusal(431, "The request's head is too long."))
            elif self._said_all:
                self.close()

    def _begin(self, raw: bytes) -> None:
        if len(raw) > self._service.limits.head_bytes:
            self._send(self._service.refusal(431, "The request's head is too long."))
        else:
            self._send(self._service.reply(raw, self._address))

    def _send(self, reply: Reply) -> None:
        arrived_s = self._received_s
        self._skip_bytes = reply.body_bytes
        if reply.fault is None and len(reply.body) <= _AT_ONCE_BYTES:
            self._hand(self.opening(reply) + reply.body)
            if self._drained is None:
                self._sent(reply, arrived_s)
                return
        self._sending = asyncio.get_running_loop().create_task(self._send_slowly(reply))
        self._sending.add_done_callback(lambda task: self._sent_slowly(task, reply, arrived_s))

    async def _send_slowly(self, reply: Reply) -> None:
        if reply.fault is not None:
            await send_badly(self, reply, self._service.limits)
        elif len(reply.body) <= _AT_ONCE_BYTES:
            await self.write(b"")
        else:
            await self.write(self.opening(reply))
            for start in range(0, len(reply.body), _AT_ONCE_BYTES):
                await self.write(reply.body[start : start + _AT_ONCE_BYTES])

    def _sent_slowly(self, task: asyncio.Task[None], reply: Reply, arrived_s: float) -> None:
        self._sending = None
        self._sent(reply, arrived_s)
        if self._gone:
            self.lost.set_result(None)
        elif not self._transport.is_closing():
            self._transport.resume_reading()
            self._serve()
        if not task.cancelled():
            task.result()

    def _sent(self, reply: Reply, arrived_s: float) -> None:
        self._note(
            LoggedRequest(
                arrived_s,
                self._handed_s,
                reply.host,
                self._address,
                self._number,
                reply.method,
                reply.target,
                reply.status,
                reply.agent,
            )
        )
        if not reply.keep_alive:
            self._end()

    def _end(self) -> None:
        """Say that nothing more comes, but read on: unread bytes would turn the close into a reset."""
        self._over = True
        if not self._transport.is_closing():
            with suppress(OSError):  # the client may be gone already
                self._transport.write_eof()

    # What sending needs.

    def opening(self, reply: Reply) -> bytes:
        """Return everything before the body."""
        if reply.dated:
            return reply.status_line + reply.head
        return b"%b%b%b" % (reply.status_line, self._service.date(), reply.head)

    def _hand(self, data: bytes) -> None:
        self._handed_s = time.monotonic()
        self._transport.write(data)

    async def write(self, data: bytes) -> None:
        """Send bytes, waiting until the client has taken enough of them."""
        self._hand(data)
        if self._drained is not None:
            await self._drained
        self.active_s = time.monotonic()

    async def flush(self) -> None:
        """Wait until the client's system has all bytes: a reset would take back what is under way."""
        self._transport.set_write_buffer_limits(high=0)
        await self.write(b"")
        until_s = time.monotonic() + self._service.limits.patience_s
        while self._under_way() and time.monotonic() < until_s:
            await asyncio.sleep(_LOOK_AGAIN_S)

    def _under_way(self) -> bool:
        """Tell whether the client's system still has to confirm bytes."""
        if self._transport.is_closing():
            return False
        raw: socket.socket = self._transport.get_extra_info("socket")
        return any(fcntl.ioctl(raw.fileno(), termios.TIOCOUTQ, bytes(4)))

    def reset(self) -> None:
        """End the connection the hard way, with a TCP RST."""
        raw: socket.socket = self._transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._handed_s = time.monotonic()
        self._transport.abort()

    def close(self) -> None:
        """End the connection politely once everything is sent."""
        self._handed_s = time.monotonic()
        self._transport.close()

    def abandon(self) -> asyncio.Future[None]:
        """End the connection at once, and return what is done when nothing of it is left."""
        self._transport.abort()
        return self.lost

    def abandon_if_stale(self, now_s: float, patience_s: float) -> None:
        """End a connection on which nothing has moved, unless a slow reply is under way as it should be."""
        if now_s - self.active_s <= patience_s:
            return
        if self._drained is not None:
            self.reset()  # what the client does not read would else stay in memory
        elif self._sending is None:
            self.close()
