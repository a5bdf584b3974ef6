"""A web in a directory, as the source and as the target of a copy."""

import os
from contextlib import ExitStack
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.store.batch import Batch, Store
from gossamer.store.copy.committed_files import CommittedFiles, FolderFiles
from gossamer.store.copy.moved_positions import MovedPositions
from gossamer.store.copy.new_folder import NewFolder
from gossamer.store.copy.write_warc_files import OnBytes, WarcFolder
from gossamer.store.lock import Lock
from gossamer.store.opening.open_store import STATE, open_store
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
        self._new = NewFolder(folder, command)
        try:
            self.store: Store = SqliteStore(folder / STATE, create=True)
        except BaseException:
            self._new.close()
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
        self._new.finish()

    def close(self) -> None:
        """Close the web, whole or not."""
        self.store.close()
        self._new.close()
