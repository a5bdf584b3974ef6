"""Write the files of an archive into a shared archive, packed from the start: bytes and names stay as they are.

A pack is announced in the database before it is stored, so that an attempt that was killed leaves no object that the
next one does not know.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, takewhile

from gossamer.errors import StoreFailed
from gossamer.store.copy.committed_files import CommittedFiles
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_segments import PACK_BYTES
from gossamer.store.shared_archive.segment_name import locate_pack

_MOST_FILES = 20_000


def write_packs(
    source: CommittedFiles,
    store: ObjectStore,
    packs: DatabasePacks,
    on_bytes: Callable[[int], None],
    pack_bytes: int = PACK_BYTES,
) -> dict[str, int]:
    """Copy all files; return those that lack committed bytes, and how many."""
    missing: dict[str, int] = {}
    files = source.list_files()
    while files:
        chosen = _choose_files(files, pack_bytes)
        written = _write_pack(source, store, packs, chosen, on_bytes)
        files = files[len(written) :]
        missing |= {
            name: length - size
            for (name, length), (_, size) in zip(chosen, written, strict=False)
            if size < length
        }
    return missing


def _choose_files(files: Sequence[tuple[str, int]], pack_bytes: int) -> Sequence[tuple[str, int]]:
    """Return the first files that fit into a pack, at least one."""
    ends = accumulate(size for _, size in files[:_MOST_FILES])
    return files[: max(1, sum(1 for _ in takewhile(lambda end: end <= pack_bytes, ends)))]


def _write_pack(
    source: CommittedFiles,
    store: ObjectStore,
    packs: DatabasePacks,
    files: Sequence[tuple[str, int]],
    on_bytes: Callable[[int], None],
) -> list[tuple[str, int]]:
    """Store files as one pack; return those that are in it, with their lengths."""
    name = f"pack-{os.urandom(8).hex()}.warc.gz"
    packs.announce(name)
    written: list[tuple[str, int]] = []
    store.upload(locate_pack(name), _read_files(source, files, written, on_bytes))
    found = store.find(locate_pack(name))
    if found is None or found.size != sum(size for _, size in written):
        raise StoreFailed(f"{name} is not in the archive at {store.address} as it was written")
    packs.add_whole(name, written)
    return written


def _read_files(
    source: CommittedFiles,
    files: Sequence[tuple[str, int]],
    written: list[tuple[str, int]],
    on_bytes: Callable[[int], None],
) -> Iterator[bytes]:
    """Yield the bytes of files one after the other; add the length of each that was read to `written`.

    A file that lacks bytes is the last: positions of what is missing must not lead into the next one.
    """
    for name, length in files:
        size = 0
        for piece in source.read(name, length):
            size += len(piece)
            on_bytes(len(piece))
            yield piece
        written.append((name, size))
        if size < length:
            return
