"""Read WACZ files of any program: unpack their WARC files, compare them with the description, and list their pages.

The ZIP file may be hostile. Names in it are never used as paths, only what WACZ allows is unpacked (stored or deflated),
and all of it together is bounded by the size of the file.
"""

import hashlib
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import BinaryIO

import msgspec

from gossamer.errors import BadInput, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.store.archive.warc_records import add_damage

WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
_ERRORS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError)
_PIECE_BYTES = 1 << 20
# Uncompressed WARC files of one template shrink to a thirtieth; bombs to a thousandth.
_MOST_GROWTH = 100
_FREE_BYTES = 1 << 24
# zipfile holds twelve times as much in memory; 64 MB name half a million files.
_MOST_DIRECTORY_BYTES = 1 << 26
_MOST_DESCRIPTION_BYTES = 1 << 26
_MOST_LINE_BYTES = 1 << 20
# APPNOTE.TXT, sections 4.3.16, 4.3.15 and 4.3.14.
_END = b"PK\x05\x06"
_END_BYTES = 22
_MOST_COMMENT_BYTES = 65_535
_ZIP64_LOCATOR = struct.Struct("<4sIQI")
_ZIP64_SIZE_AT = 40
_UNKNOWN = 0xFFFFFFFF


class _Resource(msgspec.Struct, frozen=True):
    """A file as datapackage.json lists it."""

    path: str = ""
    hash: str = ""


class _Description(msgspec.Struct, frozen=True):
    resources: list[_Resource] = []


class _ListedPage(msgspec.Struct, frozen=True):
    """A line of a list of pages; the first one, a heading, has no URL."""

    url: str = ""


_DESCRIPTION = msgspec.json.Decoder(_Description)
_PAGE = msgspec.json.Decoder(_ListedPage)


def is_zip(path: Path) -> bool:
    """Return whether a file begins as ZIP files do; WARC files do not."""
    with path.open("rb") as file:
        return file.read(4) in _BEGINNINGS


