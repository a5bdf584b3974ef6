"""Notice WARC files that were compressed as a whole, instead of record by record, and unpack them.

`gzip` on a finished .warc makes such files. Their records have no offsets of their own, which revisits refer to, and where the file is
damaged, no later record can be found: they are read unpacked.
"""

import gzip
import re
import zlib
from pathlib import Path
from typing import BinaryIO

from gossamer.errors import BadInput

_GZIP = b"\x1f\x8b\x08"
_END_OF_HEADER = b"\r\n\r\n"
_SEPARATOR = b"\r\n\r\n"
_NEXT = b"WARC/"
_CONTENT_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_PIECE_BYTES = 1 << 20
_MOST_HEADER_BYTES = 1 << 16
_DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)


def is_single_member(path: Path) -> bool:
    """Say whether the first gzip member of a file holds more than its first record.

    Cost: unpacking the first record, which is short in nearly all files.
    """
    try:
        with path.open("rb") as file:
            return _has_second_record(file)
    except OSError:
        return False  # the reader of the file reports the error


def unpack_whole(path: Path, folder: Path, damage: list[str]) -> Path:
    """Unpack a file into a folder, as far as it is sound, and return the unpacked file."""
    target = folder / path.name.removesuffix(".gz")
    try:
        with gzip.open(path) as packed, target.open("wb") as plain:
            try:
                while piece := packed.read1(_PIECE_BYTES):
                    plain.write(piece)
            except _DAMAGED as error:
                damage.append(
                    f"{path.name} was compressed as a whole and is damaged: what follows the damage is lost ({error})"
                )
    except OSError as error:
        raise BadInput(
            f"{path} was compressed as a whole and cannot be unpacked into {folder}: {error.strerror}; "
            "`warcio recompress` compresses it record by record"
        ) from None
    return target


def _has_second_record(file: BinaryIO) -> bool:
    begin = file.read(_PIECE_BYTES)
    if not begin.startswith(_GZIP):
        return False
    member = zlib.decompressobj(31)
    try:
        plain = member.decompress(begin, _MOST_HEADER_BYTES)
        header, there, _ = plain.partition(_END_OF_HEADER)
        length = _CONTENT_LENGTH.search(header)
        if not there or length is None:
            return False
        return _follows(file, member, plain, len(header) + len(_END_OF_HEADER) + int(length[1]))
    except zlib.error:
        return False


def _follows(file: BinaryIO, member: "zlib._Decompress", plain: bytes, end: int) -> bool:
    """Say whether a record begins in the same member behind the end of the first one."""
    behind = _SEPARATOR + _NEXT
    passed = 0
    while not member.eof and passed + len(plain) < end + len(behind):
        if len(plain) > 2 * len(behind):  # keep no long record in memory
            cut = min(len(plain), end - passed) - len(behind)
            if cut > 0:
                plain, passed = plain[cut:], passed + cut
        piece = member.unconsumed_tail or file.read(_PIECE_BYTES)
        if not piece:
            return False
        plain += member.decompress(piece, _PIECE_BYTES)
    return plain[end - passed :].startswith(behind)
