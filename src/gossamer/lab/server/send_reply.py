"""Send a reply with its fault: late, slowly, in part, never or without end."""

import asyncio
import time
from typing import Protocol

from gossamer.lab.server.answer import Fault
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.reply import Reply

# Twenty pieces a second look like a steady stream to any client and cost the server little.
_PIECE_S = 0.05
_LINES = b"and another line of text that leads nowhere\n" * 512
_FLOOD = {
    "headers": b"".join(b"X-Endless-%04d: %b\r\n" % (n, b"more " * 10) for n in range(256)),
    "body": b"%x\r\n%b\r\n" % (len(_LINES), _LINES),
}


class ReplyChannel(Protocol):
    """The part of a connection that sending needs."""

    def build_dated_head(self, reply: Reply) -> bytes:
        """Return the head of a reply, with a Date header."""
        ...

    async def write(self, data: bytes) -> None:
        """Send bytes and wait until the write buffer has room."""
        ...

    async def flush(self) -> None:
        """Wait until the client's system has confirmed all bytes."""
        ...

    def reset(self) -> None:
        """Reset the connection (TCP RST)."""
        ...

    def close(self) -> None:
        """Close the connection once everything is sent."""
        ...


async def send_with_fault(channel: ReplyChannel, reply: Reply, limits: Limits) -> None:
    """Send a reply as its fault describes."""
    fault = reply.fault or Fault()
    await asyncio.sleep(fault.delay_s)
    await channel.write(channel.build_dated_head(reply))
    if fault.endless and (reply.method != "HEAD" or fault.endless == "headers"):
        await _flood(channel, _FLOOD[fault.endless], limits)
        return
    cuts = [cut for cut in (fault.stall_after, fault.reset_after, fault.close_after) if cut >= 0]
    await _drip(channel, reply.body[: min(cuts)] if cuts else reply.body, fault.bytes_per_s)
    if cuts:
        await _break_off(channel, fault, min(cuts), limits)


async def _drip(channel: ReplyChannel, body: bytes, bytes_per_s: float) -> None:
    piece_bytes = max(1, int(bytes_per_s * _PIECE_S)) if bytes_per_s > 0 else 64 * 1024
    for start in range(0, len(body), piece_bytes):
        if start and bytes_per_s > 0:
            await asyncio.sleep(piece_bytes / bytes_per_s)
        await channel.write(body[start : start + piece_bytes])


async def _break_off(channel: ReplyChannel, fault: Fault, cut: int, limits: Limits) -> None:
    """Stall, close or reset at the first cut; a stall comes before a close or reset at the same byte."""
    await channel.flush()
    if cut == fault.stall_after:
        await asyncio.sleep(limits.patience_s)
    if cut == fault.close_after:
        channel.close()
    else:
        channel.reset()


async def _flood(channel: ReplyChannel, piece: bytes, limits: Limits) -> None:
    """Send the same piece repeatedly until a limit is reached, then close.

    The end of the head or the last chunk is never sent, so no client can take the answer as complete.
    """
    ends_s = time.monotonic() + limits.patience_s
    for _ in range(0, limits.endless_bytes, len(piece)):
        await channel.write(piece)
        await asyncio.sleep(0)
        if time.monotonic() > ends_s:
            break
    channel.close()
