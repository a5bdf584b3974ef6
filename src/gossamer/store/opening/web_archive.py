"""Open the archive of a web that is kept in a database: segments in a shared folder or an object store."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from gossamer.errors import BadInput, StoreFailed
from gossamer.store.opening.web_location import read_database
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.shared_archive.block_cache import BlockCache
from gossamer.store.shared_archive.location import check_writable, create_archive, open_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_segments import PackingResult, clean_up, pack_segments, remove_orphans
from gossamer.store.shared_archive.segment_files import SegmentFile, fetch_segments
from gossamer.store.shared_archive.segment_reader import SegmentReader
from gossamer.store.shared_archive.segment_writer import SegmentWriter
from gossamer.store.wait_for_store import NO_PATIENCE, Patience, wait_for_store

CACHE = "archive-cache"
_PATIENCE = Patience(total_s=600.0)


class PackedArchive(msgspec.Struct, frozen=True):
    """What packing an archive did."""

    result: PackingResult
    unknown: tuple[str, ...]
    """Packs that the database does not know, but that are needed: it was restored from an older back-up."""
    orphans: int = 0
    """How many files were deleted that fetchers wrote and never committed."""


class WebArchive:
    """The shared archive of a web, for one fetcher: it writes all its segments as one series for each time that it joins."""

    def __init__(self, address: Address, folder: Path, name: str, say: Callable[[str], None]) -> None:
        where = check_archive(address)
        self._packs = DatabasePacks(address)
        is_new = wait_for_store(self._packs.is_empty, Patience(), say)
        try:
            # Where a web has pages, an archive that is missing is one whose disk is not mounted.
            self._objects = create_archive(where) if is_new else open_archive(where)
            self.check()
        except StoreFailed as failure:
            raise BadInput(str(failure)) from None
        self._reader = SegmentReader(self._objects, self._packs, BlockCache(folder / CACHE))
        self._name = name
        self._writers: dict[int, SegmentWriter] = {}

    def open_writer(self, fetcher: int) -> SegmentWriter:
        """Return the writer of the fetcher with this number, which no other fetcher has ever had.

        It fails at once while the archive is away: the crawl waits, and keeps the batch.
        """
        if fetcher not in self._writers:
            self._writers = {
                fetcher: SegmentWriter(self._objects, self._reader, self._name, fetcher, patience=NO_PATIENCE)
            }
        return self._writers[fetcher]

    def check(self) -> None:
        """Write an object and delete it again; raise StoreFailed if that fails."""
        check_writable(self._objects)

    def close(self) -> None:
        """Close the connection to the database."""
        self._packs.close()


def open_shared_reader(address: Address, folder: Path) -> SegmentReader:
    """Return a reader of the shared archive of a web."""
    objects = open_archive(check_archive(address))
    return SegmentReader(objects, DatabasePacks(address), BlockCache(folder / CACHE))


def open_writable(address: Address) -> ObjectStore:
    """Open the archive of a web; make it only if nothing was crawled yet: a missing one may be a disk that is not mounted."""
    with closing(DatabasePacks(address)) as packs:
        is_new = packs.is_empty()
    return create_archive(check_archive(address)) if is_new else open_archive(check_archive(address))


def open_import_writer(address: Address, folder: Path) -> SegmentWriter:
    """Return a writer of segments for an import, which is no fetcher, with a number that no fetcher has or will have."""
    objects = open_writable(address)
    packs = DatabasePacks(address)
    reader = SegmentReader(objects, packs, BlockCache(folder / CACHE))
    return SegmentWriter(objects, reader, "import", packs.take_number())


def fetch_web_segments(folder: Path, committed: Iterable[tuple[str, int]]) -> Iterator[SegmentFile]:
    """Yield committed segments of a web in a database, as files that are removed one after the other."""
    address = read_database(folder)
    objects = open_archive(check_archive(address))
    with closing(DatabasePacks(address)) as packs:
        yield from fetch_segments(objects, packs, committed, folder)


def pack_archive(
    address: Address, say: Callable[[str], None], whole_only: bool, clock: Callable[[], float] = time.time
) -> PackedArchive:
    """Pack the segments of a web into large WARC files, and delete what is not needed any more; wait for stores that are away."""
    objects = open_archive(check_archive(address))
    with closing(DatabasePacks(address)) as packs:
        # First: it also frees what a killed packer had claimed.
        unknown = wait_for_store(lambda: clean_up(objects, packs), _PATIENCE, say)
        done = wait_for_store(lambda: pack_segments(objects, packs, whole_only=whole_only), _PATIENCE, say)
        if unknown:  # the database is older than the archive: a newer back-up may need what looks abandoned
            return PackedArchive(done, tuple(unknown))
        orphans = wait_for_store(
            lambda: remove_orphans(objects, packs.find_abandoned, clock()), _PATIENCE, say
        )
    return PackedArchive(done, (), orphans)


def check_archive(address: Address) -> str:
    """Return where the archive is; raise BadInput if the address does not say it."""
    if not address.archive:
        raise BadInput(
            f"{address} names no archive: add ?archive=/FOLDER or ?archive=s3://BUCKET/PREFIX, the same on every machine"
        )
    return address.archive
