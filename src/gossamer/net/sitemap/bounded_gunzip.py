"""Gzip in pieces: never more bytes than asked for, whatever the file claims to hold."""

import zlib
from collections.abc import Iterator
from itertools import chain

PIECE_BYTES = 65_536
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31
# Some servers pack the .gz file once more; more layers than two are a trap.
_MAX_LAYERS = 2
# Block-wise packers write a member for each 64 KiB: 800 for 50 MiB. Empty members cost time and yield nothing.
_MAX_MEMBERS = 1_000


class Unpacked:
    """The bytes of a file in pieces, unpacked if it is gzip, and at most `max_bytes` of them.

    Broken or truncated gzip yields what could be unpacked, and `error` says so; what follows the gzip data
    is ignored. Read `error` and `truncated` after the last piece.
    Cost: O(bytes read + bytes yielded) time, O(PIECE_BYTES) memory beside the body.
    """

    def __init__(self, body: bytes, max_bytes: int) -> None:
        self._body = memoryview(body)
        self._max_bytes = max_bytes
        self.error = ""
        self.truncated = False

    def __iter__(self) -> Iterator[bytes]:
        left_bytes = self._max_bytes
        for piece in self._layer(self._slices(), 0):
            if len(piece) > left_bytes:
                self.truncated = True
                yield piece[:left_bytes]
                return
            left_bytes -= len(piece)
            yield piece

    def _slices(self) -> Iterator[bytes]:
        """Cut the body, so that what is left of a piece is cheap to hand on."""
        for start in range(0, len(self._body), PIECE_BYTES):
            yield bytes(self._body[start : start + PIECE_BYTES])

    def _layer(self, pieces: Iterator[bytes], depth: int) -> Iterator[bytes]:
        """Unpack as long as what comes out is gzip itself."""
        first = next(pieces, b"")
        whole = chain((first,), pieces)
        if depth < _MAX_LAYERS and first.startswith(_GZIP_MAGIC):
            return self._layer(self._gunzip(whole), depth + 1)
        return whole

    def _gunzip(self, packed: Iterator[bytes]) -> Iterator[bytes]:
        """Unpack one layer, member after member."""
        unpacker = zlib.decompressobj(_GZIP_WINDOW)
        members = 1
        for piece in packed:
            while piece:
                if unpacker.eof:
                    members += 1
                    if members > _MAX_MEMBERS or piece[:1] != _GZIP_MAGIC[:1]:
                        self.truncated = self.truncated or members > _MAX_MEMBERS
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
