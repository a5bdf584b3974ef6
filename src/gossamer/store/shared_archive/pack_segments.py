"""Pack small segments into WARC files of about 1 GB, and delete what is not needed any more.

A pack is its segments, one after the other: every gzip member stays as it is, and a position in a segment becomes one in
the pack by an addition. The steps, and what is left if the process is killed after each:

1. claim the segments in the database: a claim without a pack, which `clean_up` abandons after a day
2. upload the pack and its index under a new name: the same, and objects that are not read
3. finish it in the database, in one transaction: readers find its segments there; old ones still have the objects
4. after a grace time, delete the segments' objects: some are left, which the next run deletes

Segments that a killed fetcher wrote and never committed are deleted after a week.

Abandoning and finishing exclude each other in the database, so no pack that is read is ever deleted.
"""

import os
import zlib
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from itertools import islice

import msgspec

from gossamer.errors import StoreFailed
from gossamer.store.shared_archive.index_pack import index_segment, join_lines
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_table import Pack, PackTable
from gossamer.store.shared_archive.segment_name import (
    INDEXES,
    PACKS,
    SEGMENTS,
    SegmentName,
    find_indexed_pack,
    locate_index,
    locate_pack,
    locate_segment,
    parse_segment_name,
)
from gossamer.store.shared_archive.segment_reader import parse_record

PACK_BYTES = 1_000_000_000
GRACE_S = 3600.0
"""How long a segment stays after it was packed: for readers that looked it up before."""
ABANDONED_S = 86_400.0
"""How long a pack may take; uploading 1 GB takes hours over the slowest lines."""
ORPHAN_S = 7 * 86_400.0
"""How long a segment stays that was never committed: time to notice that the database was restored from an older back-up."""
_MOST_SEGMENTS = 20_000
_LOOKED_UP_AT_ONCE = 1_000
_BEGIN_BYTES = 1 << 16
_GZIP = 31

FindAbandoned = Callable[[Sequence[SegmentName]], Collection[str]]
"""Returns the names of those segments that are not committed, and whose writer cannot commit any more."""


class PackingResult(msgspec.Struct, frozen=True):
    """What one run did."""

    packs: int = 0
    segments: int = 0
    packed_bytes: int = 0
    damaged: tuple[str, ...] = ()
    """Segments that are missing or not as long as committed; they are left as they are."""


def pack_segments(
    store: ObjectStore, table: PackTable, pack_bytes: int = PACK_BYTES, whole_only: bool = True
) -> PackingResult:
    """Pack committed segments until fewer are left than fill a pack; without `whole_only`, these too."""
    packs = packed = size = 0
    damaged: dict[str, None] = {}
    while segments := _choose_segments(table.unpacked(_MOST_SEGMENTS), damaged, pack_bytes, whole_only):
        name = f"pack-{os.urandom(8).hex()}.warc.gz"
        if not table.claim(name, segments):
            continue  # another packer was faster
        if _store_pack(store, table, name, segments, damaged):
            packs, packed = packs + 1, packed + len(segments)
            size += sum(length for _, length in segments)
    return PackingResult(packs, packed, size, tuple(damaged))


def clean_up(
    store: ObjectStore, table: PackTable, grace_s: float = GRACE_S, abandoned_s: float = ABANDONED_S
) -> list[str]:
    """Delete segments that were packed before the grace time, and what killed packers left.

    Returns the packs that the database does not know, but that are needed: it was restored from an older back-up.
    """
    for pack in table.unsettled():
        if not pack.finished:
            if pack.age_s >= abandoned_s:
                table.abandon(pack.name)
        elif pack.age_s >= grace_s and _is_stored(store, pack):
            store.delete(locate_segment(name) for name, _ in pack.segments)
            table.settle(pack.name)
    # A pack is claimed before it is uploaded, so an object without a claim was abandoned.
    stored = [found.name.removeprefix(f"{PACKS}/") for found in store.list(PACKS)]
    known = table.known(stored)
    unknown = [name for name in stored if name not in known]
    needed = [name for name in unknown if not _is_redundant(store, table, name)]
    store.delete(locate_pack(name) for name in unknown if name not in needed)
    indexed = {find_indexed_pack(found.name): found.name for found in store.list(INDEXES)}
    gone = indexed.keys() - table.known(indexed) - set(needed)
    store.delete(indexed[pack] for pack in gone)
    return needed