class WaczFile:
    """A WACZ file that is read; raises `BadInput` if it is none. What cannot be read is listed in `damage`."""

    def __init__(self, path: Path, damage: list[str]) -> None:
        self._path = path
        self._damage = damage
        self._left_bytes = _MOST_GROWTH * path.stat().st_size + _FREE_BYTES
        try:
            _check_directory_size(path)
            self._zip = zipfile.ZipFile(path)
        except _ERRORS as error:
            raise BadInput(f"{path} is not a readable WACZ file: {error}") from None
        self._warcs = [each for each in self._zip.infolist() if each.filename.lower().endswith(WARC_SUFFIXES)]
        if not self._warcs:
            self._zip.close()
            inner = any(each.filename.lower().endswith(".wacz") for each in self._zip.infolist())
            more = ", but other WACZ files: unpack it, and import those" if inner else ""
            raise BadInput(f"{path} contains no WARC files{more}")

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def unpack(self, folder: Path) -> Iterator[Path]:
        """Write each WARC file into a folder, under a name of its own, and yield its path."""
        hashes = self._read_hashes()
        missing = hashes.keys() - {each.filename for each in self._warcs}
        for name in sorted(missing):
            add_damage(self._damage, f"{self._path.name} lacks {name}, which its description lists")
        for number, entry in enumerate(self._warcs):
            path = folder / f"{number:05}-{_clean_name(entry.filename)}"
            digest = self._unpack_entry(entry, path)
            wanted = hashes.get(entry.filename, "")
            if digest and wanted.startswith("sha256:") and wanted != f"sha256:{digest}":
                self._report(entry, "is not the file that the description lists: its hash differs")
            yield path

    def pages(self) -> Iterator[str]:
        """Yield the URLs of the pages that the lists of pages name."""
        for entry in self._zip.infolist():
            if entry.filename.startswith("pages/") and entry.filename.endswith(".jsonl"):
                for line in self._read_lines(entry):
                    try:
                        url = _PAGE.decode(line).url
                    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                        continue
                    if url:
                        yield url

    def _unpack_entry(self, entry: zipfile.ZipInfo, path: Path) -> str:
        """Unpack an entry as far as it can be read; return its hash, or "" if it could not be read completely."""
        digest = hashlib.sha256()
        with path.open("wb") as out:
            try:
                for piece in self._read(entry):
                    digest.update(piece)
                    _write(out, piece)
            except _ERRORS as error:
                self._report(entry, f"cannot be read completely: {error}")
                return ""
        return digest.hexdigest()

    def _read(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        """Yield the bytes of an entry, within what may be unpacked of the whole file."""
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError("it is compressed in a way that WACZ does not allow")
        wanted, checksum = entry.CRC, 0
        unchecked = copy(entry)
        del unchecked.CRC  # zipfile would keep back the last piece of a damaged entry
        with self._zip.open(unchecked) as file:
            while piece := file.read(_PIECE_BYTES):
                self._left_bytes -= len(piece)
                if self._left_bytes < 0:
                    raise ValueError(f"the file unpacks to more than {_MOST_GROWTH} times its size")
                checksum = zlib.crc32(piece, checksum)
                yield piece
        if checksum != wanted:
            raise ValueError("its checksum is wrong")

    def _read_lines(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        rest = b""
        try:
            for piece in self._read(entry):
                *lines, rest = (rest + piece).split(b"\n")
                yield from lines
                if len(rest) > _MOST_LINE_BYTES:
                    raise ValueError("a line is too long")
            yield rest
        except _ERRORS as error:
            self._report(entry, f"cannot be read completely: {error}")

    def _read_hashes(self) -> dict[str, str]:
        """Return the hashes of the WARC files by name, as the description lists them; {} if it cannot be read."""
        try:
            entry = self._zip.getinfo("datapackage.json")
            if entry.file_size > _MOST_DESCRIPTION_BYTES:
                raise ValueError("it is too long")
            listed = _DESCRIPTION.decode(b"".join(self._read(entry))).resources
        except KeyError:
            return {}
        except (*_ERRORS, msgspec.MsgspecError, RecursionError) as error:
            add_damage(self._damage, f"the description in {self._path.name} cannot be read: {error}")
            return {}
        return {each.path: each.hash for each in listed if each.path.lower().endswith(WARC_SUFFIXES)}

    def _report(self, entry: zipfile.ZipInfo, what: str) -> None:
        add_damage(self._damage, f"{entry.filename[:200]} in {self._path.name} {what}")


def _write(out: BinaryIO, piece: bytes) -> None:
    try:
        out.write(piece)
    except OSError as error:
        full = is_full_disk(error)
        raise StoreFailed(f"the WACZ file cannot be unpacked: {error.strerror}", full) from None


def _clean_name(name: str) -> str:
    """Return the last part of a name, in characters that mean nothing to a file system."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name.rpartition("/")[2])[-100:]


def _check_directory_size(path: Path) -> None:
    """Raise `ValueError` if the list of files in a ZIP file is larger than zipfile should load."""
    with path.open("rb") as file:
        end = file.seek(0, 2)
        begin = file.seek(max(0, end - _END_BYTES - _MOST_COMMENT_BYTES - _ZIP64_LOCATOR.size))
        tail = file.read()
        at = tail.rfind(_END)
        if at < 0 or len(tail) < at + _END_BYTES:
            raise ValueError("its end is missing")
        size = int.from_bytes(tail[at + 12 : at + 16], "little")
        locator = tail[max(0, at - _ZIP64_LOCATOR.size) : at]
        if len(locator) == _ZIP64_LOCATOR.size and locator.startswith(b"PK\x06\x07"):
            file.seek(min(_ZIP64_LOCATOR.unpack(locator)[2], begin + at) + _ZIP64_SIZE_AT)
            size = max(size if size != _UNKNOWN else 0, int.from_bytes(file.read(8), "little"))
    if size > _MOST_DIRECTORY_BYTES:
        raise ValueError("it lists too many files")
