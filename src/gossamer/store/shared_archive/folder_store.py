"""Objects as files of a folder that several machines share."""

import errno
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gossamer.errors import StoreAway, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.store.shared_archive.object_store import StoredObject

_PARTS = ".parts"
# A file that grows here belongs to a writer that is alive, or has been dead for at most a day.
_ABANDONED_S = 86_400.0
# No permission, no such feature: waiting does not help. Everything else may be a server that is away.
_FINAL = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENAMETOOLONG,
    errno.ENOTSUP,
}


class FolderStore:
    """An `ObjectStore` in a folder; files are synced and then linked to their names, which fails if one is taken."""

    def __init__(self, folder: Path, marker: str) -> None:
        self.address = str(folder)
        self._folder = folder
        self._marker = marker
        """Without this file the disk is not mounted, and nothing but the file itself is written."""

    def create(self, name: str, data: bytes) -> bool:
        """Write an object that survives a power failure; return False if the name is taken."""
        with self._explain():
            return self._write(name, (data,))

    def upload(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a large object in pieces."""
        with self._explain():
            self._write(name, pieces)

    def read(self, name: str, start: int = 0, length: int | None = None) -> bytes | None:
        """Return bytes of an object, fewer where it ends; None if there is no such object."""
        with self._explain():
            try:
                with (self._folder / name).open("rb") as file:
                    file.seek(start)
                    return file.read(-1 if length is None else length)
            except FileNotFoundError:
                self._check_mounted(name)
                return None

    def find(self, name: str) -> StoredObject | None:
        """Return what a listing would say about an object; None if there is none."""
        with self._explain():
            try:
                facts = (self._folder / name).stat()
            except FileNotFoundError:
                self._check_mounted(name)
                return None
            return StoredObject(name, facts.st_size, facts.st_mtime)

    def list(self, folder: str, after: str = "") -> Iterator[StoredObject]:
        """Yield the objects in a folder and the folders within, sorted, whose names come after `after`."""
        with self._explain():
            self._check_mounted("")
            names = sorted(name for name in self._walk(folder) if name > after)
        for name in names:
            found = self.find(name)
            if found is not None:
                yield found

    def delete(self, names: Iterable[str]) -> None:
        """Delete objects; names that are not there are ignored."""
        with self._explain():
            self._check_mounted("")
            for name in names:
                (self._folder / name).unlink(missing_ok=True)

    def remove_abandoned_parts(self) -> None:
        """Remove what writers left that were killed a day ago."""
        with suppress(OSError):
            for path in (self._folder / _PARTS).iterdir():
                if time.time() - path.stat().st_mtime > _ABANDONED_S:
                    path.unlink(missing_ok=True)

    def _write(self, name: str, pieces: Iterable[bytes]) -> bool:
        self._check_mounted(name)
        path, parts = self._folder / name, self._folder / _PARTS
        parts.mkdir(exist_ok=True)
        if path.parent != self._folder and not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            _sync_folder(path.parent.parent)
        part = parts / os.urandom(12).hex()
        try:
            with part.open("xb") as file:
                for piece in pieces:
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(part, path)
            except FileExistsError:
                return False
            _sync_folder(path.parent)
            return True
        finally:
            part.unlink(missing_ok=True)

    def _walk(self, folder: str) -> Iterator[str]:
        for place, _, files in os.walk(self._folder / folder):
            for file in files:
                yield str((Path(place) / file).relative_to(self._folder))

    def _check_mounted(self, name: str) -> None:
        if name != self._marker and not (self._folder / self._marker).exists():
            raise StoreAway(f"there is no archive of a web at {self.address}, or its disk is not mounted")

    @contextmanager
    def _explain(self) -> Iterator[None]:
        """Turn errors of the system into one sentence."""
        try:
            yield
        except OSError as error:
            raise _make_failure(self.address, error) from error


def _make_failure(address: str, error: OSError) -> StoreFailed:
    if is_full_disk(error):
        return StoreFailed(f"the archive at {address} cannot be used: the disk is full", full=True)
    kind = StoreFailed if error.errno in _FINAL else StoreAway
    return kind(f"the archive at {address} cannot be used: {error.strerror}")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
