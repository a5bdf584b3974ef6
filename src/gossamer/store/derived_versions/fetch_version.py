"""Fetch versions of a derived folder into a local cache, for several processes of one machine."""

import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.atomic_file import make_temporary_folder
from gossamer.errors import StoreFailed
from gossamer.store.derived_versions.publish_version import KEPT_VERSIONS, find_current_version
from gossamer.store.derived_versions.version_manifest import (
    MANIFEST,
    Version,
    VersionFile,
    decode_version,
    measure_file,
)
from gossamer.store.shared_archive.object_store import ObjectStore

POLL_S = 10.0
_NAME = re.compile(r"\d{10}\Z")
_PIECE_BYTES = 8 << 20
_TRIES = 5


class VersionCache:
    """The versions of one kind that are on this machine, each in a folder that never changes."""

    def __init__(
        self,
        store: ObjectStore,
        kind: str,
        folder: Path,
        poll_s: float = POLL_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._kind = kind
        self._folder = folder
        self._poll_s = poll_s
        self._clock = clock
        self._asked_s = -poll_s
        self.current: Version | None = None
        """The version in `path`."""
        self.path: Path | None = None

    def poll(self) -> bool:
        """Fetch a newer version if there is one; return whether there was.

        Cheap to call often: the store is asked once in `poll_s`, with one request. While it is away, this raises
        StoreFailed, and the version at hand stays.
        """
        if self._clock() - self._asked_s < self._poll_s:
            return False
        self._asked_s = self._clock()
        return self.fetch()

    def use_newest_here(self) -> bool:
        """Use the newest version that this machine has, without asking the store; return whether there is one."""
        if not self._folder.is_dir():
            return False
        for path in sorted(self._folder.iterdir(), reverse=True):
            version = _read_manifest(path) if _NAME.match(path.name) else None
            if version is not None:
                self.current, self.path = version, path
                return True
        return False

    def fetch(self, near: Path | None = None) -> bool:
        """Fetch the newest version; return False if it is here already, or there is none.

        Files that are the same in the folder `near` are copied from there: a publisher need not download what it uploaded.
        """
        for _ in range(_TRIES):
            version = find_current_version(
                self._store, self._kind, self.current.number if self.current else 0
            )
            if version is None:
                return False
            path = self._fetch(version, near)
            if path is not None:
                self.current, self.path = version, path
                self._remove_old(version.number)
                return True
            # One of its files was deleted: there are at least two newer versions by now.
        raise StoreFailed(f"the {self._kind} in the archive changes faster than it can be fetched", full=True)

    def copy_to(self, folder: Path) -> int:
        """Replace a folder by a copy of the current version, for a writer to change; return the version's number.

        Without a version, the folder is removed, and 0 is returned: that is what `publish_version` takes as `base`.
        """
        try:
            if self.path is None or self.current is None:
                shutil.rmtree(folder, ignore_errors=True)
                return 0
            with make_temporary_folder(folder.parent) as temporary:
                new = temporary / folder.name
                shutil.copytree(self.path, new, ignore=shutil.ignore_patterns(MANIFEST))
                if folder.exists():
                    folder.rename(temporary / "old")
                new.rename(folder)
        except OSError as error:
            raise StoreFailed(f"{folder} could not be written: {error.strerror}") from None
        return self.current.number

    def _fetch(self, version: Version, near: Path | None) -> Path | None:
        """Make the folder of a version; None if its files are not in the store any more."""
        path = self._folder / f"{version.number:010}"
        if _read_manifest(path) == version:
            return path
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            at_hand = self._find_files()
            with make_temporary_folder(self._folder) as temporary:
                new = temporary / path.name
                for file in version.files:
                    if not _copy_same(file, near, new / file.path) and not self._fetch_file(
                        file, new / file.path, at_hand
                    ):
                        return None
                new.mkdir(exist_ok=True)
                (new / MANIFEST).write_bytes(msgspec.json.encode(version))
                _put_in_place(new, path, version)
        except OSError as error:
            raise StoreFailed(f"{path} could not be written: {error.strerror}") from None
        return path

    def _fetch_file(self, file: VersionFile, path: Path, at_hand: dict[tuple[str, int, str], Path]) -> bool:
        """Link a file from an older version, or read it from the store; return False if it is not there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        old = at_hand.get((file.path, file.size, file.digest))
        if old is not None:
            with suppress(OSError):
                os.link(old, path)
                if path.stat().st_size == file.size:
                    return True
                path.unlink()
        with path.open("wb") as new:
            for start in range(0, file.size, _PIECE_BYTES):
                piece = self._store.read(file.object, start, min(_PIECE_BYTES, file.size - start))
                if piece is None:
                    return False
                new.write(piece)
        if measure_file(path) != (file.size, file.digest):
            raise StoreFailed(f"{file.object} in the archive at {self._store.address} is damaged")
        return True

    def _find_files(self) -> dict[tuple[str, int, str], Path]:
        """Return the files of the versions that are here, by path, size and digest."""
        found: dict[tuple[str, int, str], Path] = {}
        for folder in sorted(self._folder.iterdir()):
            version = _read_manifest(folder) if _NAME.match(folder.name) else None
            for file in version.files if version else ():
                found[file.path, file.size, file.digest] = folder / file.path
        return found

    def _remove_old(self, number: int) -> None:
        """Delete all but the last two versions; processes that have their files open keep them."""
        for folder in self._folder.iterdir():
            if _NAME.match(folder.name) and int(folder.name) <= number - KEPT_VERSIONS:
                shutil.rmtree(folder, ignore_errors=True)


def remove_older_copies(folder: Path) -> None:
    """Delete all versions on this machine but the newest one."""
    found = sorted(path for path in folder.iterdir() if _NAME.match(path.name)) if folder.is_dir() else []
    for path in found[:-1]:
        shutil.rmtree(path, ignore_errors=True)


def _copy_same(file: VersionFile, near: Path | None, path: Path) -> bool:
    """Copy a file from a folder if it is the same there; return whether it was."""
    if near is None:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copyfile(near / file.path, path)
    except OSError:
        return False
    return measure_file(path) == (file.size, file.digest)


def _read_manifest(folder: Path) -> Version | None:
    try:
        return decode_version((folder / MANIFEST).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None


def _put_in_place(new: Path, path: Path, version: Version) -> None:
    """Rename a complete folder; another process may have done the same before."""
    try:
        new.rename(path)
    except OSError:
        if _read_manifest(path) != version:
            shutil.rmtree(path, ignore_errors=True)
            new.rename(path)
