"""Put a pack with some segments changed into the place of another one, when pages are forgotten.

Objects never change, so the new pack has a new name: what readers and caches know of the old one stays right until it is gone.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from gossamer.errors import StoreFailed
from gossamer.store.shared_archive.index_pack import index_segment, join_lines
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.segment_name import locate_index, locate_pack


class PlacedSegment(msgspec.Struct, frozen=True, gc=False):
    """A segment in its pack."""

    name: str
    base: int
    length: int


class ReplacedPacks(Protocol):
    """The part of the table of packs that a replacement changes."""

    def announce(self, pack: str) -> None:
        """Note the name of a pack that is about to be stored without a claim."""
        ...

    def replace(self, old: str, new: str) -> None:
        """Let the segments of a pack be read from another one from now on."""
        ...

    def list_replaced(self) -> list[str]:
        """Return the packs that hold no segment any more, or never did."""
        ...


def replace_pack(
    store: ObjectStore,
    table: ReplacedPacks,
    pack: str,
    segments: Sequence[PlacedSegment],
    changed: Mapping[str, Path],
) -> str:
    """Store a pack anew, with some of its segments as these files have them; return its new name. Cost: copying the pack."""
    new = f"pack-{os.urandom(8).hex()}.warc.gz"
    table.announce(new)
    lines: list[str] = []
    store.upload(locate_pack(new), _read_segments(store, pack, segments, changed, new, lines))
    found = store.find(locate_pack(new))
    if found is None or found.size != sum(one.length for one in segments):
        raise StoreFailed(f"{pack} in the archive at {store.address} is not as it was committed")
    store.upload(locate_index(new), [join_lines(lines)])
    table.replace(pack, new)
    store.delete([locate_pack(pack), locate_index(pack)])
    return new


def remove_replaced(store: ObjectStore, table: ReplacedPacks) -> None:
    """Delete packs that were replaced, and what a killed replacement has left."""
    for pack in table.list_replaced():
        store.delete([locate_pack(pack), locate_index(pack)])


def _read_segments(
    store: ObjectStore,
    pack: str,
    segments: Sequence[PlacedSegment],
    changed: Mapping[str, Path],
    new: str,
    lines: list[str],
) -> Iterator[bytes]:
    """Yield the bytes of the segments in their order; their index lines are added to `lines`."""
    base = 0
    for one in segments:
        path = changed.get(one.name)
        data = path.read_bytes() if path else store.read(locate_pack(pack), one.base, one.length)
        if data is None or len(data) != one.length:
            raise StoreFailed(f"{one.name} in the archive at {store.address} is not as it was committed")
        lines += index_segment(data, base, new)
        base += one.length
        yield data
