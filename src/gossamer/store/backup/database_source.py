"""Read a web in a database for a back-up, while fetchers write to it.

All tables are read in one transaction, which sees the database as it was when it began. The segments of the archive come
second: a segment is stored before the transaction that names it, and is never changed; when it is packed meanwhile, it is
read from its pack. Rows are gathered into blocks that end where a row says so, and not after a number of bytes: a row that was
added or deleted changes one block and not all later ones.
"""

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.store.backup.byte_rate import ByteRate
from gossamer.store.backup.destination import Destination
from gossamer.store.backup.directory_source import Contents
from gossamer.store.backup.read_files import FILE_BLOCK_BYTES, FileReader, take_stamp
from gossamer.store.backup.snapshot import KeptFile
from gossamer.store.derived_versions.version_manifest import MANIFEST
from gossamer.store.opening.web_archive import check_archive
from gossamer.store.opening.web_versions import MODELS, find_folder
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session
from gossamer.store.postgres.coordination.forget_mark import is_forgetting
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.postgres.open_schema import open_schema
from gossamer.store.postgres.reading.queries import COUNTS
from gossamer.store.postgres.schema import VERSION
from gossamer.store.shared_archive.location import open_archive
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.segment_files import read_segment

TABLES, SEGMENTS = "tables", "segments"
SEQUENCES = ("fetcher", "widening")
"""Tables whose numbers go on where they were: a number of a fetcher is part of the names of its segments."""
_LEFT_OUT = ("archive", "pack", "fetcher", "lease", "turn", "reservation", "writer", "run", "sorted")
"""Who crawls at the moment, what can be made anew, and where segments are packed, which is another place after a restore."""
_COUNT_NAMES = ("pages", "links", "known", "waiting", "visits", "hosts")
_LEAVES = """
select leaf.relname::text, root.relname::text,
    (select string_agg(quote_ident(attname), ',' order by attnum) from pg_attribute
        where attrelid = leaf.oid and attnum > 0 and not attisdropped)
from pg_class leaf join pg_class root on root.oid = coalesce(pg_partition_root(leaf.oid)::oid, leaf.oid)
where leaf.relnamespace = current_schema()::regnamespace and leaf.relkind = 'r' order by leaf.relname
"""
_SEGMENTS = "select warc, bytes from archive order by added, warc"
_FIRST_TASK = "select min(created_s) from task"
_SIZE = "select coalesce(sum(bytes), 0)::bigint from archive"
_LEAST_BYTES, _MOST_BYTES, _END_ONE_IN = 16 << 10, 1 << 20, 64
_LOOKED_UP_AT_ONCE = 1_000


class DatabaseSource:
    """A web in a database."""

    def __init__(self, address: Address, folder: Path) -> None:
        open_schema(address, create=False, upgrade=False)
        with closing(Session(address, read_only=True)) as session:
            if is_forgetting(session):
                raise BadInput(f"pages of {address} are being forgotten: run the back-up when that has ended")
        self.folder = folder
        self._address = address
        self._objects = open_archive(check_archive(address))

    def identify(self) -> str:
        """Return what tells this web from others."""
        with closing(Session(self._address, read_only=True)) as session:
            first = session.query(_FIRST_TASK)[0][0]
        return "" if first is None else repr(first)

    def measure(self) -> int:
        """Return about how many bytes will be read."""
        with closing(Session(self._address, read_only=True)) as session:
            return int(session.query(_SIZE)[0][0])

    def read(
        self,
        destination: Destination,
        before: dict[str, KeptFile],
        rate: ByteRate,
        on_bytes: Callable[[int], None],
    ) -> Contents:
        """Store all blocks; return what they are."""
        reader = FileReader(destination.bundles, before, rate, on_bytes)
        with closing(Session(self._address, read_only=True, setup=True)) as session:
            session.begin_snapshot()
            counts = dict(zip(_COUNT_NAMES, map(int, session.query(COUNTS)[0]), strict=True))
            at_s = time.time()
            segments = [(str(name), int(size)) for name, size in session.query(_SEGMENTS)]
            details = {name: _read_sequence(session, name) for name in SEQUENCES}
            tables = [
                reader.store_blocks(f"{TABLES}/{root}/{leaf}", _cut_rows(session, leaf, columns))
                for leaf, root, columns in session.query(_LEAVES)
                if root not in _LEFT_OUT
            ]
        kept = list(_read_segments(reader, self._objects, self._address, segments))
        return Contents(
            at_s,
            VERSION,
            counts,
            sum(file.size for file in tables),
            sum(file.size for file in kept),
            {
                name: size - file.size
                for (name, size), file in zip(segments, kept, strict=True)
                if file.size < size
            },
            [*tables, *kept, *self._read_models(reader)],
            details,
        )

    def _read_models(self, reader: FileReader) -> Iterator[KeptFile]:
        models = find_folder(self.folder, MODELS)
        for path in sorted(models.rglob("*")) if models.is_dir() else ():
            if path.is_file() and path.name != MANIFEST:
                stamp = take_stamp(path)
                name = f"{MODELS}/{path.relative_to(models)}"
                yield reader.store_file(name, path, stamp[1] if stamp else 0)


def _read_segments(
    reader: FileReader, objects: ObjectStore, address: Address, segments: list[tuple[str, int]]
) -> Iterator[KeptFile]:
    remaining = iter(segments)
    with closing(DatabasePacks(address)) as packs:
        while several := list(islice(remaining, _LOOKED_UP_AT_ONCE)):
            found = packs.find(name for name, _ in several)
            for name, size in several:
                path = f"{SEGMENTS}/{name}"
                kept = reader.reuse(path, size, (size,))
                pieces = _cut_bytes(read_segment(objects, packs, name, size, found.get(name)))
                yield kept or reader.store_blocks(path, pieces, (size,))


def _read_sequence(session: Session, table: str) -> int:
    name = session.query("select pg_get_serial_sequence(%s, 'number')", (table,))[0][0]
    return int(session.query(f"select last_value from {name}")[0][0])  # noqa: S608 - the name is the server's own


def _cut_rows(session: Session, table: str, columns: str) -> Iterator[bytes]:
    """Yield the rows of a table as blocks, after one that names its columns."""
    yield columns.encode()
    rows: list[bytes] = []
    size = 0
    for row in session.copy_out(f"copy {table} ({columns}) to stdout"):
        rows.append(row)
        size += len(row)
        if size >= _MOST_BYTES or (size >= _LEAST_BYTES and zlib.crc32(row) % _END_ONE_IN == 0):
            yield b"".join(rows)
            rows, size = [], 0
    if rows:
        yield b"".join(rows)


def _cut_bytes(pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for at in range(0, len(piece), FILE_BLOCK_BYTES):
            yield piece[at : at + FILE_BLOCK_BYTES]
