"""Write the files of an archive into a shared archive, packed from the start: bytes and names stay as they are.

A pack is announced in the database before it is stored, so that an attempt that was killed leaves no object that the
next one does not know.
"""

import os
from collections.abc import Callable, Iterator, Sequence

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
    for files in _group_files(source.list_files(), pack_bytes):
        name = f"pack-{os.urandom(8).hex()}.warc.gz"
        packs.announce(name)
        written: list[tuple[str, int]] = []
        store.upload(locate_pack(name), _read_files(source, files, written, on_bytes))
        found = store.find(locate_pack(name))
        if found is None or found.size != sum(size for _, size in written):
            raise StoreFailed(f"{name} is not in the archive at {store.address} as it was written")
        packs.add_whole(name, written)
        missing |= {
            file: length - size
            for (file, length), (_, size) in zip(files, written, strict=True)
            if size < length
        }
    return missing


def _group_files(files: Sequence[tuple[str, int]], pack_bytes: int) -> Iterator[list[tuple[str, int]]]:
    """Yield the files of each pack."""
    group: list[tuple[str, int]] = []
    for file in files:
        if group and (sum(size for _, size in group) + file[1] > pack_bytes or len(group) >= _MOST_FILES):
            yield group
            group = []
        group.append(file)
    if group:
        yield group


def _read_files(
    source: CommittedFiles,
    files: Sequence[tuple[str, int]],
    written: list[tuple[str, int]],
    on_bytes: Callable[[int], None],
) -> Iterator[bytes]:
    """Yield the bytes of files one after the other; add the length of each that was read to `written`."""
    for name, length in files:
        size = 0
        for piece in source.read(name, length):
            size += len(piece)
            on_bytes(len(piece))
            yield piece
        written.append((name, size))
