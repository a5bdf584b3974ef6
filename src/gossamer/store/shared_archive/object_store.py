"""The interface of every place that keeps objects: names and bytes that are written once and never changed.

Nothing here overwrites: what several machines agree on is a number that only one of them can create. Creating an object
only if there is none is the one condition that S3, Google, Azure, Ceph and a shared folder all keep (docs/decisions/0029).
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

import msgspec


class StoredObject(msgspec.Struct, frozen=True, gc=False):
    """An object in a listing."""

    name: str
    size: int
    written_s: float
    """Unix time of its writing, by the clock of the store."""


class ObjectStore(Protocol):
    """Objects below one address. Every method raises `StoreFailed`, with `full` if it may succeed later."""

    address: str
    """For messages; holds no credentials."""

    def create(self, name: str, data: bytes) -> bool:
        """Write an object that survives a power failure; return False if the name is taken."""
        ...

    def upload(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a large object in pieces. It appears as a whole or not at all; use a new name for each attempt."""
        ...

    def read(self, name: str, start: int = 0, length: int | None = None) -> bytes | None:
        """Return bytes of an object, fewer where it ends; None if there is no such object. One request."""
        ...

    def find(self, name: str) -> StoredObject | None:
        """Return what a listing would say about an object; None if there is none."""
        ...

    def list(self, folder: str, after: str = "") -> Iterator[StoredObject]:
        """Yield the objects in a folder and the folders within, sorted, whose names come after `after`."""
        ...

    def delete(self, names: Iterable[str]) -> None:
        """Delete objects; names that are not there are ignored."""
        ...
