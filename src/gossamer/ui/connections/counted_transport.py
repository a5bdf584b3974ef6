"""A transport that counts what the client's side has taken."""

import asyncio
from typing import Any


class CountedTransport:
    """Passes everything on to a transport, and counts the bytes that are written."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._written_bytes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write bytes, unless the connection is being closed: asyncio would log each attempt."""
        if self._transport.is_closing():
            return
        self._written_bytes += len(data)
        self._transport.write(data)

    @property
    def pending_bytes(self) -> int:
        """How many bytes the system has not taken yet, because the client does not read."""
        return self._transport.get_write_buffer_size()

    @property
    def taken_bytes(self) -> int:
        """How many bytes the system has taken."""
        return self._written_bytes - self.pending_bytes
