"""Check that every committed segment of a shared archive is there in its full length, without reading it."""

from collections.abc import Iterable, Iterator
from itertools import islice

from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_table import PackTable
from gossamer.store.shared_archive.segment_name import PACKS, SEGMENTS

_AT_ONCE = 10_000


def find_missing_segments(
    store: ObjectStore, table: PackTable, committed: Iterable[tuple[str, int]]
) -> Iterator[tuple[str, str]]:
    """Yield the names of committed segments that are not in the archive, and what is wrong.

    Cost: a listing of all objects, which is held in memory, and a look-up for every 10,000 segments.
    """
    stored = {found.name: found.size for folder in (PACKS, SEGMENTS) for found in store.list(folder)}
    remaining = iter(committed)
    while several := list(islice(remaining, _AT_ONCE)):
        # Looked up after the listing: what was packed meanwhile is in a pack that the listing may lack.
        packed = table.find(name for name, _ in several)
        for name, length in several:
            own, place = stored.get(f"{SEGMENTS}/{name}"), packed.get(name)
            pack = stored.get(f"{PACKS}/{place.pack}") if place is not None else None
            if own == length or (place is not None and pack is not None and pack >= place.base + length):
                continue
            if own is None and (place is None or pack is None):
                yield name, "it is missing"
            else:
                yield name, f"it is shorter than the {length} bytes that were committed"
