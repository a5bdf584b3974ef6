"""A store that tests can watch and disturb."""

from gossamer.errors import StoreFailed
from gossamer.store.shared_archive.object_store import ObjectStore


class CountingStore:
    """Counts reads, and fails on demand."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self.address = store.address
        self.reads = 0
        self.failures = 0

    def create(self, name: str, data: bytes) -> bool:
        if self.failures:
            self.failures -= 1
            raise StoreFailed("the archive cannot be reached", full=True)
        return self._store.create(name, data)

    def read(self, name: str, start: int = 0, length: int | None = None) -> bytes | None:
        self.reads += 1
        return self._store.read(name, start, length)

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)
