"""Bring the segments of a shared archive to this machine one at a time, as WARC files, for programs that read all of them."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from gossamer.atomic_file import make_temporary_folder
from gossamer.errors import StoreFailed
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_table import PackedSegment, PackTable
from gossamer.store.shared_archive.segment_name import locate_pack, locate_segment

_LOOKED_UP_AT_ONCE = 1_000
_PIECE_BYTES = 8 << 20


class SegmentFile(msgspec.Struct, frozen=True):
    """A committed segment on this machine."""

    path: Path
    """Removed when the next one is fetched."""
    committed: int
    """Its length as the database has it; the file is shorter if bytes are missing."""


def fetch_segments(
    store: ObjectStore, table: PackTable, committed: Iterable[tuple[str, int]], folder: Path
) -> Iterator[SegmentFile]:
    """Yield committed segments as files in a temporary folder; an empty file stands for one that is missing.

    Cost: the disk space of one segment, a request for each, and a look-up of packs for every thousand.
    """
    remaining = iter(committed)
    try:
        with make_temporary_folder(folder) as scratch:
            while several := list(islice(remaining, _LOOKED_UP_AT_ONCE)):
                packed = table.find(name for name, _ in several)
                for name, length in several:
                    path = scratch / name
                    with path.open("wb") as file:
                        file.writelines(read_segment(store, table, name, length, packed.get(name)))
                    yield SegmentFile(path, length)
                    path.unlink()
    except OSError as error:
        raise StoreFailed(f"{folder} could not be written: {error.strerror}") from error


def read_segment(
    store: ObjectStore, table: PackTable, name: str, length: int, packed: PackedSegment | None = None
) -> Iterator[bytes]:
    """Yield the first bytes of a segment in pieces, from its pack, if that is known, or from its own object."""
    if packed is None:
        pieces = _read_object(store, locate_segment(name), 0, length)
        first = next(pieces, None)
        if first is not None:
            yield first
            yield from pieces
            return
        packed = table.find([name]).get(name)  # it may have been packed since we looked
    if packed is not None:
        yield from _read_object(store, locate_pack(packed.pack), packed.base, length)


def _read_object(store: ObjectStore, name: str, start: int, length: int) -> Iterator[bytes]:
    end = start + length
    while start < end and (piece := store.read(name, start, min(_PIECE_BYTES, end - start))):
        yield piece
        start += len(piece)
