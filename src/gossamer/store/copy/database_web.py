"""A web in a database with a shared archive, as the source and as the target of a copy."""

from itertools import islice
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.store.batch import Store
from gossamer.store.copy.committed_files import CommittedFiles
from gossamer.store.copy.moved_positions import MovedPositions
from gossamer.store.copy.shared_files import SharedFiles
from gossamer.store.copy.write_packs import write_packs
from gossamer.store.copy.write_warc_files import OnBytes
from gossamer.store.opening.web_archive import check_archive
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.coordination.copy_lock import CopyMark, SourceLock
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.shared_archive.location import create_archive, open_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.segment_name import PACKS, SEGMENTS, locate_pack


class DatabaseSource:
    """A web that is copied; fetchers wait meanwhile."""

    def __init__(self, address: Address, folder: Path) -> None:
        self.folder = folder
        self._objects = open_archive(check_archive(address))
        self.store: Store = PostgresStore(address, read_only=True)
        self._packs = DatabasePacks(address)
        try:
            self._lock = SourceLock(address).__enter__()
        except BaseException:
            self._packs.close()
            self.store.close()
            raise

    def open_files(self) -> CommittedFiles:
        """Return the committed segments of its archive."""
        return SharedFiles(self._objects, self._packs)

    def close(self) -> None:
        """Close the web and let fetchers go on."""
        self._packs.close()
        self.store.close()
        self._lock.__exit__()


class DatabaseTarget:
    """A new web; it is marked in the database until the copy is whole."""

    def __init__(self, address: Address, folder: Path, command: str) -> None:
        self.folder = folder
        place = check_archive(address)
        self._mark = CopyMark(address)
        try:
            begun = self._mark.take()
            self._objects = create_archive(place)
            if self._mark.is_repeated:
                self._objects.delete(map(locate_pack, begun))
            else:
                _check_empty(self._objects)
            self._mark.write(command)
            self.store: Store = PostgresStore(address, allow_unfinished=True)
        except BaseException:
            self._mark.close()
            raise
        self._packs = DatabasePacks(address)

    def write_archive(
        self,
        files: CommittedFiles,
        positions: MovedPositions,  # noqa: ARG002 - segments are found by the names that they had
        on_bytes: OnBytes,
    ) -> dict[str, int]:
        """Copy the files of an archive; return those that lack committed bytes, and how many."""
        return write_packs(files, self._objects, self._packs, on_bytes)

    def finish(self) -> None:
        """Declare the copy whole."""
        self._mark.remove()

    def close(self) -> None:
        """Close the web, whole or not."""
        self._packs.close()
        self.store.close()
        self._mark.close()


def _check_empty(objects: ObjectStore) -> None:
    for folder in (PACKS, SEGMENTS):
        if list(islice(objects.list(folder), 1)):
            raise BadInput(
                f"the archive at {objects.address} holds the pages of another web: choose another place"
            )
