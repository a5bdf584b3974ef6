"""The folder of a mirror: files are written whole, below the folder, and never through a symbolic link.

Every step of a path is opened relative to the folder before it and without following links, so that a link that was
planted in the mirror, also while it is being written, leads nowhere. Source: POSIX.1-2017, openat.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from gossamer.errors import BadInput
from gossamer.mirror.mirror_state import HIDDEN

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST_OPEN = 64


class MirrorFolder:
    """Writes and removes the files of one mirror, held within a `with` block."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._open: dict[str, int] = {}
        """Descriptors of folders, by path."""
        self._part = f"part-{os.getpid()}"

    def __enter__(self) -> Self:
        self._open[""] = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            os.unlink(self._part, dir_fd=self._open_folder(HIDDEN))
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()

    def exists(self, path: str) -> bool:
        """Say whether something is at a path, a broken link included."""
        return os.path.lexists(f"{self.root}/{path}")

    def has_file(self, path: str, size_bytes: int) -> bool:
        """Say whether a regular file of this size is at a path."""
        try:
            found = os.stat(f"{self.root}/{path}", follow_symlinks=False)
        except OSError:
            return False
        return found.st_size == size_bytes and (found.st_mode & 0o170000) == 0o100000

    def write(self, path: str, content: bytes) -> None:
        """Write a file whole or not at all; raise BadInput if a link, or a folder of this name, is in the way."""
        parent, _, name = path.rpartition("/")
        try:
            hidden, folder = self._open_folder(HIDDEN), self._open_folder(parent, create=True)
            try:
                descriptor = os.open(self._part, _NEW_FILE, 0o666, dir_fd=hidden)
            except FileExistsError:  # what a killed process of the same id has left
                os.unlink(self._part, dir_fd=hidden)
                descriptor = os.open(self._part, _NEW_FILE, 0o666, dir_fd=hidden)
            try:
                _write_all(descriptor, content)
            finally:
                os.close(descriptor)
            os.replace(self._part, name, src_dir_fd=hidden, dst_dir_fd=folder)
        except OSError as error:
            raise self._explain(path, error) from None

    def remove(self, path: str) -> bool:
        """Remove a file, and the folders that it leaves empty; return False if it was gone."""
        parent, _, name = path.rpartition("/")
        try:
            os.unlink(name, dir_fd=self._open_folder(parent))
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._explain(path, error) from None
        while parent:
            above, _, name = parent.rpartition("/")
            if (descriptor := self._open.pop(parent, None)) is not None:
                os.close(descriptor)
            try:
                os.rmdir(name, dir_fd=self._open_folder(above))
            except OSError:
                break
            parent = above
        return True

    def _open_folder(self, path: str, create: bool = False) -> int:
        """Return the descriptor of a folder below the root, which no symbolic link leads to."""
        known = self._open.get(path)
        if known is not None:
            return known
        above, _, name = path.rpartition("/")
        parent = self._open_folder(above, create)
        if create:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=parent)
        if len(self._open) > _MOST_OPEN:
            self._close_some(keep=above)
        self._open[path] = os.open(name, _FOLDER, dir_fd=parent)
        return self._open[path]

    def _close_some(self, keep: str) -> None:
        """Close folders, except the root, the hidden one and those on the way to one that is needed."""
        for path in [
            one for one in self._open if one not in ("", HIDDEN) and not f"{keep}/".startswith(f"{one}/")
        ]:
            os.close(self._open.pop(path))

    def _explain(self, path: str, error: OSError) -> Exception:
        """Return what to raise for a failure: BadInput if something planted is in the way."""
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EEXIST):
            return BadInput(
                f"{self.root / path} cannot be written: a symbolic link, or a file or folder of the same name, is in "
                "its way; remove it, or mirror into another folder"
            )
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            return BadInput(f"{self.root / path} cannot be written: {error.strerror}")
        return error


def _write_all(descriptor: int, content: bytes) -> None:
    """Write all bytes to a file, which the system may take in several pieces."""
    written = os.write(descriptor, content)
    while written < len(content):
        written += os.write(descriptor, memoryview(content)[written:])
