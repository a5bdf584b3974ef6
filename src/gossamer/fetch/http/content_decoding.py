"""Decodes gzip, deflate, br and zstd while a body arrives, never to more bytes than allowed."""

import zlib
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Literal, Protocol

ACCEPTED = "gzip, deflate, br, zstd"
"""The value of the Accept-Encoding header."""
PIECE_BYTES = 65_536
HARMLESS_BYTES = 1_000_000
"""Bodies up to this size may have any compression ratio: a page of blanks is not a bomb."""

_ERRORS = (zlib.error, EOFError)
_GZIP_BITS = 31
# Empty members cost time and yield nothing; block-wise compressors write one member for each 64 KiB.
_MAX_MEMBERS = 1_000
# A body with more layers than this is a trap, and is not decoded.
_MAX_LAYERS = 3

Stop = Literal["", "length", "expansion", "broken"]


class _Layer(Protocol):
    """One layer of encoding."""

    def unpack(self, piece: bytes) -> Iterator[bytes]:
        """Decode the next piece; yield portions of a bounded size."""
        ...

    def finish(self) -> tuple[bytes, bool]:
        """Return the remaining bytes, and whether the encoded data was complete."""
        ...


class Decoder:
    """Decodes a body piece by piece, within limits.

    Decoding stops when the plain body gets longer than `most_bytes` (the rest is cut off), when it is longer than
    HARMLESS_BYTES and more than `expansion` times as long as the encoded bytes, or when the encoded data is broken.
    Cost: O(bytes in + bytes out) time; memory is the plain body and some portions of PIECE_BYTES.
    """

    def __init__(self, layers: list[_Layer], most_bytes: int, expansion: float) -> None:
        self._layers = layers
        self._most_bytes = most_bytes
        self._expansion = expansion
        self._received_bytes = self._plain_bytes = 0
        self._plain: list[bytes] = []
        self.stop: Stop = ""
        """Why decoding stopped early; "" if it did not."""

    @property
    def plain_bytes(self) -> int:
        """How many bytes were decoded so far."""
        return self._plain_bytes

    def feed(self, piece: bytes) -> None:
        """Decode the next piece of the body."""
        if self.stop:
            return
        self._received_bytes += len(piece)
        try:
            for plain in _decode_layers(self._layers, piece):
                self._add(plain)
                if self.stop:
                    return
        except _ERRORS:
            self.stop = "broken"

    def finish(self) -> bytes | None:
        """Return the plain body, as far as it was decoded; None if it was not encoded as declared."""
        if not self.stop and self._received_bytes:
            self._drain()
        if self.stop == "broken" and not self._plain_bytes:
            return None
        return b"".join(self._plain)

    def _add(self, plain: bytes) -> None:
        self._plain.append(plain)
        self._plain_bytes += len(plain)
        if self._plain_bytes > max(HARMLESS_BYTES, self._expansion * self._received_bytes):
            self.stop = "expansion"
        if self._plain_bytes > self._most_bytes:
            self._plain[-1] = plain[: self._most_bytes - self._plain_bytes]
            self._plain_bytes = self._most_bytes
            self.stop = self.stop or "length"

    def _drain(self) -> None:
        """Take the remaining bytes of each layer, and check that the data was complete."""
        try:
            for place, layer in enumerate(self._layers):
                rest, whole = layer.finish()
                for plain in _decode_layers(self._layers[place + 1 :], rest):
                    self._add(plain)
                if not whole:
                    self.stop = self.stop or "broken"
        except _ERRORS:
            self.stop = "broken"


def make_decoder(content_encoding: str, most_bytes: int, expansion: float) -> Decoder | None:
    """Make a decoder for a Content-Encoding; None if there is nothing to decode or the encoding is unknown.

    Encodings are undone from the last to the first, up to the first unknown one. `x-gzip` is gzip; `deflate` is
    accepted with and without the zlib header, since servers send both.
    """
    names = [name.strip() for name in content_encoding.lower().split(",")]
    names = [name for name in names if name not in ("", "identity")]
    known = list(takewhile(_LAYERS.__contains__, reversed(names)))
    if not 0 < len(known) <= _MAX_LAYERS:
        return None
    layers = [_LAYERS[name]() for name in known]
    return Decoder(layers, most_bytes, expansion)


def _decode_layers(layers: list[_Layer], piece: bytes) -> Iterator[bytes]:
    """Pass a piece through all layers; yield the plain portions."""
    if not layers:
        if piece:
            yield piece
        return
    for portion in layers[0].unpack(piece):
        yield from _decode_layers(layers[1:], portion)


def _count_member(members: int) -> int:
    if members == _MAX_MEMBERS:
        raise EOFError("too many members")
    return members + 1


class _Gzip:
    """Gzip, member after member; other bytes after the last member are ignored, as in browsers."""

    def __init__(self, window_bits: int = _GZIP_BITS) -> None:
        self._window_bits = window_bits
        self._unpacker = zlib.decompressobj(window_bits)
        self._members = 1

    def unpack(self, piece: bytes) -> Iterator[bytes]:
        while piece:
            if self._unpacker.eof:
                if self._window_bits != _GZIP_BITS or piece[:1] != b"\x1f":
                    return
                self._members = _count_member(self._members)
                self._unpacker = zlib.decompressobj(self._window_bits)
            yield self._unpacker.decompress(piece, PIECE_BYTES)
            piece = self._unpacker.unused_data if self._unpacker.eof else self._unpacker.unconsumed_tail

    def finish(self) -> tuple[bytes, bool]:
        return self._unpacker.flush(), self._unpacker.eof


class _Deflate:
    """Deflate with the zlib header, as the standard says, or without, as some servers send it."""

    def __init__(self) -> None:
        self._held = b""
        self._inner: _Gzip | None = None

    def unpack(self, piece: bytes) -> Iterator[bytes]:
        if self._inner is None:
            self._held += piece
            if len(self._held) < 2:
                return
            # RFC 1950: the method is 8, and the first two bytes are a multiple of 31.
            wrapped = self._held[0] & 15 == 8 and int.from_bytes(self._held[:2], "big") % 31 == 0
            self._inner = _Gzip(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
            piece, self._held = self._held, b""
        yield from self._inner.unpack(piece)

    def finish(self) -> tuple[bytes, bool]:
        return self._inner.finish() if self._inner else (b"", False)


def _make_brotli() -> _Layer:
    from gossamer.fetch.http.rare_encodings import Brotli  # late: most servers send neither

    return Brotli(PIECE_BYTES)


def _make_zstd() -> _Layer:
    from gossamer.fetch.http.rare_encodings import Zstd

    return Zstd(PIECE_BYTES, _MAX_MEMBERS)


_LAYERS: dict[str, Callable[[], _Layer]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _make_brotli,
    "zstd": _make_zstd,
}
