"""Sending an answer as its fault says: late, in drips, never, in part, or without end."""

import asyncio
import time
from typing import Protocol

from gossamer.lab.server.answer import Fault
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.reply import Reply

# Twenty pieces a second look like a steady drip to any client and cost the server little.
_DRIP_S = 0.05
_LINES = b"and another line of text that leads nowhere\n" * 512
_FLOOD = {
    "headers": b"".join(b"X-Endless-%04d: %b\r\n" % (n, b"more " * 10) for n in range(256)),
    "body": b"%x\r\n%b\r\n" % (len(_LINES), _LINES),
}


class ReplyChannel(Protocol):
    """The connection, as far as sending goes."""

    def opening(self, reply: Reply) -> bytes:
        """Return everything before the body."""
        ...

    async def write(self, data: bytes) -> None:
        """Send bytes, waiting until the client has taken enough of them."""
        ...

    async def flush(self) -> None:
        """Wait until the client's system has all bytes."""
        ...

    def reset(self) -> None:
        """End the connection with a TCP RST."""
        ...

    def close(self) -> None:
        """End the connection politely."""
        ...


async def send_badly(line: ReplyChannel, reply: Reply, limits: Limits) -> None:
    """Send a reply the way its fault says."""
    fault = reply.fault or Fault()
    await asyncio.sleep(fault.delay_s)
    await line.write(line.opening(reply))
    if fault.endless and (reply.method != "HEAD" or fault.endless == "headers"):
        await _flood(line, _FLOOD[fault.endless], limits)
        return
    cuts = [cut for cut in (fault.stall_after, fault.reset_after, fault.close_after) if cut >= 0]
    await _drip(line, reply.body[: min(cuts)] if cuts else reply.body, fault.bytes_per_s)
    if cuts:
        await _break_off(line, fault, min(cuts), limits)


async def _drip(line: ReplyChannel, body: bytes, bytes_per_s: float) -> None:
    piece_bytes = max(1, int(bytes_per_s * _DRIP_S)) if bytes_per_s > 0 else 64 * 1024
    for start in range(0, len(body), piece_bytes):
        if start and bytes_per_s > 0:
            await asyncio.sleep(piece_bytes / bytes_per_s)
        await line.write(body[start : start + piece_bytes])


async def _break_off(line: ReplyChannel, fault: Fault, cut: int, limits: Limits) -> None:
    """End where the first of the cuts is; of equal ones the stall comes first."""
    await line.flush()
    if cut == fault.stall_after:
        await asyncio.sleep(limits.patience_s)
    if cut == fault.close_after:
        line.close()
    else:
        line.reset()


async def _flood(line: ReplyChannel, piece: bytes, limits: Limits) -> None:
    """Send the same piece over and over, as far as the client takes it and the limits go, then close.

    Neither the head nor the last chunk has come by then, so no client can take the answer for whole.
    """
    ends_s = time.monotonic() + limits.patience_s
    for _ in range(0, limits.endless_bytes, len(piece)):
        await line.write(piece)
        await asyncio.sleep(0)
        if time.monotonic() > ends_s:
            break
    line.close()
