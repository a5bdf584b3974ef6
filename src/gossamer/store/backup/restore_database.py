"""Write a back-up into an empty database with an empty archive."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.store.backup.block_bundles import BlockBundles
from gossamer.store.backup.database_source import SEGMENTS, SEQUENCES, TABLES
from gossamer.store.backup.restore_directory import read_blocks
from gossamer.store.backup.snapshot import KeptFile, Snapshot
from gossamer.store.copy.database_web import DatabaseTarget
from gossamer.store.copy.write_packs import write_packs
from gossamer.store.opening.web_location import read_database
from gossamer.store.opening.web_versions import MODELS, change_folder
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session, Statement
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.postgres.schema import VERSION
from gossamer.store.shared_archive.location import create_archive

_WEB = "web"
_MAKE_WEB = "create temporary table kept_web (like web)"
# The numbers of rows contain those of transactions. On another server they go on where they ended, as soon as the web is
# opened for writing.
_TAKE_WEB = (
    "update web set created = kept.created, server = kept.server, transactions_before = kept.transactions_before "
    "from kept_web kept"
)


def restore_database(
    snapshot: Snapshot,
    files: list[KeptFile],
    bundles: BlockBundles,
    web: Path,
    command: str,
    on_bytes: Callable[[int], None],
) -> None:
    """Write all tables and all segments; the web is marked as unfinished until the end."""
    if snapshot.state_format != VERSION:
        raise BadInput(
            f"the back-up is of a database in format {snapshot.state_format} and this Gossamer writes format {VERSION}: "
            f"restore it with Gossamer {snapshot.program}, and open the web once with this one, which upgrades it"
        )
    address = read_database(web)
    target = DatabaseTarget(address, web, command)
    try:
        segments = [file for file in files if file.name.startswith(f"{SEGMENTS}/")]
        _write_segments(segments, bundles, address, snapshot, on_bytes)
        with closing(Session(address, setup=True)) as session:
            for file in files:
                if file.name.startswith(f"{TABLES}/"):
                    _write_table(session, file, bundles, snapshot)
                    on_bytes(file.size)
            for name in SEQUENCES:
                _set_sequence(session, name, snapshot.details.get(name, 1))
        _write_models(files, bundles, web, snapshot)
        target.finish()
    finally:
        target.close()


class _KeptSegments:
    """The segments of a back-up as files to copy."""

    def __init__(self, segments: list[KeptFile], bundles: BlockBundles, snapshot: Snapshot) -> None:
        self._segments = {file.name.removeprefix(f"{SEGMENTS}/"): file for file in segments}
        self._bundles = bundles
        self._snapshot = snapshot

    def list_files(self) -> list[tuple[str, int]]:
        """Return names and lengths in the order in which they were committed."""
        return [(name, file.stamp[0]) for name, file in self._segments.items()]

    def read(self, name: str, length: int) -> Iterator[bytes]:
        """Yield the first bytes of a segment in pieces."""
        for data in read_blocks(self._segments[name], self._bundles, self._snapshot):
            yield data[:length]
            length -= len(data)


def _write_segments(
    segments: list[KeptFile],
    bundles: BlockBundles,
    address: Address,
    snapshot: Snapshot,
    on_bytes: Callable[[int], None],
) -> None:
    objects = create_archive(address.archive)
    with closing(DatabasePacks(address)) as packs:
        write_packs(_KeptSegments(segments, bundles, snapshot), objects, packs, on_bytes)


def _write_table(session: Session, file: KeptFile, bundles: BlockBundles, snapshot: Snapshot) -> None:
    _, table, _ = file.name.split("/")
    blocks = read_blocks(file, bundles, snapshot)
    columns = next(blocks).decode()
    if table != _WEB:
        session.copy_in(f"copy {table} ({columns}) from stdin", blocks)
        return
    session.query_all([Statement(_MAKE_WEB)])
    session.copy_in(f"copy kept_web ({columns}) from stdin", blocks)
    session.query_all([Statement(_TAKE_WEB)])


def _set_sequence(session: Session, table: str, value: int) -> None:
    session.query("select setval(pg_get_serial_sequence(%s, 'number'), %s)", (table, value))


def _write_models(files: list[KeptFile], bundles: BlockBundles, web: Path, snapshot: Snapshot) -> None:
    found = [file for file in files if file.name.startswith(f"{MODELS}/")]
    if not found:
        return
    with change_folder(web, MODELS) as models:
        for file in found:
            path = models / file.name.removeprefix(f"{MODELS}/")
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as written:
                written.writelines(read_blocks(file, bundles, snapshot))
