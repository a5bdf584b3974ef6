"""Find where a WARC record ends, and whether it is cut off: readers of WARC files stop there without an error.

Files break off where a disk was full or a writer was killed: between two records, in a block, or in a header.
"""

import re
import zlib
from typing import BinaryIO

import msgspec

_GZIP = b"\x1f\x8b"
_PLAIN = b"WARC/"
_CONTENT_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_END_OF_HEADER = b"\r\n\r\n"
_SEPARATOR_BYTES = 4  # two empty lines follow each block
_PIECE_BYTES = 1 << 20


class RecordEnd(msgspec.Struct, frozen=True, gc=False):
    """Where a record ends."""

    at: int
    is_cut: bool = False
    """Whether the file ends before the record's block does."""
    in_header: bool = False
    """Whether the file ends within the record's header."""
    is_damaged: bool = False
    """Whether its compressed data is damaged, or its header has no length."""
    has_separator: bool = True
    """Whether the empty lines behind the block of an uncompressed record are there."""
    block_at: int = -1
    """Where the block of an uncompressed record begins; -1 for others."""
    member_bytes: int = -1
    """How many bytes follow the header in the gzip member of a record; -1 for others, and for damaged ones."""


def find_record_end(file: BinaryIO, offset: int, upto: int) -> RecordEnd:
    """Find the end of the record that begins at `offset`, uncompressed or in gzip; others are taken to end at `upto`.

    Cost: reading the record once more, in pieces.
    """
    file.seek(offset)
    begin = file.read(min(_PIECE_BYTES, upto - offset))
    if _GZIP.startswith(begin[: len(_GZIP)]):
        return _find_member_end(file, offset, upto)
    if _PLAIN.startswith(begin[: len(_PLAIN)]):
        return _find_plain_end(file, begin, offset, upto)
    return RecordEnd(upto)


def _find_plain_end(file: BinaryIO, begin: bytes, offset: int, upto: int) -> RecordEnd:
    header, there, _ = begin.partition(_END_OF_HEADER)
    if not there:
        return RecordEnd(upto, is_cut=True, in_header=True)
    length = _CONTENT_LENGTH.search(header)
    at = offset + len(header) + len(_END_OF_HEADER) + (int(length[1]) if length else 0)
    block_at = offset + len(header) + len(_END_OF_HEADER)
    if at > upto:
        return RecordEnd(upto, is_cut=True, block_at=block_at)
    file.seek(at)
    behind = file.read(min(_PIECE_BYTES, upto - at))
    separator_bytes = len(behind) - len(behind.lstrip(b"\r\n"))
    return RecordEnd(
        at + separator_bytes,
        is_damaged=length is None,
        has_separator=separator_bytes >= _SEPARATOR_BYTES,
        block_at=block_at,
    )


def _find_member_end(file: BinaryIO, offset: int, upto: int) -> RecordEnd:
    member, header, plain_bytes = zlib.decompressobj(31), b"", 0
    file.seek(offset)
    try:
        while not member.eof and (
            piece := member.unconsumed_tail or file.read(min(_PIECE_BYTES, upto - file.tell()))
        ):
            plain = member.decompress(piece, _PIECE_BYTES)
            plain_bytes += len(plain)
            header += plain if len(header) < _PIECE_BYTES else b""
    except zlib.error:
        return RecordEnd(upto, is_cut=True, in_header=_END_OF_HEADER not in header, is_damaged=True)
    at = file.tell() - len(member.unused_data)
    header_bytes = header.find(_END_OF_HEADER) + len(_END_OF_HEADER)
    return RecordEnd(
        at,
        not member.eof,
        not member.eof and _END_OF_HEADER not in header,
        member_bytes=plain_bytes - header_bytes if member.eof else -1,
    )
