"""Whether a WARC file ends where its last record ends: copies that broke off are common."""

import re
import zlib
from pathlib import Path
from typing import BinaryIO

import msgspec

_LENGTH = re.compile(rb"^content-length:\s*(\d+)", re.IGNORECASE | re.MULTILINE)
_PIECE_BYTES = 1 << 20
_LONGEST_HEAD_BYTES = 1 << 20


class Tail(msgspec.Struct, frozen=True):
    """The end of a WARC file."""

    whole: bool
    """The last record is complete."""
    left_bytes: int
    """Bytes after it that are no record."""


def tail(path: Path, offset: int) -> Tail:
    """Look at the record that begins at `offset`, gzip member or plain; others are taken for whole."""
    with path.open("rb") as file:
        file.seek(offset)
        start = file.read(5)
        file.seek(offset)
        size_bytes = path.stat().st_size
        if start.startswith(b"\x1f\x8b"):
            end = _gzip_end(file)
        elif start == b"WARC/":
            end = _plain_end(file)
        else:
            return Tail(True, 0)
    if end is None or end > size_bytes:
        return Tail(False, 0)
    return Tail(True, size_bytes - end)


def _gzip_end(file: BinaryIO) -> int | None:
    member = zlib.decompressobj(wbits=31)
    try:
        while not member.eof and (piece := file.read(_PIECE_BYTES)):
            member.decompress(piece)
    except zlib.error:
        return None
    return file.tell() - len(member.unused_data) if member.eof else None


def _plain_end(file: BinaryIO) -> int | None:
    offset = file.tell()
    head, blank_line, _ = file.read(_LONGEST_HEAD_BYTES).partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    if not blank_line or not length:
        return None
    return offset + len(head) + 4 + int(length[1]) + 4
