"""Fill an extent of a WARC file with a record of exactly its length, so that no other record moves.

What is left over is a gap: a gzip member with a record of the type `gap`, whose block is zeros. Readers skip types that they do
not know (WARC 1.1, section 5.5). The zeros are stored and not compressed: the file system keeps no blocks for them.
"""

import struct
import zlib
from collections.abc import Iterator
from uuid import uuid4

from gossamer.errors import StoreFailed
from gossamer.store.archive.warc_records import pack_record

_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_WITH_EXTRA, _WITH_COMMENT = 4, 16
_TRAILER = struct.Struct("<II")
_BLOCK = struct.Struct("<BHH")
_BLOCK_BYTES = 65_535
_RECORD_END = b"\r\n\r\n"
LEAST_GAP_BYTES = 160
"""The shortest gap that is written; less room is filled within the header of the record before it."""
_NAMED_GAP_BYTES = 300
"""Shorter gaps have no id and no date."""
_BEST = 9
_GZIP = 31
Piece = bytes | int
"""Bytes to write, or a number of zeros."""


def fill(length: int, *records: bytes) -> list[Piece]:
    """Return the pieces of an extent that holds these records, not packed yet, and a gap if there is room."""
    packed = [pack_record(record) for record in records]
    if sum(map(len, packed)) > length:
        packed = [_pack_small(record) for record in records]
    left = length - sum(map(len, packed))
    if left < 0:
        raise StoreFailed(f"{-left} bytes are missing for a record that replaces another one")
    if left >= LEAST_GAP_BYTES:
        return [*packed, *make_gap(left)]
    if left and not packed:
        raise StoreFailed(f"{left} bytes are too few for a gap")
    if left:
        packed[-1] = _pad(packed[-1], left)
    return list(packed)


def fits(length: int, record: bytes) -> bool:
    """Say whether a record, not packed yet, fits into an extent."""
    return len(pack_record(record)) <= length or len(_pack_small(record)) <= length


def make_gap(length: int) -> Iterator[Piece]:
    """Yield the pieces of a gap of exactly this length."""
    inner = length - len(_HEADER) - _TRAILER.size
    blocks = -(-inner // (_BLOCK_BYTES + _BLOCK.size))
    data_bytes = inner - blocks * _BLOCK.size
    head = _make_head(data_bytes, length >= _NAMED_GAP_BYTES)
    zeros = data_bytes - len(head) - len(_RECORD_END)
    if zeros < 0:
        raise StoreFailed(f"{length} bytes are too few for a gap")
    yield _HEADER
    at = 0
    crc = 0
    for block in range(blocks):
        size = min(_BLOCK_BYTES, data_bytes - at)
        yield _BLOCK.pack(block == blocks - 1, size, size ^ 0xFFFF)
        for piece in _cut(head, zeros, at, at + size):
            crc = zlib.crc32(bytes(piece) if isinstance(piece, int) else piece, crc)
            yield piece
        at += size
    yield _TRAILER.pack(crc, data_bytes & 0xFFFF_FFFF)


def _make_head(data_bytes: int, is_named: bool) -> bytes:
    """Return the header of a gap's record; lengths are written with a fixed number of digits."""
    named = b"WARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: 1970-01-01T00:00:00Z\r\n" % str(uuid4()).encode()
    form = b"WARC/1.1\r\nWARC-Type: gap\r\n" + (named if is_named else b"")
    form += b"Content-Length: %010d\r\n\r\n"
    return form % (data_bytes - len(form % 0) - len(_RECORD_END))


def _cut(head: bytes, zeros: int, begin: int, end: int) -> Iterator[Piece]:
    """Yield a range of a record that consists of a header, zeros and its end."""
    if begin < len(head):
        yield head[begin:end]
    inside = min(end, len(head) + zeros) - max(begin, len(head))
    if inside > 0:
        yield inside
    tail = len(head) + zeros
    if end > tail:
        yield _RECORD_END[max(begin, tail) - tail : end - tail]


def _pack_small(record: bytes) -> bytes:
    packer = zlib.compressobj(_BEST, zlib.DEFLATED, _GZIP)
    return packer.compress(record) + packer.flush()


def _pad(packed: bytes, more: int) -> bytes:
    """Lengthen a gzip member by a few bytes in its header."""
    flags = _WITH_COMMENT if more == 1 else _WITH_EXTRA
    extra = b"\0" if more == 1 else struct.pack("<H", more - 2) + bytes(more - 2)
    return packed[:3] + bytes([packed[3] | flags]) + packed[4:10] + extra + packed[10:]
