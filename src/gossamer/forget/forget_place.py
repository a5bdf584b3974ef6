"""Where pages are forgotten: what a web in a directory and one in a database do each in its own way."""

import shutil
import sqlite3
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import TracebackType
from typing import Protocol

from gossamer.errors import StoreFailed
from gossamer.forget.erase_archive import check_room, remove_empty_files
from gossamer.forget.erase_index import erase_index
from gossamer.forget.journal import Journal, read_journal, remove_journal, write_journal
from gossamer.forget.warc_files import LocalWarcs, WarcFiles
from gossamer.store.batch import Store
from gossamer.store.lock import Lock
from gossamer.store.opening.web_versions import INDEX
from gossamer.store.sqlite import forget_pages as state
from gossamer.store.sqlite.forget_pages import Erased, Erasure
from gossamer.store.sqlite.sqlite_store import SqliteStore

Notes = Mapping[tuple[str, str], bytes | None]
OnProgress = Callable[[float], None]
_READER_WAIT_S = 20.0
_POLL_S = 0.2


class ForgetPlace(Protocol):
    """A web of which pages are forgotten; within a `with` block, no other program writes to it."""

    folder: Path

    def __enter__(self) -> "ForgetPlace": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    def store(self) -> Store:
        """The state."""
        ...

    def check_disk(self) -> None:
        """Raise StoreFailed if what has to be written anew does not fit beside itself."""
        ...

    def write_journal(self, journal: Journal) -> None:
        """Write the journal, so that it survives a kill and a power failure."""
        ...

    def read_journal(self) -> Journal | None:
        """Return the journal of an unfinished forgetting; None if there is none."""
        ...

    def remove_journal(self) -> None:
        """Remove the journal: everything is done."""
        ...

    def open_warcs(self) -> WarcFiles:
        """Return the files of the archive."""
        ...

    def erase_pages(self, what: Erasure, make_notes: Callable[[Erased], Notes]) -> None:
        """Remove pages from the state, with notes that say how much was removed, in one transaction."""
        ...

    def write_notes(self, notes: Notes) -> None:
        """Write and delete notes."""
        ...

    def undo_pages(self, keys: Collection[int], notes: Notes) -> None:
        """Take keys out of the seen set, and write notes, in one transaction."""
        ...

    def write_state_anew(self, empty_files: Collection[str]) -> None:
        """Write the state anew without what was removed, and delete files of the archive in which nothing is left."""
        ...

    def erase_index(self, ids: Collection[int], related: Collection[int], on_progress: OnProgress) -> None:
        """Take pages out of the search index."""
        ...

    def remove_copies(self) -> None:
        """Remove older versions and caches that hold copies of what was removed."""
        ...


class DirectoryPlace:
    """A web in a directory."""

    def __init__(self, store: SqliteStore, folder: Path) -> None:
        self.store = store
        self.folder = folder
        self._lock = Lock(folder)

    def __enter__(self) -> "DirectoryPlace":
        self._lock.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.__exit__(kind, error, trace)

    def check_disk(self) -> None:
        """Raise StoreFailed if a WARC file and the state do not fit beside themselves."""
        largest = max([0, *self.store.archive_ends().values(), 2 * self.store.path.stat().st_size])
        check_room(self.folder, largest, shutil.disk_usage(self.folder).free)

    def write_journal(self, journal: Journal) -> None:
        """Write the journal into the folder."""
        write_journal(self.folder, journal)

    def read_journal(self) -> Journal | None:
        """Return the journal of an unfinished forgetting; None if there is none."""
        return read_journal(self.folder)

    def remove_journal(self) -> None:
        """Remove the journal: everything is done."""
        remove_journal(self.folder)

    def open_warcs(self) -> WarcFiles:
        """Return the files of the archive."""
        return LocalWarcs(self.folder / "archive", self.store.archive_ends())

    def erase_pages(self, what: Erasure, make_notes: Callable[[Erased], Notes]) -> None:
        """Remove pages from the state in one transaction that overwrites what it deletes."""

        def change(db: sqlite3.Connection) -> None:
            state.write_notes(db, make_notes(state.erase_pages(db, what)))

        self.store.change_forgotten(change)

    def write_notes(self, notes: Notes) -> None:
        """Write and delete notes."""
        self.store.change_forgotten(lambda db: state.write_notes(db, notes))

    def undo_pages(self, keys: Collection[int], notes: Notes) -> None:
        """Take keys out of the seen set, and write notes, in one transaction."""

        def change(db: sqlite3.Connection) -> None:
            state.remove_keys(db, keys)
            state.write_notes(db, notes)

        self.store.change_forgotten(change)

    def write_state_anew(self, empty_files: Collection[str]) -> None:
        """Write the state anew; wait for readers that keep its log from being emptied."""
        until_s = time.monotonic() + _READER_WAIT_S
        while not self.store.compact():
            if time.monotonic() > until_s:
                raise StoreFailed(
                    f"another program is reading {self.store.path}, so its log still holds what is to be forgotten: "
                    "end that program, and run `gossamer forget` again, which goes on where it was"
                )
            time.sleep(_POLL_S)
        remove_empty_files(self.folder, empty_files)

    def erase_index(self, ids: Collection[int], related: Collection[int], on_progress: OnProgress) -> None:
        """Take pages out of the search index."""
        erase_index(self.store, self.folder, self.folder / INDEX, ids, related, on_progress)

    def remove_copies(self) -> None:
        """Do nothing: there are none."""


def find_place(store: Store, folder: Path) -> ForgetPlace:
    """Return the place of an open web."""
    if isinstance(store, SqliteStore):
        return DirectoryPlace(store, folder)
    from gossamer.forget.database_place import DatabasePlace
    from gossamer.store.postgres.postgres_store import PostgresStore

    assert isinstance(store, PostgresStore)  # noqa: S101 - for the type checker
    return DatabasePlace(store, folder)
