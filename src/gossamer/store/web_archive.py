"""Open the archive of a web that is kept in a database: segments in a shared folder or an object store."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.shared_archive.block_cache import BlockCache
from gossamer.store.shared_archive.location import create_archive, open_archive
from gossamer.store.shared_archive.segment_files import SegmentFile, fetch_segments
from gossamer.store.shared_archive.segment_reader import SegmentReader
from gossamer.store.shared_archive.segment_writer import SegmentWriter
from gossamer.store.web_location import read_database

CACHE = "archive-cache"


class WebArchive:
    """The shared archive of a web, for one fetcher: it writes all its segments as one series for each time that it joins."""

    def __init__(self, address: Address, folder: Path, name: str, say: Callable[[str], None]) -> None:
        self._objects = create_archive(check_archive(address))
        self._packs = DatabasePacks(address)
        self._reader = SegmentReader(self._objects, self._packs, BlockCache(folder / CACHE))
        self._name = name
        self._say = say
        self._writers: dict[int, SegmentWriter] = {}

    def open_writer(self, fetcher: int) -> SegmentWriter:
        """Return the writer of the fetcher with this number, which no other fetcher has ever had."""
        if fetcher not in self._writers:
            self._writers = {
                fetcher: SegmentWriter(self._objects, self._reader, self._name, fetcher, say=self._say)
            }
        return self._writers[fetcher]

    def close(self) -> None:
        """Close the connection to the database."""
        self._packs.close()


def open_shared_reader(address: Address, folder: Path) -> SegmentReader:
    """Return a reader of the shared archive of a web."""
    objects = open_archive(check_archive(address))
    return SegmentReader(objects, DatabasePacks(address), BlockCache(folder / CACHE))


def open_import_writer(address: Address, folder: Path) -> SegmentWriter:
    """Return a writer of segments for an import, which is no fetcher, with a number that no fetcher has or will have."""
    objects = create_archive(check_archive(address))
    packs = DatabasePacks(address)
    reader = SegmentReader(objects, packs, BlockCache(folder / CACHE))
    return SegmentWriter(objects, reader, "import", packs.take_number())


def fetch_web_segments(folder: Path, committed: Iterable[tuple[str, int]]) -> Iterator[SegmentFile]:
    """Yield committed segments of a web in a database, as files that are removed one after the other."""
    address = read_database(folder)
    objects = open_archive(check_archive(address))
    with closing(DatabasePacks(address)) as packs:
        yield from fetch_segments(objects, packs, committed, folder)


def check_archive(address: Address) -> str:
    """Return where the archive is; raise BadInput if the address does not say it."""
    if not address.archive:
        raise BadInput(
            f"{address} names no archive: add ?archive=/FOLDER or ?archive=s3://BUCKET/PREFIX, the same on every machine"
        )
    return address.archive
