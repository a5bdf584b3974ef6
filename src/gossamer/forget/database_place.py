"""Forget pages of a web in a database: in its tables, in the packs of its shared archive, and in the versions of index and models."""

import shutil
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from gossamer.forget.erase_index import erase_index
from gossamer.forget.journal import Journal, pack_journal, unpack_journal
from gossamer.forget.shared_warcs import SharedWarcs
from gossamer.store.lock import Lock
from gossamer.store.opening.changing_segments import ChangingSegments
from gossamer.store.opening.web_archive import CACHE
from gossamer.store.opening.web_versions import INDEX, MODELS, change_folder, drop_older_versions, find_folder
from gossamer.store.postgres import forget_pages as state
from gossamer.store.postgres.coordination.copy_lock import SourceLock
from gossamer.store.postgres.coordination.forget_mark import ForgetMark
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.sqlite.forget_pages import Erased, Erasure

Notes = Mapping[tuple[str, str], bytes | None]
OnProgress = Callable[[float], None]


class DatabasePlace:
    """A web in a database, with the working folder of this machine."""

    def __init__(self, store: PostgresStore, folder: Path) -> None:
        self.store = store
        self.folder = folder
        self._lock = Lock(folder)
        self._source = SourceLock(store.address, alone=True)
        self._mark = ForgetMark(store.address)
        self._segments: ChangingSegments | None = None
        self._scratch: TemporaryDirectory[str] | None = None

    def __enter__(self) -> "DatabasePlace":
        self._lock.__enter__()
        try:
            self._source.__enter__()
        except BaseException as error:
            self._lock.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._segments is not None:
            self._segments.close()
        if self._scratch is not None:
            self._scratch.cleanup()
        self._mark.close()
        self._source.__exit__(kind, error, trace)
        self._lock.__exit__(kind, error, trace)

    def check_disk(self) -> None:
        """Do nothing: packs and tables are written on other machines, which say when they are full."""

    def write_journal(self, journal: Journal) -> None:
        """Write the journal into the database; from now on no fetcher opens it."""
        self._mark.write(pack_journal(journal))

    def read_journal(self) -> Journal | None:
        """Return the journal of an unfinished forgetting; None if there is none."""
        packed = self._mark.read()
        return unpack_journal(packed, str(self.store.address)) if packed is not None else None

    def remove_journal(self) -> None:
        """Remove the journal: everything is done."""
        self._mark.remove()

    def open_warcs(self) -> SharedWarcs:
        """Return the segments of the archive."""
        self._scratch = TemporaryDirectory(prefix="forgetting-", dir=self.folder)
        self._segments = ChangingSegments(self.store.address, Path(self._scratch.name))
        return SharedWarcs(self._segments)

    def erase_pages(self, what: Erasure, make_notes: Callable[[Erased], Notes]) -> None:
        """Remove pages from the tables in one transaction."""
        state.erase_pages(self.store, what, make_notes)

    def write_notes(self, notes: Notes) -> None:
        """Write and delete notes."""
        state.write_notes(self.store, notes)

    def undo_pages(self, keys: Collection[int], notes: Notes) -> None:
        """Take keys out of the seen set, and write notes, in one transaction."""
        state.remove_keys(self.store, keys, notes)

    def write_state_anew(self, empty_files: Collection[str]) -> None:  # noqa: ARG002 - positions in packs stay
        """Write the tables anew; segments in which nothing is left stay in their packs, as gaps."""
        state.write_anew(self.store)

    def erase_index(self, ids: Collection[int], related: Collection[int], on_progress: OnProgress) -> None:
        """Take pages out of the search index, and publish it as the next version."""
        if find_folder(self.folder, INDEX).is_dir():
            with change_folder(self.folder, INDEX) as path:
                erase_index(self.store, self.folder, path, ids, related, on_progress)

    def remove_copies(self) -> None:
        """Remove older versions of index and models, and what this machine has cached of the archive."""
        for kind in (INDEX, MODELS):
            drop_older_versions(self.folder, kind)
        shutil.rmtree(self.folder / CACHE, ignore_errors=True)
