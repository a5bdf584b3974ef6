"""Write a WARC file anew with some extents replaced: beside the old one, synced, and put in its place at once."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

import msgspec

from gossamer.errors import StoreFailed
from gossamer.forget.warc.fill_extent import fill
from gossamer.forget.warc.plan_edits import Edit
from gossamer.full_disk import is_full_disk
from gossamer.store.archive import cdxj_index

SUFFIX = ".forgetting"
"""Ends the name of the file that grows beside the old one."""
_PIECE_BYTES = 1 << 20


def write_anew(path: Path, upto: int, edits: Iterable[Edit]) -> None:
    """Replace extents of a WARC file; every other byte stays in its place. Cost: copying the file."""
    new = path.with_name(path.name + SUFFIX)
    try:
        with path.open("rb") as old, new.open("wb") as file:
            at = 0
            for edit in sorted(edits, key=lambda one: one.offset):
                _copy(old, file, at, edit.offset)
                for piece in fill(edit.length, *edit.records):
                    # Skipped bytes are zeros, for which most file systems keep no blocks.
                    file.seek(piece, os.SEEK_CUR) if isinstance(piece, int) else file.write(piece)
                at = edit.offset + edit.length
            _copy(old, file, at, upto)
            file.truncate(upto)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(new, path.stat().st_mode & 0o777)
        new.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise make_failure(path, error) from error


def sync_folder(folder: Path) -> None:
    """Make sure that renames in a folder survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_index(path: Path, upto: int, is_gone: Callable[[str, int], bool], replaced: Iterable[int]) -> None:
    """Write the CDXJ index of a file without the lines of removed records; lines of replaced ones are made anew."""
    again = set(replaced)
    if cdxj_index.index_path(path).is_file():
        lines = []
        for line in cdxj_index.index_path(path).read_text("utf-8").splitlines():
            about = read_line(line)
            if int(about.get("offset", -1)) not in again and not is_gone(
                about.get("url", ""), int(about.get("offset", -1))
            ):
                lines.append(line)
    else:
        lines, again = list(cdxj_index.index_warc(path, upto)), set()
    if again:
        lines += _index_records(path, again)
    try:
        cdxj_index.write_index(path, lines)
    except OSError as error:
        raise make_failure(cdxj_index.index_path(path), error) from error


def read_line(line: str) -> dict[str, str]:
    """Return the fields of a line of a CDXJ index; none of one that cannot be read."""
    try:
        return msgspec.json.decode(line.split(" ", 2)[2], type=dict[str, str])
    except (msgspec.MsgspecError, IndexError):
        return {}


def _index_records(path: Path, offsets: set[int]) -> list[str]:
    from gossamer.store.archive.warc_records import WarcReader

    found = (record for record in WarcReader(path) if record.offset in offsets)
    return [cdxj_index.format_record(one, path.name) for one in found if cdxj_index.is_listed(one)]


def make_failure(path: Path, error: OSError) -> StoreFailed:
    """Return the error for a file that could not be written."""
    full = is_full_disk(error)
    why = "the disk is full; make room and run `gossamer forget` again" if full else error.strerror
    return StoreFailed(f"{path} could not be written: {why}", full)


def _copy(old: BinaryIO, new: BinaryIO, begin: int, end: int) -> None:
    old.seek(begin)
    left = end - begin
    while left > 0:
        piece = old.read(min(left, _PIECE_BYTES))
        if not piece:
            break
        new.write(piece)
        left -= len(piece)
