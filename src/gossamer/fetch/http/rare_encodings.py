"""Decodes br and zstd, for `content_decoding`; the only module that imports their libraries."""

import sys
from collections.abc import Iterator

import brotli  # type: ignore[import-untyped]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# RFC 9659 limits zstd windows on the web to 8 MiB; the library's own limit is 128 MiB for each stream.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}
# Data frames begin with 28 B5 2F FD, skippable frames with 50 to 5F, 2A 4D 18 (RFC 8878).
_ZSTD_FIRST = {0x28, *range(0x50, 0x60)}


class Brotli:
    """Brotli; broken data raises EOFError."""

    def __init__(self, piece_bytes: int) -> None:
        self._unpacker = brotli.Decompressor()
        self._piece_bytes = piece_bytes

    def unpack(self, piece: bytes) -> Iterator[bytes]:
        """Decode the next piece; yield portions of a bounded size."""
        if self._unpacker.is_finished():
            return
        portion = self._process(piece)
        while portion:
            yield portion
            # can_accept_more_data() does not count output that is still buffered, so drain until nothing comes.
            portion = self._process(b"")

    def finish(self) -> tuple[bytes, bool]:
        """Return the remaining bytes, and whether the encoded data was complete."""
        return b"", self._unpacker.is_finished()

    def _process(self, piece: bytes) -> bytes:
        try:
            portion: bytes = self._unpacker.process(piece, output_buffer_limit=self._piece_bytes)
        except brotli.error as error:
            raise EOFError(str(error)) from None
        return portion


class Zstd:
    """Zstandard, frame after frame; other bytes after the last frame are ignored. Broken data raises EOFError."""

    def __init__(self, piece_bytes: int, most_frames: int) -> None:
        self._unpacker = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)
        self._piece_bytes = piece_bytes
        self._frames_left = most_frames - 1

    def unpack(self, piece: bytes) -> Iterator[bytes]:
        """Decode the next piece; yield portions of a bounded size."""
        while piece or not (self._unpacker.eof or self._unpacker.needs_input):
            if self._unpacker.eof:
                if piece[0] not in _ZSTD_FIRST:
                    return
                if not self._frames_left:
                    raise EOFError("too many frames")
                self._frames_left -= 1
                self._unpacker = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)
            try:
                portion = self._unpacker.decompress(piece, self._piece_bytes)
            except zstd.ZstdError as error:
                raise EOFError(str(error)) from None
            yield portion
            piece = self._unpacker.unused_data if self._unpacker.eof else b""

    def finish(self) -> tuple[bytes, bool]:
        """Return the remaining bytes, and whether the encoded data was complete."""
        return b"", self._unpacker.eof
