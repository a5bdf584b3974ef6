"""The segments of a shared archive as files to copy."""

from collections.abc import Iterator

from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.segment_files import read_segment


class SharedFiles:
    """The segments of a web in a database, also while they are packed."""

    def __init__(self, store: ObjectStore, packs: DatabasePacks) -> None:
        self._store = store
        self._packs = packs

    def list_files(self) -> list[tuple[str, int]]:
        """Return names and committed lengths in the order in which they were committed."""
        return self._packs.list_committed()

    def read(self, name: str, length: int) -> Iterator[bytes]:
        """Yield the first bytes of a segment in pieces."""
        return read_segment(self._store, self._packs, name, length)
