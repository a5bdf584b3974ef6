"""Write the files of an archive into the folder of a web, each with its CDXJ index.

WARC files that a shard wrote stay as they are. The segments of a shared archive are joined to files of the usual size. A
revisit says in which file its original is: where that is another one now, the revisit is written anew.
"""

import os
import re
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from gossamer.errors import StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.store.archive import cdxj_index, write_visit
from gossamer.store.archive.archive import ROTATE_BYTES, make_file_name, parse_file_name
from gossamer.store.archive.archive_reader import WarcPosition, read_reference
from gossamer.store.archive.warc_records import pack_record
from gossamer.store.copy.committed_files import CommittedFiles
from gossamer.store.copy.moved_positions import MovedPositions
from gossamer.store.shared_archive.segment_reader import parse_record

OnBytes = Callable[[int], None]
_GZIP = 31
_FED_BYTES = 1 << 16
_REFERENCE = re.compile(
    rb"\r\nWARC-Refers-To-Filename: [^\r\n]*\r\nWARC-Refers-To-File-Offset: [^\r\n]*\r\n", re.IGNORECASE
)


class WarcFolder:
    """Writes the archive of a copy. Everything is synced; the caller commits the lengths in `ends` afterwards."""

    def __init__(
        self, folder: Path, positions: MovedPositions, on_bytes: OnBytes, rotate_bytes: int = ROTATE_BYTES
    ) -> None:
        self._folder = folder
        self._positions = positions
        self._on_bytes = on_bytes
        self._rotate_bytes = rotate_bytes
        self._joined: _JoinedFile | None = None
        self._serial = 0
        self.ends: dict[str, int] = {}
        """The files and their lengths."""
        self.missing: dict[str, int] = {}
        """Files of the source that lack committed bytes, and how many."""

    def write(self, source: CommittedFiles) -> None:
        """Copy all files."""
        files = source.list_files()
        named = [parse_file_name(name) for name, _ in files]
        self._serial = 1 + max((place[1] for place in named if place and place[0] == 0), default=-1)
        try:
            self._folder.mkdir(exist_ok=True)
            for name, length in files:
                if parse_file_name(name):
                    self._copy_file(source, name, length)
                else:
                    self._join_segment(source, name, length)
            self._finish_joined()
            sync_folder(self._folder)
        except OSError as error:
            why = "the disk is full" if is_full_disk(error) else error.strerror
            raise StoreFailed(f"{self._folder} could not be written: {why}", is_full_disk(error)) from error

    def _copy_file(self, source: CommittedFiles, name: str, length: int) -> None:
        size = 0
        with (self._folder / name).open("xb") as file:
            for piece in source.read(name, length):
                file.write(piece)
                size += len(piece)
                self._on_bytes(len(piece))
            file.flush()
            os.fsync(file.fileno())
        self._note_end(name, length, size)
        self.ends[name] = size
        path = self._folder / name
        cdxj_index.write_index(path, cdxj_index.index_warc(path))

    def _join_segment(self, source: CommittedFiles, name: str, length: int) -> None:
        data = b"".join(source.read(name, length))
        self._note_end(name, length, len(data))
        if self._joined is not None and self._joined.end >= self._rotate_bytes:
            self._finish_joined()
        if self._joined is None:
            self._joined = _JoinedFile(
                self._folder / make_file_name(0, self._serial, time.time()), self._positions
            )
            self._serial += 1
        self._joined.append(name, data)
        if len(data) < length:  # positions of what is missing must not lead to other records
            self._positions.add(WarcPosition(name, len(data)), name, 0)
        self._on_bytes(len(data))

    def _finish_joined(self) -> None:
        if self._joined is not None:
            self.ends[self._joined.path.name] = self._joined.finish()
            self._joined = None

    def _note_end(self, name: str, length: int, size: int) -> None:
        if size < length:
            self.missing[name] = length - size


class _JoinedFile:
    """A WARC file that is being made of segments."""

    def __init__(self, path: Path, positions: MovedPositions) -> None:
        self.path = path
        self.end = 0
        self._positions = positions
        self._file = path.open("xb")
        self._lines: list[str] = []
        info = write_visit.make_warcinfo(path.name, write_visit.format_date(time.time()), {})
        self._write(pack_record(info))

    def append(self, segment: str, data: bytes) -> None:
        """Append the records of a segment."""
        self._positions.add(WarcPosition(segment, 0), self.path.name, self.end)
        for begin, end, plain in _split_members(data):
            if self._append_record(data[begin:end], plain):
                self._positions.add(WarcPosition(segment, end), self.path.name, self.end - end)

    def finish(self) -> int:
        """Sync the file, write its index, and return its length."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        cdxj_index.write_index(self.path, self._lines)
        return self.end

    def _append_record(self, packed: bytes, plain: bytes) -> bool:
        """Append a record; return whether it was written anew, perhaps with another length."""
        record = parse_record(plain, self.end)
        is_new = False
        if record is not None and record.type == "revisit":
            before = read_reference(record)
            after = self._positions.find(before.warc, before.offset)
            if is_new := after != before:
                packed = pack_record(_refer_to(plain, after))
        if record is not None and cdxj_index.is_listed(record):
            sized = msgspec.structs.replace(record, length=len(packed))
            self._lines.append(cdxj_index.format_record(sized, self.path.name))
        self._write(packed)
        return is_new

    def _write(self, packed: bytes) -> None:
        self._file.write(packed)
        self.end += len(packed)


def _refer_to(plain: bytes, place: WarcPosition) -> bytes:
    """Return a revisit that refers to another position."""
    head, mark, rest = plain.partition(b"\r\n\r\n")
    reference = f"\r\nWARC-Refers-To-Filename: {place.warc}\r\nWARC-Refers-To-File-Offset: {place.offset}\r\n".encode()
    changed = _REFERENCE.sub(lambda _: reference, head + b"\r\n", count=1)
    return changed.removesuffix(b"\r\n") + mark + rest


def _split_members(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield begin, end and content of the gzip members of a segment; bytes that are none stay together at the end."""
    begin, view = 0, memoryview(data)
    while begin < len(data):
        unpacker, content, at = zlib.decompressobj(_GZIP), [], begin
        try:
            while at < len(data) and not unpacker.eof:
                piece = view[at : at + _FED_BYTES]
                content.append(unpacker.decompress(piece))
                at += len(piece)
        except zlib.error:
            yield begin, len(data), b""
            return
        end = at - len(unpacker.unused_data)
        yield begin, end, b"".join(content)
        begin = end


def sync_folder(folder: Path) -> None:
    """Have the names of files on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
