"""The committed segments of a shared archive, to be changed: pages of them are forgotten.

All segments are packed first: then each pack is one object, and is replaced as a whole. Segments are brought to this machine
one at a time. No fetcher may be at work.
"""

import time
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gossamer.errors import StoreFailed
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.warc_records import WarcRecord
from gossamer.store.opening.web_archive import check_archive
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.shared_archive.block_cache import BlockCache
from gossamer.store.shared_archive.index_pack import index_segment
from gossamer.store.shared_archive.location import open_archive
from gossamer.store.shared_archive.pack_segments import clean_up, pack_segments, remove_orphans
from gossamer.store.shared_archive.replace_pack import PlacedSegment, remove_replaced, replace_pack
from gossamer.store.shared_archive.segment_files import read_segment
from gossamer.store.shared_archive.segment_name import locate_index
from gossamer.store.shared_archive.segment_reader import SegmentReader

_MOST_BYTES = 1 << 30
"""Of the segments that are kept on this machine between two looks at them."""
_ORPHAN_S = 3600.0
"""An import on another machine has committed what it wrote so long ago."""


class ChangingSegments:
    """The segments of one web."""

    def __init__(self, address: Address, scratch: Path) -> None:
        """`scratch` is an empty folder, which the caller removes."""
        self._objects = open_archive(check_archive(address))
        self._table = DatabasePacks(address)
        self._scratch = scratch
        self._here: OrderedDict[str, int] = OrderedDict()
        self.ends = dict(self._table.list_committed())
        """The committed length of each segment."""
        self._read_places()

    def close(self) -> None:
        """Close the connection to the database."""
        self._table.close()

    def pack_all(self) -> None:
        """Remove what killed programs have left, and pack all segments."""
        remove_replaced(self._objects, self._table)
        clean_up(self._objects, self._table, grace_s=0.0, abandoned_s=0.0)
        remove_orphans(self._objects, self._table.find_abandoned, time.time(), _ORPHAN_S)
        pack_segments(self._objects, self._table, whole_only=False)
        clean_up(self._objects, self._table, grace_s=0.0)
        self._read_places()

    def fetch(self, name: str) -> Path | None:
        """Return a segment as a file, until others need the room; None if there is none."""
        if name not in self.ends:
            return None
        path = self._scratch / name
        if name in self._here:
            self._here.move_to_end(name)
            return path
        self._make_room(self.ends[name])
        with path.open("wb") as file:
            file.writelines(read_segment(self._objects, self._table, name, self.ends[name]))
        found = path.stat().st_size
        if found != self.ends[name]:
            path.unlink()
            if not found:
                return None
            raise StoreFailed(
                f"{name} in the archive at {self._objects.address} is damaged: run `gossamer verify`"
            )
        self._here[name] = found
        return path

    def take_out(self, name: str) -> Path:
        """Return a segment as a file that the caller changes and removes."""
        path = self.fetch(name)
        if path is None:
            raise StoreFailed(
                f"{name} is not in the archive at {self._objects.address}: run `gossamer verify`"
            )
        del self._here[name]
        return path

    def read_record(self, place: WarcPosition) -> WarcRecord | None:
        """Return the record at a position; None if there is none."""
        return self._reader.read_record(place)

    def group(self, names: Iterable[str]) -> Iterator[list[str]]:
        """Yield the segments of each pack together."""
        by_pack: dict[str, list[str]] = defaultdict(list)
        for name in names:
            by_pack[self._pack_of.get(name, "")].append(name)
        yield from by_pack.values()

    def read_indexes(self) -> Iterator[tuple[list[PlacedSegment], Iterable[str]]]:
        """Yield the segments of each pack, and the lines of its index."""
        for pack, segments in self._places.items():
            data = self._objects.read(locate_index(pack))
            yield (
                segments,
                data.decode("utf-8", "surrogateescape").splitlines()
                if data is not None
                else self._index_segments(pack, segments),
            )

    def replace(self, changed: Mapping[str, Path]) -> None:
        """Replace the pack of some segments by one in which they are as these files."""
        [pack] = {self._pack_of[name] for name in changed}
        new = replace_pack(self._objects, self._table, pack, self._places[pack], changed)
        self._places[new] = self._places.pop(pack)
        self._pack_of |= {one.name: new for one in self._places[new]}
        self._open_reader()

    def _read_places(self) -> None:
        self._places: dict[str, list[PlacedSegment]] = defaultdict(list)
        for pack, name, base, length in self._table.list_packed():
            self._places[pack].append(PlacedSegment(name, base, length))
        self._pack_of = {one.name: pack for pack, placed in self._places.items() for one in placed}
        self._open_reader()

    def _open_reader(self) -> None:
        """Open a reader that knows nothing of replaced packs; its blocks go with the folder."""
        cache = BlockCache(self._scratch / "blocks", _MOST_BYTES)
        self._reader = SegmentReader(self._objects, self._table, cache)

    def _index_segments(self, pack: str, segments: list[PlacedSegment]) -> Iterator[str]:
        for one in segments:
            path = self.fetch(one.name)
            if path is not None:
                yield from index_segment(path.read_bytes(), one.base, pack)

    def _make_room(self, size: int) -> None:
        while self._here and sum(self._here.values()) + size > _MOST_BYTES:
            name, _ = self._here.popitem(last=False)
            (self._scratch / name).unlink()
