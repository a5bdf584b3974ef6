"""A web in a directory, as the source and as the target of a copy."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

from gossamer.errors import BadInput, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.store.batch import Batch, Store
from gossamer.store.copy.committed_files import CommittedFiles, FolderFiles
from gossamer.store.copy.moved_positions import MovedPositions
from gossamer.store.copy.write_warc_files import OnBytes, WarcFolder, sync_folder
from gossamer.store.folder_access import create_private_folder
from gossamer.store.lock import FILE_NAME as LOCK
from gossamer.store.lock import Lock
from gossamer.store.opening.open_store import STATE, UNFINISHED_COPY, open_store
from gossamer.store.sqlite.sqlite_store import SqliteStore

ARCHIVE = "archive"


class DirectorySource:
    """A web that is copied; no crawl can begin there meanwhile."""

    def __init__(self, folder: Path) -> None:
        if not (folder / STATE).exists():
            raise BadInput(f"there is no web at {folder} to copy")
        self.folder = folder
        with ExitStack() as stack:
            is_writable = os.access(folder, os.W_OK)  # otherwise, no crawl can begin there
            if is_writable:
                stack.enter_context(Lock(folder))
            self.store = open_store(folder, read_only=not is_writable)
            stack.callback(self.store.close)
            self._open = stack.pop_all()

    def open_files(self) -> CommittedFiles:
        """Return the committed files of its archive."""
        return FolderFiles(self.folder / ARCHIVE, self.store.archive_ends())

    def close(self) -> None:
        """Close the web and let others crawl it."""
        self._open.close()


class DirectoryTarget:
    """A new web; its folder is marked until the copy is whole."""

    def __init__(self, folder: Path, command: str) -> None:
        self.folder = folder
        self._mark = folder / UNFINISHED_COPY
        try:
            _check_empty(folder, self._mark)
            create_private_folder(folder)
            self._lock = Lock(folder).__enter__()
        except OSError as error:
            raise BadInput(f"a web cannot be created at {folder}: {error.strerror}") from None
        try:
            _check_empty(folder, self._mark)
            self._write_mark(command)
            self._remove_old()
            self.store: Store = SqliteStore(folder / STATE, create=True)
        except OSError as error:
            self._lock.__exit__(None, None, None)
            raise _explain(folder, error) from error
        except BaseException:
            self._lock.__exit__(None, None, None)
            raise

    def write_archive(
        self, files: CommittedFiles, positions: MovedPositions, on_bytes: OnBytes
    ) -> dict[str, int]:
        """Copy the files of an archive; return those that lack committed bytes, and how many."""
        archive = WarcFolder(self.folder / ARCHIVE, positions, on_bytes)
        archive.write(files)
        self.store.commit(Batch(archive_ends=archive.ends))
        return archive.missing

    def finish(self) -> None:
        """Declare the copy whole, after everything is on the disk."""
        self.store.close()
        try:
            with (self.folder / STATE).open("rb") as state:
                os.fsync(state.fileno())
            sync_folder(self.folder)
            self._mark.unlink()
            sync_folder(self.folder)
        except OSError as error:
            raise _explain(self.folder, error) from error

    def close(self) -> None:
        """Close the web, whole or not."""
        self.store.close()
        self._lock.__exit__(None, None, None)

    def _write_mark(self, command: str) -> None:
        with self._mark.open("w", encoding="utf-8") as mark:
            mark.write(command)
            mark.flush()
            os.fsync(mark.fileno())
        sync_folder(self.folder)

    def _remove_old(self) -> None:
        """Remove what an earlier attempt has written."""
        for path in self.folder.iterdir():
            if path.name in (LOCK, UNFINISHED_COPY):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def _check_empty(folder: Path, mark: Path) -> None:
    """Raise BadInput unless a web can be made here: in an empty folder, or where an earlier copy did not end."""
    if not folder.exists() or mark.exists():
        return
    if not folder.is_dir():
        raise BadInput(f"{folder} is a file, not a directory: a web cannot be created there")
    if (folder / STATE).exists():
        raise BadInput(f"{folder} holds a web already: choose another folder")
    if any(path.name != LOCK for path in folder.iterdir()):
        raise BadInput(f"{folder} is not empty: choose another folder")


def _explain(folder: Path, error: OSError) -> StoreFailed:
    why = "the disk is full" if is_full_disk(error) else error.strerror
    return StoreFailed(f"{folder} could not be written: {why}", is_full_disk(error))
