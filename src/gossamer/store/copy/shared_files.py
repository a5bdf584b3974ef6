"""Read the segments of a shared archive, from their own objects or from their packs."""

from collections.abc import Iterator

from gossamer.store.copy.committed_files import PIECE_BYTES
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.segment_name import locate_pack, locate_segment


class SharedFiles:
    """The segments of a web in a database, also while they are packed."""

    def __init__(self, store: ObjectStore, packs: DatabasePacks) -> None:
        self._store = store
        self._packs = packs

    def list_files(self) -> list[tuple[str, int]]:
        """Return names and committed lengths in the order in which they were committed."""
        return self._packs.list_committed()

    def read(self, name: str, length: int) -> Iterator[bytes]:
        """Yield the first bytes of a segment in pieces, from its own object or from its pack."""
        is_read = False
        for piece in self._read_object(locate_segment(name), 0, length):
            is_read = True
            yield piece
        packed = None if is_read else self._packs.find([name]).get(name)
        if packed is not None:
            yield from self._read_object(locate_pack(packed.pack), packed.base, length)

    def _read_object(self, name: str, start: int, length: int) -> Iterator[bytes]:
        end = start + length
        while start < end:
            piece = self._store.read(name, start, min(PIECE_BYTES, end - start))
            if not piece:
                return
            start += len(piece)
            yield piece
