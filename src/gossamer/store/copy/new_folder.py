"""A folder in which a web is being made: locked, and marked until the web is whole."""

import os
import shutil
from pathlib import Path

from gossamer.errors import BadInput, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.store.copy.write_warc_files import sync_folder
from gossamer.store.folder_access import create_private_folder
from gossamer.store.lock import FILE_NAME as LOCK
from gossamer.store.lock import Lock
from gossamer.store.opening.open_store import STATE, UNFINISHED_COPY


class NewFolder:
    """An empty folder for a web, or one that an earlier attempt has left; what that had written is removed."""

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
        except OSError as error:
            self.close()
            raise explain_failure(folder, error) from error
        except BaseException:
            self.close()
            raise

    def finish(self) -> None:
        """Declare the web whole, after everything is on the disk."""
        try:
            with (self.folder / STATE).open("rb") as state:
                os.fsync(state.fileno())
            sync_folder(self.folder)
            self._mark.unlink()
            sync_folder(self.folder)
        except OSError as error:
            raise explain_failure(self.folder, error) from error

    def close(self) -> None:
        """Release the lock, whether the web is whole or not."""
        self._lock.__exit__(None, None, None)

    def _write_mark(self, command: str) -> None:
        with self._mark.open("w", encoding="utf-8") as mark:
            mark.write(command)
            mark.flush()
            os.fsync(mark.fileno())
        sync_folder(self.folder)

    def _remove_old(self) -> None:
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


def explain_failure(folder: Path, error: OSError) -> StoreFailed:
    """Return an exception that says why a folder could not be written."""
    why = "the disk is full" if is_full_disk(error) else error.strerror
    return StoreFailed(f"{folder} could not be written: {why}", is_full_disk(error))
