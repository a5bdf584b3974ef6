"""Read WARC records, in order or at an offset, and pack them; the only module that imports fastwarc."""

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
"""The most bytes of a block that are read into memory: no page is larger, and a film of 10 GB must not stop an import."""

# docs/decisions/0006: less than a third of zlib's time, and no larger. Requests and metadata are too short to be worth
# compressing: stored, they take 0.7 µs each instead of 2 to 8 µs, and 30 bytes more than at level 0.
_LEVEL = 1
_SHORT_BYTES = 768
# RFC 1952: a header without name and time. RFC 1951, section 3.2.4: one final block, its length and its complement.
_AS_IT_IS = struct.Struct("<11sHH")
_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01"
_TRAILER = struct.Struct("<II")
# How a record may begin after damage: a gzip member of any program, or the first line of an uncompressed record.
_BEGINNING = re.compile(rb"\x1f\x8b\x08[\x00\x04\x08\x10]|WARC/[01]\.\d\d?\r?\n")
_ERRORS = (OSError, ValueError, EOFError)
_PIECE_BYTES = 1 << 20
_OVERLAP_BYTES = 16
_BASE32_SHA1_LETTERS = 32
# A hostile file may be full of false beginnings, which take 50 µs each to try.
_MOST_TRIES = 20_000
_MOST_NOTES = 1_000


def add_damage(damage: list[str], sentence: str) -> None:
    """Add a sentence to a list of damage, up to a limit."""
    if len(damage) < _MOST_NOTES:
        damage.append(sentence)
    elif len(damage) == _MOST_NOTES:
        damage.append("and more")


@cache
def _load_fastwarc() -> Any:
    """Return fastwarc's record iterator, imported with the first read: a crawl only writes."""
    import warnings

    with warnings.catch_warnings():
        # fastwarc 1.1 warns about its own legacy classes on every import.
        warnings.filterwarnings("ignore", "Use the new Reader and Writer classes", DeprecationWarning)
        from fastwarc.warc import ArchiveIterator
    return ArchiveIterator


class WarcRecord(msgspec.Struct, frozen=True, gc=False):
    """One record of a WARC file."""

    type: str
    """`response`, `request`, `warcinfo` …"""
    headers: dict[str, str]
    """By lower-case name; of several with one name, the first."""
    block: bytes
    offset: int
    """Where it begins in its file."""
    length: int = 0
    """Its packed length, up to the next record; 0 if unknown."""
    whole: bool = True
    """Whether its block is as long as its header says, and was read completely."""


class WarcReader:
    """Iterates over the records of a file; unreadable parts are skipped and listed in `damage`.

    After damage, reading continues at the next beginning of a record. Cost: memory for one record.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES, upto: int | None = None) -> None:
        self._path = path
        self._most_bytes = most_bytes
        self._upto = path.stat().st_size if upto is None else upto
        """Where to stop: bytes after it may still be incomplete."""
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
        """Read until the end or an error; each record is held back until the next one shows where it ends."""
        file.seek(begin)
        held: WarcRecord | None = None
        try:
            for found in _load_fastwarc()(_BoundedFile(file, self._upto), parse_http=False):
                if held is not None:
                    yield self._set_length(held, found.stream_pos)
                held = _to_record(found, self._most_bytes)
        except _ERRORS:
            # The damage is after it or in it; its digest shows which, if it has one.
            if held is not None and held.whole and _matches_digest(held):
                yield held
            raise
        if held is None:
            raise ValueError("no record begins there")
        # fastwarc does not report files that break off between two records or in a header.
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
        """Return the first offset from `after` on at which a record can be read; None if there is none."""
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
    """A file that ends at a given offset."""

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
        """Do nothing: the caller closes the file."""


def read_record_at(path: Path, offset: int, most_bytes: int = MOST_BYTES) -> WarcRecord | None:
    """Return the record that begins at an offset; None if there is none."""
    with path.open("rb") as file:
        file.seek(offset)
        try:
            found = next(iter(_load_fastwarc()(file, parse_http=False)), None)
            # fastwarc searches for the next record if none begins here.
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
    """Return whether a block matches its block or payload digest; without a digest, assume that it does."""
    fields = record.headers
    if _is_sha1(block_digest := fields.get("warc-block-digest", "")):
        return _sha1(record.block) == block_digest[5:].upper()
    if record.type != "response" or not _is_sha1(payload_digest := fields.get("warc-payload-digest", "")):
        return True
    head, body = http_message.split_message(record.block)
    # Some programs hash the chunked body, some the decoded one.
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
    """Pack one record into a gzip member."""
    size = len(record)
    if size > _SHORT_BYTES:
        return igzip_lib.compress(record, _LEVEL, igzip_lib.COMP_GZIP)
    begin = _AS_IT_IS.pack(_HEADER, size, size ^ 0xFFFF)
    return b"".join((begin, record, _TRAILER.pack(zlib.crc32(record), size)))
