"""Find WARC records whose header says a false length, which reaches into the records after them.

A reader that believes such a length takes the next records for a part of this one, up to the whole rest of a file. In gzip,
the end of the member shows where the record ends. An uncompressed record ends where the next one begins, unless two empty
lines and a record, or the end of the file, follow its block: then the block itself may hold a WARC file.
"""

import re
from collections.abc import Callable
from typing import BinaryIO

import msgspec

from gossamer.net.warc_record_end import find_record_end

_BEGINNING = re.compile(rb"\n\r?\nWARC/[01]\.\d\d?\r?\n").search
_PLAIN = b"WARC/"
_SEPARATOR = b"\r\n\r\n"


class Overrun(msgspec.Struct, frozen=True, gc=False):
    """How far a record reaches in truth."""

    own_bytes: int
    """The length of its own block, with the empty lines behind it."""
    next_at: int
    """Where the next record begins in the file."""


def has_beginning(block: bytes) -> bool:
    """Return whether another record may begin within a block."""
    return _BEGINNING(block) is not None


def find_overrun(
    file: BinaryIO,
    offset: int,
    declared_bytes: int,
    upto: int,
    find_next: Callable[[], int | None],
    trust_separator: bool = True,
) -> Overrun | None:
    """Return how far the record at an offset reaches, if its header says more; None if it says the truth.

    `find_next` returns where the next readable record begins. Without `trust_separator`, an uncompressed record ends
    there whatever follows its block. Cost: reading the record once more.
    """
    end = find_record_end(file, offset, upto)
    if end.member_bytes >= 0:
        is_false = end.member_bytes < declared_bytes and end.at < upto
        return Overrun(end.member_bytes, end.at) if is_false else None
    if end.block_at < 0:
        return None
    if trust_separator and not end.is_cut and _is_followed_by_record(file, end.at, upto, end.has_separator):
        return None
    next_at = find_next()
    if next_at is None or not end.block_at <= next_at < end.block_at + declared_bytes:
        return None
    return Overrun(next_at - end.block_at, next_at)


def strip_separator(block: bytes) -> bytes:
    """Return a block without the two empty lines behind it."""
    return block.removesuffix(_SEPARATOR)


def _is_followed_by_record(file: BinaryIO, at: int, upto: int, has_separator: bool) -> bool:
    if at >= upto:
        return True
    file.seek(at)
    return has_separator and file.read(len(_PLAIN)) == _PLAIN
