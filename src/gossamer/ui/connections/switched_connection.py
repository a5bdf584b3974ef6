"""A connection after its HTTP request has become something else (RFC 9110, section 7.8): bytes come and go as they are."""

import asyncio
from collections.abc import Callable, Sequence

SWITCH = "gossamer.switch"
"""The extension of a scope under which the function stands that answers 101 and returns the connection."""
Switch = Callable[[Sequence[tuple[bytes, bytes]]], "SwitchedConnection"]
_MOST_WAITING = 65_536


class SwitchedConnection:
    """What the client sends, and what is sent to it."""

    def __init__(self, write: Callable[[bytes], None], close: Callable[[], None]) -> None:
        self.send = write
        self.close = close
        self._came = asyncio.Event()
        self._waiting = bytearray()
        self._has_ended = False

    def feed(self, data: bytes) -> None:
        """Take bytes of the client; one that sends more than is read is cut off."""
        self._waiting += data
        if len(self._waiting) > _MOST_WAITING:
            self.close()
        self._came.set()

    def end(self) -> None:
        """Note that the client has gone."""
        self._has_ended = True
        self._came.set()

    async def receive(self) -> bytes:
        """Wait for bytes of the client; b"" when it has gone."""
        while not self._waiting and not self._has_ended:
            self._came.clear()
            await self._came.wait()
        data = bytes(self._waiting)
        self._waiting.clear()
        return data
