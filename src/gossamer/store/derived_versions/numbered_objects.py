"""Agree on the next of a series of numbered objects: the one with the highest number counts.

Only creating an object that is not there is needed of the store. A process that slept while the series went on may create
a number that was deleted since: it therefore looks again afterwards, and has failed if there is a higher one.
"""

import msgspec

from gossamer.store.shared_archive.object_store import ObjectStore

_DIGITS = 10


class NumberedObject(msgspec.Struct, frozen=True):
    """The newest object of a series."""

    number: int
    content: bytes
    written_s: float
    """Unix time of its writing, by the clock of the store."""


class NumberedObjects:
    """A series of objects in one folder."""

    def __init__(self, store: ObjectStore, folder: str) -> None:
        self._store = store
        self._folder = folder

    def find_newest(self, after: int = 0) -> NumberedObject | None:
        """Return the newest object if its number is higher than `after`; None otherwise. One request if it is not."""
        while True:
            newest = None
            for found in self._store.list(self._folder, self._locate(after) if after else ""):
                newest = found
            if newest is None:
                return None
            number = int(newest.name.rpartition("/")[2].partition(".")[0])
            content = self._store.read(newest.name)
            if content is not None:
                return NumberedObject(number, content, newest.written_s)
            # It was deleted, so there is a newer one.

    def add(self, number: int, content: bytes) -> bool:
        """Create the object with this number; return False if another process was faster."""
        name = self._locate(number)
        if not self._store.create(name, content) and self._store.read(name) != content:
            return False
        newer = next(iter(self._store.list(self._folder, name)), None)
        if newer is not None:
            self._store.delete([name])
        return newer is None

    def drop_before(self, number: int) -> None:
        """Delete the objects with lower numbers."""
        names = [found.name for found in self._store.list(self._folder)]
        self._store.delete(name for name in names if name < self._locate(number))

    def _locate(self, number: int) -> str:
        return f"{self._folder}/{number:0{_DIGITS}}.json"
