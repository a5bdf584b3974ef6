"""WARC records as bytes: read one after the other or at a place, and packed. The only file of the house with fastwarc."""

import re
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from isal import igzip_lib

from gossamer.net import fingerprint
from gossamer.net.warc_record_end import find_record_end
from gossamer.store.archive import http_message

MOST_BYTES = 256_000_000
"""Of a block that is read into memory: nobody's page is larger, and a film of ten gigabytes must not stop an import."""

# docs/decisions/0006: less than a third of zlib's time, and no larger. Requests and metadata are too short to be worth
# packing: as they are they take 0.7 µs each instead of 2 to 8, and 30 bytes more than at level 0.
_LEVEL = 1
_SHORT_BYTES = 768
# RFC 1952: a header without name and time. RFC 1951, section 3.2.4: one last block, its length and its complement.
_AS_IT_IS = struct.Struct("<11sHH")
_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01"
_TRAILER = struct.Struct("<II")
# Where a record may begin again after damage: a gzip member of any writer, or the first line of a plain record.
_BEGINNING = re.compile(rb"\x1f\x8b\x08[\x00\x04\x08\x10]|WARC/[01]\.\d\d?\r?\n")
_ERRORS = (OSError, ValueError, EOFError)
_PIECE_BYTES = 1 << 20
_OVERLAP_BYTES = 16
_BASE32_SHA1_LETTERS = 32
# Whoever fills a file with false beginnings makes us try them all, 50 µs each.
_MOST_TRIES = 20_000
_MOST_NOTES = 1_000


def add_damage(damage: list[str], sentence: str) -> None:
    """Add to a list of damage that stays bounded."""
    if len(damage) < _MOST_NOTES:
        damage.append(sentence)
    elif len(damage) == _MOST_NOTES:
        damage.append("and more")


@cache
def _load_fastwarc() -> Any:
    """Return fastwarc's reader of records; loaded with the first record that is read, as a crawl only writes."""
    import warnings

    with warnings.catch_warnings():
        # fastwarc 1.1 warns of its own legacy classes whenever it is imported.
        warnings.filterwarnings("ignore", "Use the new Reader and Writer classes", DeprecationWarning)
        from fastwarc.warc import ArchiveIterator
    return ArchiveIterator


class WarcRecord(msgspec.Struct, frozen=True, gc=False):
    """One record of a WARC file."""

    type: str
    """`response`, `request`, `warcinfo` …"""
    headers: dict[str, str]
    """Lower-case names; the first of several of one name."""
    block: bytes
    offset: int
    """Where it begins in its file."""
    length: int = 0
    """From there to the next record, as it stands in the file; 0 if nobody knows."""
    whole: bool = True
    """Whether its block is as long as it says, and not longer than can be taken into memory."""


