"""Read exchanges from a shared archive by their positions, also while segments are packed."""

import zlib
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.warc_records import MOST_BYTES, WarcRecord
from gossamer.store.shared_archive.block_cache import BLOCK_BYTES, BlockCache
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_table import PackedSegment, PackTable
from gossamer.store.shared_archive.segment_name import PACKS, SEGMENTS, locate_pack, locate_segment

# With the block in which it begins: enough for a record of half a megabyte, packed, wherever it begins.
_FIRST_BLOCKS = 2
_MORE_BLOCKS = 16
_MOST_REMEMBERED = 100_000
_GZIP = 31
_HEADER_END = b"\r\n\r\n"


class SegmentReader(ArchiveReader):
    """Reads the records of a shared archive; a local cache keeps what was read lately."""

    def __init__(self, store: ObjectStore, table: PackTable, cache: BlockCache) -> None:
        super().__init__(Path(store.address))  # for messages: there may be no such folder
        self._store = store
        self._table = table
        self._cache = cache
        self._packed: OrderedDict[str, PackedSegment | None] = OrderedDict()
        """Where segments are; None for those that were not packed when we looked."""
        self._last: tuple[str, int, bytes] = ("", 0, b"")
        """The block that was used last: the next record is probably there."""

    def read_record(self, place: WarcPosition) -> WarcRecord | None:
        """Return the record at a position; None if there is none. One request, for a record of usual size."""
        if not place.warc or "/" in place.warc:
            return None
        data = self._unpack_member(place)
        return parse_record(data, place.offset) if data is not None else None

    def list_files(self) -> Iterator[tuple[str, int]]:
        """Yield names and lengths of all files, packed or not, sorted."""
        for folder in (PACKS, SEGMENTS):
            for found in self._store.list(folder):
                yield found.name.removeprefix(f"{folder}/"), found.size

    def _unpack_member(self, place: WarcPosition) -> bytes | None:
        """Return the content of the gzip member at a position, wherever its segment is by now."""
        packed = self._find_pack(place.warc)
        if packed is None:
            data = self._unpack_object(locate_segment(place.warc), place.offset)
            if data is not None:
                return data
            # It may have been packed since we looked.
            packed = self._find_pack(place.warc, again=True)
        if packed is None:
            return None
        data = self._unpack_object(locate_pack(packed.pack), packed.base + place.offset)
        if data is None and self._find_pack(place.warc, again=True) not in (packed, None):
            # The pack was replaced since we looked: pages were forgotten.
            packed = self._packed[place.warc] or packed
            return self._unpack_object(locate_pack(packed.pack), packed.base + place.offset)
        return data

    def _find_pack(self, segment: str, again: bool = False) -> PackedSegment | None:
        if not again and segment in self._packed:
            return self._packed.get(segment)
        found = self._packed[segment] = self._table.find([segment]).get(segment)
        if len(self._packed) > _MOST_REMEMBERED:
            self._packed.popitem(last=False)
        return found

    def _unpack_object(self, name: str, offset: int) -> bytes | None:
        """Unpack the gzip member at an offset of an object; None if there is none."""
        unpacker, content, size = zlib.decompressobj(_GZIP), [], 0
        for piece in self._read_blocks(name, offset):
            try:
                content.append(unpacker.decompress(piece, MOST_BYTES - size))
            except zlib.error:
                return None
            size += len(content[-1])
            if unpacker.eof or size >= MOST_BYTES:
                return b"".join(content)
        return None

    def _read_blocks(self, name: str, offset: int) -> Iterator[bytes]:
        """Yield the bytes of an object from an offset on, by block; missing blocks are read several at a time."""
        number, skip, several = offset // BLOCK_BYTES, offset % BLOCK_BYTES, _FIRST_BLOCKS
        while True:
            blocks = self._find_block(name, number) or self._load_blocks(name, number, several)
            for count, block in enumerate(blocks):
                self._last = (name, number + count, block)
                if block[skip:]:
                    yield block[skip:]
                skip = 0
            if not blocks or len(blocks[-1]) < BLOCK_BYTES:
                return
            number, several = number + len(blocks), _MORE_BLOCKS

    def _find_block(self, name: str, number: int) -> list[bytes]:
        """Return a block that is here already; nothing if it is not."""
        *which, block = self._last
        if which == [name, number]:
            return [block]
        found = self._cache.get(name, number)
        return [found] if found is not None else []

    def _load_blocks(self, name: str, number: int, several: int) -> list[bytes]:
        """Read blocks with one request, and keep them in the cache."""
        data = self._store.read(name, number * BLOCK_BYTES, several * BLOCK_BYTES)
        if data is None:
            return []
        blocks = [data[at : at + BLOCK_BYTES] for at in range(0, len(data), BLOCK_BYTES)]
        for count, block in enumerate(blocks):
            self._cache.put(name, number + count, block)
        return blocks


def parse_record(data: bytes, offset: int) -> WarcRecord | None:
    """Parse a record that we wrote: it has one header line for each field."""
    head, mark, rest = data.partition(_HEADER_END)
    version, *lines = head.decode("utf-8", "replace").split("\r\n")
    if not mark or not version.startswith("WARC/"):
        return None
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    declared = headers.get("content-length", "")
    length = int(declared) if declared.isdecimal() else 0
    block = rest[:length]
    kind = headers.get("warc-type", "").lower()
    return WarcRecord(kind, headers, block, offset, whole=len(block) == length)
