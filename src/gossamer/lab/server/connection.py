"""One client's connection: read requests, pipelined or not, and send replies in order, within limits."""

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
from gossamer.lab.server.http_wire import find_head_end
from gossamer.lab.server.reply import Reply
from gossamer.lab.server.request_log import LoggedRequest
from gossamer.lab.server.send_reply import send_with_fault

# Larger bodies are sent in pieces as the client reads them.
_AT_ONCE_BYTES = 64 * 1024
_POLL_S = 0.002
_RESET = struct.pack("ii", 1, 0)


class Connection(asyncio.Protocol):
    """An asyncio protocol that parses requests and sends a service's replies."""

    def __init__(
        self,
        service: Service,
        number: int,
        admit: Callable[["Connection", str], bool],
        log_request: Callable[[LoggedRequest], None],
    ) -> None:
        self._service = service
        self._number = number
        self._admit = admit
        self._log_request = log_request
        self._received = b""
        self._searched = 0
        self._skip_bytes = 0
        self._sending: asyncio.Task[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._finished = self._client_finished = self._disconnected = False
        self.active_s = self._received_s = self._written_s = time.monotonic()
        """`_written_s`: when bytes or a close were last handed to the system. Taken before the call, since the client
        can have the bytes, and send its next request, before the call returns."""
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a client, or reset its connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=_AT_ONCE_BYTES)
        self._address: str = self._transport.get_extra_info("sockname")[0]
        if not self._admit(self, self._address):
            self.reset()

    def data_received(self, data: bytes) -> None:
        """Reply to complete requests and buffer the rest."""
        if self._finished:
            return
        self._received_s = self.active_s = time.monotonic()
        if self._skip_bytes:
            skipped = min(self._skip_bytes, len(data))
            self._skip_bytes -= skipped
            data = data[skipped:]
        self._received = self._received + data if self._received else data
        if self._sending is None:
            self._handle_received()
        elif len(self._received) > self._service.limits.head_bytes:
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """Finish pending replies after the client has closed its side."""
        self._client_finished = True
        return self._sending is not None

    def pause_writing(self) -> None:
        """Hold further replies while the client does not read."""
        if self._drained is None:
            self._drained = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        """Continue sending once the client has read."""
        self.active_s = time.monotonic()
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)
        self._drained = None

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        """Stop sending after the client has disconnected."""
        self._finished = self._disconnected = True
        self._written_s = time.monotonic()
        if self._sending is not None:
            self._sending.cancel()
        else:
            self.lost.set_result(None)

    # Requests and replies, in order.

    def _handle_received(self) -> None:
        received, start = self._received, 0
        while self._sending is None and not self._finished and not self._transport.is_closing():
            found = find_head_end(received, start + self._searched)
            if found is None:
                break
            raw, start, self._searched = received[start : found[0]], found[1], 0
            if raw.strip(b"\r\n"):
                self._handle_request(raw)
                skipped = min(self._skip_bytes, len(received) - start)
                self._skip_bytes -= skipped
                start += skipped
        self._received = received[start:]
        if self._sending is None and not self._finished:
            # The blank line may arrive in parts, so search its first three bytes again.
            self._searched = max(0, len(self._received) - 3)
            if len(self._received) > self._service.limits.head_bytes:
                self._send(self._service.refuse(431, "The head of the request is too long."))
            elif self._client_finished:
                self.close()

    def _handle_request(self, raw: bytes) -> None:
        if len(raw) > self._service.limits.head_bytes:
            self._send(self._service.refuse(431, "The head of the request is too long."))
        else:
            self._send(self._service.reply(raw, self._address))

    def _send(self, reply: Reply) -> None:
        arrived_s = self._received_s
        self._skip_bytes = reply.body_bytes
        if reply.fault is None and len(reply.body) <= _AT_ONCE_BYTES:
            self._write_now(self.build_dated_head(reply) + reply.body)
            if self._drained is None:
                self._finish_reply(reply, arrived_s)
                return
        self._sending = asyncio.get_running_loop().create_task(self._send_slowly(reply))
        self._sending.add_done_callback(lambda task: self._finish_slow_reply(task, reply, arrived_s))

    async def _send_slowly(self, reply: Reply) -> None:
        if reply.fault is not None:
            await send_with_fault(self, reply, self._service.limits)
        elif len(reply.body) <= _AT_ONCE_BYTES:
            await self.write(b"")
        else:
            await self.write(self.build_dated_head(reply))
            for start in range(0, len(reply.body), _AT_ONCE_BYTES):
                await self.write(reply.body[start : start + _AT_ONCE_BYTES])

    def _finish_slow_reply(self, task: asyncio.Task[None], reply: Reply, arrived_s: float) -> None:
        self._sending = None
        self._finish_reply(reply, arrived_s)
        if self._disconnected:
            self.lost.set_result(None)
        elif not self._transport.is_closing():
            self._transport.resume_reading()
            self._handle_received()
        if not task.cancelled():
            task.result()

    def _finish_reply(self, reply: Reply, arrived_s: float) -> None:
        self._log_request(
            LoggedRequest(
                arrived_s=arrived_s,
                ended_s=self._written_s,
                host=reply.host,
                address=self._address,
                connection=self._number,
                method=reply.method,
                target=reply.target,
                status=reply.status,
                agent=reply.agent,
            )
        )
        if not reply.keep_alive:
            self._finish_writing()

    def _finish_writing(self) -> None:
        """Close the sending side but keep reading: unread bytes would turn the close into a reset."""
        self._finished = True
        if not self._transport.is_closing():
            with suppress(OSError):  # the client may be gone already
                self._transport.write_eof()

    # Used by `send_reply`.

    def build_dated_head(self, reply: Reply) -> bytes:
        """Return the head of a reply, with a Date header."""
        if reply.dated:
            return reply.status_line + reply.head
        return b"%b%b%b" % (reply.status_line, self._service.date_header(), reply.head)

    def _write_now(self, data: bytes) -> None:
        self._written_s = time.monotonic()
        self._transport.write(data)

    async def write(self, data: bytes) -> None:
        """Send bytes and wait until the write buffer has room."""
        self._write_now(data)
        if self._drained is not None:
            await self._drained
        self.active_s = time.monotonic()

    async def flush(self) -> None:
        """Wait until the client's system has confirmed all bytes: a reset would discard those in transit."""
        self._transport.set_write_buffer_limits(high=0)
        await self.write(b"")
        until_s = time.monotonic() + self._service.limits.patience_s
        while self._has_unconfirmed_bytes() and time.monotonic() < until_s:
            await asyncio.sleep(_POLL_S)

    def _has_unconfirmed_bytes(self) -> bool:
        """Tell whether the client's system has not yet confirmed all bytes."""
        if self._transport.is_closing():
            return False
        raw: socket.socket = self._transport.get_extra_info("socket")
        return any(fcntl.ioctl(raw.fileno(), termios.TIOCOUTQ, bytes(4)))

    def reset(self) -> None:
        """Reset the connection (TCP RST)."""
        raw: socket.socket = self._transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._written_s = time.monotonic()
        self._transport.abort()

    def close(self) -> None:
        """Close the connection once everything is sent."""
        self._written_s = time.monotonic()
        self._transport.close()

    def abort(self) -> asyncio.Future[None]:
        """Drop the connection at once; the returned future completes when its cleanup is finished."""
        self._transport.abort()
        return self.lost

    def close_if_idle(self, now_s: float, patience_s: float) -> None:
        """Close a connection without traffic for `patience_s`, unless a slow reply is being sent."""
        if now_s - self.active_s <= patience_s:
            return
        if self._drained is not None:
            self.reset()  # frees the memory of what the client does not read
        elif self._sending is None:
            self.close()