class WarcReader:
    """The records of a file in order. Total: what cannot be read is left out, and named in `damage`.

    After damage, reading goes on at the next place where a record begins. Cost: memory for one record.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES, upto: int | None = None) -> None:
        self._path = path
        self._most_bytes = most_bytes
        self._upto = path.stat().st_size if upto is None else upto
        """Where to stop: what lies behind may still be in the making."""
        self.damage: list[str] = []
        self._tries = _MOST_TRIES

    def __iter__(self) -> Iterator[WarcRecord]:
        with self._path.open("rb") as file:
            begin: int | None = 0
            while begin is not None and begin < self._upto:
                last = begin
                try:
                    for record in self._read_from(file, begin):
                        last = record.offset
                        yield record
                    return
                except _ERRORS as error:
                    add_damage(self.damage, f"{self._path.name} is damaged behind byte {last}: {error}")
                begin = self._find_next_record(file, last + 1)

    def _read_from(self, file: BinaryIO, begin: int) -> Iterator[WarcRecord]:
        """Read until the end or an error; each record is held back until the next tells where it ends."""
        file.seek(begin)
        held: WarcRecord | None = None
        try:
            for found in _load_fastwarc()(_BoundedFile(file, self._upto), parse_http=False):
                if held is not None:
                    yield self._set_length(held, found.stream_pos)
                held = _to_record(found, self._most_bytes)
        except _ERRORS:
            # The damage is behind it, or in it: then its digest tells, if it has one.
            if held is not None and held.whole and _matches_digest(held):
                yield held
            raise
        if held is None:
            raise ValueError("no record begins there")
        # fastwarc says nothing of a file that breaks off between two records, or in the header of one.
        end = find_record_end(file, held.offset, self._upto)
        if end.in_header:
            raise ValueError("it breaks off in the header of a record")
        yield self._set_length(held, end.at)
        if held.whole and (end.is_cut or end.at < self._upto):
            raise ValueError("it breaks off")

    def _set_length(self, record: WarcRecord, end: int) -> WarcRecord:
        if not record.whole:
            add_damage(self.damage, f"{self._path.name}: the record at byte {record.offset} is not whole")
        return msgspec.structs.replace(record, length=end - record.offset)

    def _find_next_record(self, file: BinaryIO, after: int) -> int | None:
        """Look for a place behind `after` at which a record can be read."""
        at = after
        while at < self._upto:
            file.seek(at)
            piece = file.read(_PIECE_BYTES)
            for found in _BEGINNING.finditer(piece):
                self._tries -= 1
                if self._tries < 0:
                    add_damage(
                        self.damage,
                        f"{self._path.name} is too damaged to be read on behind byte {at + found.start()}",
                    )
                    return None
                if _is_readable(file, at + found.start()):
                    return at + found.start()
            if len(piece) <= _OVERLAP_BYTES:
                return None
            at += len(piece) - _OVERLAP_BYTES
        return None


class _BoundedFile:
    """A file that seems to end earlier."""

    def __init__(self, file: BinaryIO, upto: int) -> None:
        self._file = file
        self._upto = upto

    def read(self, size: int = -1) -> bytes:
        left = max(0, self._upto - self._file.tell())
        return self._file.read(left if size < 0 else min(size, left))

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        """Left to whoever opened the file."""


def read_record_at(path: Path, offset: int, most_bytes: int = MOST_BYTES) -> WarcRecord | None:
    """Return the record that begins here; None if none does."""
    with path.open("rb") as file:
        file.seek(offset)
        try:
            found = next(iter(_load_fastwarc()(file, parse_http=False)), None)
            # fastwarc looks for the next one if none begins here.
            return _to_record(found, most_bytes) if found is not None and found.stream_pos == offset else None
        except _ERRORS:
            return None


def _to_record(found: Any, most_bytes: int) -> WarcRecord:
    headers: dict[str, str] = {}
    for name, value in found.headers.items():
        headers.setdefault(name.lower(), value)
    block = found.reader.read(min(found.content_length, most_bytes))
    whole = len(block) == found.content_length
    return WarcRecord(headers.get("warc-type", "").lower(), headers, block, found.stream_pos, whole=whole)


def _matches_digest(record: WarcRecord) -> bool:
    """Compare a block with the digest in its header, its own or that of its payload; without either it is believed."""
    told = record.headers
    if _is_sha1(block_digest := told.get("warc-block-digest", "")):
        return _sha1(record.block) == block_digest[5:].upper()
    if record.type != "response" or not _is_sha1(payload_digest := told.get("warc-payload-digest", "")):
        return True
    head, body = http_message.split_message(record.block)
    # Some writers hash chunks as they came, some what they hold.
    payloads = {body, http_message.decode_transfer(http_message.parse_headers(head), body)}
    return payload_digest[5:].upper() in map(_sha1, payloads)


def _is_sha1(digest: str) -> bool:
    return digest[:5].lower() == "sha1:" and len(digest) == 5 + _BASE32_SHA1_LETTERS


def _sha1(data: bytes) -> str:
    return fingerprint.digest(data)[5:]


def _is_readable(file: BinaryIO, offset: int) -> bool:
    file.seek(offset)
    try:
        return next(iter(_load_fastwarc()(file, parse_http=False)), None) is not None
    except _ERRORS:
        return False


def pack_record(record: bytes) -> bytes:
    """Make a gzip member of one record."""
    size = len(record)
    if size > _SHORT_BYTES:
        return igzip_lib.compress(record, _LEVEL, igzip_lib.COMP_GZIP)
    begin = _AS_IT_IS.pack(_HEADER, size, size ^ 0xFFFF)
    return b"".join((begin, record, _TRAILER.pack(zlib.crc32(record), size)))