def remove_orphans(
    store: ObjectStore, find_abandoned: FindAbandoned, now_s: float, orphan_s: float = ORPHAN_S
) -> int:
    """Delete old segments whose batch was never committed and never will be; return their number.

    Cost: a listing of the segments that are not packed, and a look-up for every thousand of those that are old enough.
    """
    removed = 0
    old = (found.name for found in store.list(SEGMENTS) if now_s - found.written_s >= orphan_s)
    named = (parse_segment_name(name.removeprefix(f"{SEGMENTS}/")) for name in old)
    remaining = (name for name in named if name is not None)
    while several := list(islice(remaining, _LOOKED_UP_AT_ONCE)):
        abandoned = find_abandoned(several)
        store.delete(locate_segment(name) for name in abandoned)
        removed += len(abandoned)
    return removed


def _store_pack(
    store: ObjectStore,
    table: PackTable,
    name: str,
    segments: Sequence[tuple[str, int]],
    damaged: dict[str, None],
) -> bool:
    """Upload a claimed pack and finish it; return False if one of its segments is damaged, or it was abandoned."""
    before = len(damaged)
    lines: list[str] = []
    try:
        store.upload(locate_pack(name), _read_segments(store, segments, damaged, name, lines))
        found = store.find(locate_pack(name))
        if found is not None and found.size == sum(length for _, length in segments):
            store.upload(locate_index(name), [join_lines(lines)])
            if table.finish(name):
                return True
    except BaseException:
        # An error of ours while the library reads the segments comes back as one of its own.
        table.abandon(name)
        if len(damaged) == before:
            raise
    table.abandon(name)
    store.delete([locate_pack(name), locate_index(name)])
    return False


def _choose_segments(
    unpacked: Sequence[tuple[str, int]], damaged: Container[str], pack_bytes: int, whole_only: bool
) -> list[tuple[str, int]]:
    """Return the oldest segments that fill a pack; none if they do not and `whole_only`."""
    chosen: list[tuple[str, int]] = []
    size = 0
    for name, length in unpacked:
        if name in damaged:
            continue
        chosen.append((name, length))
        size += length
        if size >= pack_bytes:
            return chosen
    return chosen if len(chosen) == _MOST_SEGMENTS or not whole_only else []


def _read_segments(
    store: ObjectStore,
    segments: Sequence[tuple[str, int]],
    damaged: dict[str, None],
    pack: str,
    lines: list[str],
) -> Iterator[bytes]:
    """Yield the bytes of the segments; their index lines are added to `lines`."""
    base = 0
    for name, length in segments:
        data = store.read(locate_segment(name))
        if data is None or len(data) != length:
            damaged[name] = None
            raise StoreFailed(f"{name} in the archive at {store.address} is not as it was committed")
        lines += index_segment(data, base, pack)
        base += length
        yield data


def _is_stored(store: ObjectStore, pack: Pack) -> bool:
    """Return whether a pack has its full length: before its segments are deleted, a look is worth a request."""
    found = store.find(locate_pack(pack.name))
    return found is not None and found.size == pack.size


def _is_redundant(store: ObjectStore, table: PackTable, pack: str) -> bool:
    """Return whether the segments of a pack without a claim are elsewhere, by its first one, which names itself."""
    begin = store.read(locate_pack(pack), 0, _BEGIN_BYTES) or b""
    try:
        first = parse_record(zlib.decompressobj(_GZIP).decompress(begin), 0)
    except zlib.error:
        return False
    segment = first.headers.get("warc-filename", "") if first is not None else ""
    return bool(segment) and (
        segment in table.find([segment]) or store.find(locate_segment(segment)) is not None
    )
