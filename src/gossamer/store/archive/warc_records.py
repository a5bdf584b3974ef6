"""Read WARC records, in order or at an offset, and pack them; the only module that imports fastwarc."""

import re
import struct
import zlib
from collections.abc import Generator, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from isal import igzip_lib

from gossamer.net.warc_record_end import find_record_end
from gossamer.store.archive.check_digest import has_digest, matches_digest
from gossamer.store.archive.false_length import Overrun, find_overrun, has_beginning, strip_separator

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
# Short records are stored in gzip as they are: there, the first line of one is within a member.
_GZIP_BEGINNING = re.compile(rb"\x1f\x8b\x08[\x00\x04\x08\x10]")
_ERRORS = (OSError, ValueError, EOFError)
_PIECE_BYTES = 1 << 20
_FIRST_PIECE_BYTES = 1 << 16
_MEMBER_BYTES = 1 << 15
_RECORD_END = b"\r\n\r\n"
_OVERLAP_BYTES = 20
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
        self.damaged_at: list[int] = []
        """Up to which byte the file was sound before each of them."""
        self._tries = _MOST_TRIES
        self._rereads_bytes = 4 * self._upto
        """How much may be read twice where digests say that a record holds others."""

    def __iter__(self) -> Iterator[WarcRecord]:
        with self._path.open("rb") as file:
            begin: int | None = 0
            while begin is not None and begin < self._upto:
                begin = yield from self._read_from(file, begin)

    def _read_from(self, file: BinaryIO, begin: int) -> Generator[WarcRecord, None, int | None]:
        """Read until the end or damage; return where to read on. Each record is held back until its end is known."""
        file.seek(begin)
        held: WarcRecord | None = None
        last = at = begin
        try:
            for found in _load_fastwarc()(_BoundedFile(file, self._upto), parse_http=False):
                if held is not None:
                    yield self._set_length(held, found.stream_pos)
                held, last = None, found.stream_pos
                record, next_at = self._take(file, found)
                if next_at is not None:
                    yield self._set_length(record, next_at)
                    return next_at
                held = record
            if held is None:
                raise ValueError("no record begins there")
            # fastwarc does not report files that break off between two records or in a header.
            end = find_record_end(file, held.offset, self._upto)
            if end.in_header:
                held = None
                raise ValueError("it breaks off in the header of a record")
            at = end.at
            yield self._set_length(held, end.at)
            is_whole, held = held.whole, None
            if is_whole and (end.is_cut or end.at < self._upto):
                raise ValueError("it breaks off")
        except _ERRORS as error:
            number = self._add_damage(last, f"{self._path.name} is damaged behind byte {last}: {error}")
            next_at = self._find_next_record(file, max(at, last + 1))
            kept = self._keep_before_damage(file, held, next_at) if held is not None else None
            self.damaged_at[number] = max(at, kept.offset + kept.length if kept is not None else last)
            if kept is not None:
                yield kept
            return next_at
        return None

    def _take(self, file: BinaryIO, found: Any) -> tuple[WarcRecord, int | None]:
        """Read a record; if its length is false and reaches into the next one, cut it, and return where that begins."""
        declared = found.content_length
        block, tail, is_checked = (
            BytesIO(),
            b"",
            False,
        )  # a list of pieces would take twice the memory in the end
        while (left := min(declared, self._most_bytes) - block.tell()) > 0 and (
            piece := found.reader.read(min(left, block.tell() or _FIRST_PIECE_BYTES, _PIECE_BYTES))
        ):
            block.write(piece)
            if not is_checked and has_beginning(tail + piece if tail else piece):
                # Checked at once, and once: reading up to each false end would take quadratic time.
                is_checked = True
                overrun = self._find_overrun(file, found.stream_pos, declared)
                if overrun is not None:
                    return self._cut(_make_record(found, block.getvalue()), overrun), overrun.next_at
            tail = piece[-_OVERLAP_BYTES:]
        record = _make_record(found, block.getvalue())
        if is_checked and self._rereads_bytes > 0 and has_digest(record) and not matches_digest(record):
            self._rereads_bytes -= len(record.block)
            overrun = self._find_overrun(file, record.offset, declared, trust_separator=False)
            if overrun is not None:
                return self._cut(record, overrun), overrun.next_at
        return record, None

    def _keep_before_damage(self, file: BinaryIO, held: WarcRecord, next_at: int | None) -> WarcRecord | None:
        """Return the last record before damage, without bytes of the next one; None if the damage is in it."""
        overrun = find_overrun(file, held.offset, len(held.block), self._upto, lambda: next_at)
        if overrun is not None:
            return self._set_length(self._cut(held, overrun), overrun.next_at)
        # The damage is after it or in it; its digest shows which, if it has one.
        if not held.whole or not matches_digest(held):
            return None
        end = find_record_end(file, held.offset, self._upto)
        return held if end.is_cut or end.is_damaged else self._set_length(held, end.at)

    def _find_overrun(
        self, file: BinaryIO, offset: int, declared: int, trust_separator: bool = True
    ) -> Overrun | None:
        here = file.tell()

        def find_next() -> int | None:
            return self._find_next_record(file, offset + 1)

        try:
            return find_overrun(file, offset, declared, self._upto, find_next, trust_separator)
        finally:
            file.seek(here)

    def _cut(self, record: WarcRecord, overrun: Overrun) -> WarcRecord:
        """Return a record without the bytes of the next one; it is whole if it has a digest that says so."""
        block = strip_separator(record.block[: overrun.own_bytes])
        cut = msgspec.structs.replace(record, block=block, whole=True)
        return msgspec.structs.replace(cut, whole=has_digest(cut) and matches_digest(cut))

    def _add_damage(self, at: int, sentence: str) -> int:
        """Add a sentence up to a limit; return the number of the last one."""
        before = len(self.damage)
        add_damage(self.damage, sentence)
        self.damaged_at += [at] * (len(self.damage) - before)
        return len(self.damage) - 1

    def _set_length(self, record: WarcRecord, end: int) -> WarcRecord:
        if not record.whole:
            self._add_damage(
                record.offset, f"{self._path.name}: the record at byte {record.offset} is not whole"
            )
        return msgspec.structs.replace(record, length=end - record.offset)

    def _find_next_record(self, file: BinaryIO, after: int) -> int | None:
        """Return the first offset from `after` on at which a record can be read; None if there is none."""
        at = after
        file.seek(0)
        beginning = _GZIP_BEGINNING if _GZIP_BEGINNING.match(file.read(4)) else _BEGINNING
        while at < self._upto:
            file.seek(at)
            piece = file.read(_PIECE_BYTES)
            for found in beginning.finditer(piece):
                self._tries -= 1
                if self._tries < 0:
                    here = at + found.start()
                    self._add_damage(
                        here, f"{self._path.name} is too damaged to be read on behind byte {here}"
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
        if (packed := _read_packed_record(file, offset, most_bytes)) is not None:
            return packed
        file.seek(offset)
        try:
            found = next(iter(_load_fastwarc()(file, parse_http=False)), None)
            # fastwarc searches for the next record if none begins here.
            return _to_record(found, most_bytes) if found is not None and found.stream_pos == offset else None
        except _ERRORS:
            return None


def _read_packed_record(file: BinaryIO, offset: int, most_bytes: int) -> WarcRecord | None:
    """Return a sound record that is a gzip member of its own; None for others, and for one that is too long.

    Nearly all records are such. It takes two thirds of fastwarc's time.
    """
    plain = _unpack_member(file, most_bytes + _FIRST_PIECE_BYTES)
    if plain is None:
        return None
    begin = plain.find(_RECORD_END) + len(_RECORD_END)
    headers = _parse_plain_headers(plain[: begin - len(_RECORD_END)])
    length = headers.get("content-length", "")
    if not length.isdecimal() or not plain.endswith(_RECORD_END):
        return None
    end = begin + int(length)
    if end + len(_RECORD_END) != len(plain) or int(length) > most_bytes:
        return None
    return WarcRecord(headers.get("warc-type", "").lower(), headers, plain[begin:end], offset)


def _unpack_member(file: BinaryIO, most_bytes: int) -> bytes | None:
    """Return what a gzip member holds; None if it is damaged, or longer than this."""
    decompressor = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
    pieces: list[bytes] = []
    unpacked = 0
    try:
        while not decompressor.eof and unpacked <= most_bytes:
            packed = (
                file.read(_FIRST_PIECE_BYTES if pieces else _MEMBER_BYTES)
                if decompressor.needs_input
                else b""
            )
            if decompressor.needs_input and not packed:
                return None
            pieces.append(decompressor.decompress(packed, _PIECE_BYTES))
            unpacked += len(pieces[-1])
    except (EOFError, igzip_lib.error):  # type: ignore[misc]  # its stub declares an instance
        return None
    return b"".join(pieces) if decompressor.eof else None


def _parse_plain_headers(head: bytes) -> dict[str, str]:
    """Return the headers of a record by lower-case name; none if there is anything unusual about them."""
    if not head.isascii():
        return {}
    version, *lines = head.decode("ascii").split("\r\n")
    if not version.startswith("WARC/1.") or head.count(b"\n") != len(lines):
        return {}
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():  # perhaps the continuation of another line
            return {}
        headers.setdefault(name.lower(), value.strip())
    return headers


def _to_record(found: Any, most_bytes: int) -> WarcRecord:
    return _make_record(found, found.reader.read(min(found.content_length, most_bytes)))


def _make_record(found: Any, block: bytes) -> WarcRecord:
    headers: dict[str, str] = {}
    for name, value in found.headers.items():
        headers.setdefault(name.lower(), value)
    whole = len(block) == found.content_length
    return WarcRecord(headers.get("warc-type", "").lower(), headers, block, found.stream_pos, whole=whole)


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
