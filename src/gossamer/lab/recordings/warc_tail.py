"""Whether a WARC file ends where its last record ends: copies that broke off are common."""

import re
import zlib
from pathlib import Path
from typing import BinaryIO, Literal

_LENGTH = re.compile(rb"^content-length:\s*(\d+)", re.IGNORECASE | re.MULTILINE)
_PIECE_BYTES = 1 << 20
_LONGEST_HEAD_BYTES = 1 << 20
_CUT, _DAMAGED = 0, -1  # in place of an end


Ending = Literal["whole", "cut last", "cut next", "rubbish"]
"""Ends with its last record · within it · within another record's first bytes · with something else."""


def ending(path: Path, offset: int) -> Ending:
    """Tell how a file ends whose last readable record begins at `offset`; lz4 and zstd are not looked into."""
    size_bytes = path.stat().st_size
    with path.open("rb") as file:
        end = _end_of_record(file, offset, size_bytes)
        if end is None:
            return "whole"
        if end <= 0:
            return "rubbish" if end == _DAMAGED else "cut last"
        if end == size_bytes:
            return "whole"
        return "cut next" if _end_of_record(file, end, size_bytes) == _CUT else "rubbish"


def _end_of_record(file: BinaryIO, offset: int, size_bytes: int) -> int | None:
    """Return where a record ends, or that it is cut off or damaged; None if nobody can tell."""
    file.seek(offset)
    first = file.read(1)
    file.seek(offset)
    if first == b"\x1f":
        return _end_of_gzip(file)
    if first == b"W":
        end = _end_of_plain(file)
        return end if end <= size_bytes else _CUT
    return None


def _end_of_gzip(file: BinaryIO) -> int:
    member = zlib.decompressobj(wbits=31)
    try:
        while not member.eof and (piece := file.read(_PIECE_BYTES)):
            member.decompress(piece)
    except zlib.error:
        return _DAMAGED
    return file.tell() - len(member.unused_data) if member.eof else _CUT


def _end_of_plain(file: BinaryIO) -> int:
    offset = file.tell()
    head, blank_line, _ = file.read(_LONGEST_HEAD_BYTES).partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    if head[:5] != b"WARC/"[: len(head)] or (blank_line and not length):
        return _DAMAGED
    return offset + len(head) + 4 + int(length[1]) + 4 if blank_line and length else _CUT
