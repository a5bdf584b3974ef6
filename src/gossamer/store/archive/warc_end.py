"""Where the last record of a WARC file ends, and whether it is whole: readers stop there and say nothing.

A file breaks off where a disk was full or a writer was killed: between two records, in a block, or in a header.
"""

import re
import zlib
from typing import BinaryIO

import msgspec

_CONTENT_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_END_OF_HEADER = b"\r\n\r\n"
_PIECE_BYTES = 1 << 20


class RecordEnd(msgspec.Struct, frozen=True, gc=False):
    """Where a record ends."""

    at: int
    is_cut: bool = False
    """Whether it should go on there."""
    in_header: bool = False
    """Whether it should even go on with its header."""


def find_record_end(file: BinaryIO, offset: int, upto: int) -> RecordEnd:
    """Find the end of the record that begins here, as it is or in gzip; what is packed otherwise is believed.

    Cost: reading the record once more, in pieces.
    """
    file.seek(offset)
    begin = file.read(min(_PIECE_BYTES, upto - offset))
    if begin.startswith(b"\x1f\x8b"):
        return _find_member_end(file, offset, upto)
    return _find_plain_end(file, begin, offset, upto) if begin.startswith(b"WARC/") else RecordEnd(upto)


def _find_plain_end(file: BinaryIO, begin: bytes, offset: int, upto: int) -> RecordEnd:
    header, there, _ = begin.partition(_END_OF_HEADER)
    if not there:
        return RecordEnd(upto, is_cut=True, in_header=True)
    said = _CONTENT_LENGTH.search(header)
    at = offset + len(header) + len(_END_OF_HEADER) + (int(said[1]) if said else 0)
    if at > upto:
        return RecordEnd(upto, is_cut=True)
    file.seek(at)
    behind = file.read(min(_PIECE_BYTES, upto - at))
    return RecordEnd(at + len(behind) - len(behind.lstrip(b"\r\n")))


def _find_member_end(file: BinaryIO, offset: int, upto: int) -> RecordEnd:
    member, header = zlib.decompressobj(31), b""
    file.seek(offset)
    try:
        while not member.eof and (
            piece := member.unconsumed_tail or file.read(min(_PIECE_BYTES, upto - file.tell()))
        ):
            plain = member.decompress(piece, _PIECE_BYTES)
            header += plain if len(header) < _PIECE_BYTES else b""
    except zlib.error:
        return RecordEnd(upto, is_cut=True, in_header=_END_OF_HEADER not in header)
    at = file.tell() - len(member.unused_data)
    return RecordEnd(at, not member.eof, not member.eof and _END_OF_HEADER not in header)
