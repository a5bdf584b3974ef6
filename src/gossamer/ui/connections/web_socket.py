"""WebSocket (RFC 6455), as far as a server needs it that only sends: handshake, text messages, pings and the end.

Written here because the server would otherwise need another package for one answer; `wsproto`, of mitmproxy's environment, is the peer in
tests. Messages of clients are read and dropped.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
GOING_AWAY, WRONG, TOO_LARGE = 1001, 1002, 1009
_KEY_OF_SERVERS = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_VERSION = "13"
_LAST = 0x80
_MASKED = 0x80
_MOST_PAYLOAD = 4_096
_MOST_CONTROL = 125
_TWO_BYTES, _EIGHT_BYTES = 126, 127


class Frame(NamedTuple):
    """One frame of a client."""

    kind: int
    payload: bytes


class FrameError(Exception):
    """A client broke the protocol."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def accept_key(headers: Mapping[str, str]) -> str | Literal[False]:
    """Return the answer to the key of a handshake; False if the request is none."""
    key = headers.get("sec-websocket-key", "").strip().encode("latin-1")
    wants = "upgrade" in [one.strip().lower() for one in headers.get("connection", "").split(",")]
    if headers.get("upgrade", "").strip().lower() != "websocket" or not wants:
        return False
    if headers.get("sec-websocket-version", "").strip() != _VERSION or not _is_key(key):
        return False
    return base64.b64encode(hashlib.sha1(key + _KEY_OF_SERVERS, usedforsecurity=False).digest()).decode()


def write_frame(kind: int, payload: bytes = b"") -> bytes:
    """Return a whole message in one frame; those of servers are not masked."""
    size = len(payload)
    if size <= _MOST_CONTROL:
        return bytes((_LAST | kind, size)) + payload
    if size < 1 << 16:
        return bytes((_LAST | kind, _TWO_BYTES)) + size.to_bytes(2) + payload
    return bytes((_LAST | kind, _EIGHT_BYTES)) + size.to_bytes(8) + payload


def write_close(code: int) -> bytes:
    """Return the frame that ends a connection, with its reason."""
    return write_frame(CLOSE, code.to_bytes(2))


class FrameReader:
    """Cuts what a client sends into frames."""

    def __init__(self) -> None:
        self._left = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield the frames that are complete; raise `FrameError` for what is none, or too large."""
        self._left += data
        while (found := self._cut()) is not None:
            yield found

    def _cut(self) -> Frame | None:
        if len(self._left) < 2:
            return None
        kind, size = self._left[0] & 0x0F, self._left[1] & 0x7F
        if self._left[0] & 0x70 or not self._left[1] & _MASKED:
            raise FrameError(WRONG)
        if kind >= CLOSE and (size > _MOST_CONTROL or not self._left[0] & _LAST):
            raise FrameError(WRONG)
        extra = {_TWO_BYTES: 2, _EIGHT_BYTES: 8}.get(size, 0)
        if len(self._left) < 2 + extra:
            return None
        size = int.from_bytes(self._left[2 : 2 + extra]) if extra else size
        if size > _MOST_PAYLOAD:
            raise FrameError(TOO_LARGE)
        begin = 2 + extra + 4
        if len(self._left) < begin + size:
            return None
        mask, payload = self._left[begin - 4 : begin], self._left[begin : begin + size]
        del self._left[: begin + size]
        return Frame(kind, bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)))


def _is_key(key: bytes) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == 16
    except ValueError:
        return False
