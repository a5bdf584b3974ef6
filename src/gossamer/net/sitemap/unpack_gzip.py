"""Unpacks gzip in pieces, never to more bytes than allowed."""

import zlib
from collections.abc import Iterator
from itertools import chain

from gossamer.net.sitemap.sitemap_limits import MAX_GZIP_LAYERS, MAX_GZIP_MEMBERS

PIECE_BYTES = 65_536
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31


class BoundedGunzip:
    """Iterates over the bytes of a file in pieces, unpacked if it is gzip, up to `max_bytes`.

    Broken or truncated gzip yields what can be unpacked, and sets `error`; bytes after the gzip data are ignored.
    Read `error`, `truncated` and `unpacked_bytes` after the last piece.
    Cost: O(bytes read + bytes yielded) time, O(PIECE_BYTES) memory beside the body.
    """

    def __init__(self, body: bytes, max_bytes: int) -> None:
        self._body = memoryview(body)
        self._max_bytes = max_bytes
        self.error = ""
        self.truncated = False
        self.unpacked_bytes = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._unpack_layers(self._split(), 0):
            left_bytes = self._max_bytes - self.unpacked_bytes
            self.unpacked_bytes += min(len(piece), left_bytes)
            if len(piece) > left_bytes:
                self.truncated = True
                yield piece[:left_bytes]
                return
            yield piece

    def _split(self) -> Iterator[bytes]:
        """Split the body, so that passing on the rest of a piece is cheap."""
        for start in range(0, len(self._body), PIECE_BYTES):
            yield bytes(self._body[start : start + PIECE_BYTES])

    def _unpack_layers(self, pieces: Iterator[bytes], depth: int) -> Iterator[bytes]:
        """Unpack until the result is no longer gzip."""
        first = next(pieces, b"")
        whole = chain((first,), pieces)
        if depth < MAX_GZIP_LAYERS and first.startswith(_GZIP_MAGIC):
            return self._unpack_layers(self._gunzip(whole), depth + 1)
        return whole

    def _gunzip(self, packed: Iterator[bytes]) -> Iterator[bytes]:
        """Unpack one layer, member after member."""
        unpacker = zlib.decompressobj(_GZIP_WINDOW)
        members = 1
        for piece in packed:
            while piece:
                if unpacker.eof:
                    members += 1
                    if members > MAX_GZIP_MEMBERS or piece[:1] != _GZIP_MAGIC[:1]:
                        self.truncated = self.truncated or members > MAX_GZIP_MEMBERS
                        return
                    unpacker = zlib.decompressobj(_GZIP_WINDOW)
                try:
                    unpacked = unpacker.decompress(piece, PIECE_BYTES)
                except zlib.error as error:
                    self.error = f"broken gzip: {error}"
                    return
                piece = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                if unpacked:
                    yield unpacked
        if not unpacker.eof:
            yield unpacker.flush()
            self.error = "gzip ends early"
