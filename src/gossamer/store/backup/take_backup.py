"""Take a back-up of a web, wherever it is, and drop the oldest ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, Protocol

import msgspec

import gossamer
from gossamer.errors import BadInput
from gossamer.store.backup.block_bundles import BlockLost
from gossamer.store.backup.byte_rate import ByteRate
from gossamer.store.backup.destination import Destination, open_to_write
from gossamer.store.backup.directory_source import Contents, DirectorySource
from gossamer.store.backup.snapshot import (
    KeptFile,
    Snapshot,
    format_time,
    read_lists,
    write_lists,
    write_snapshot,
)
from gossamer.store.opening.web_location import find_database
from gossamer.store.opening.web_name import name_web
from gossamer.store.share_of_work import Work

OnProgress = Callable[[float], None]


class BackupOptions(msgspec.Struct, frozen=True):
    """What a user may choose."""

    with_index: bool = False
    bytes_per_second: int = 0
    """0 for no limit."""
    keep: int = 0
    """How many back-ups to keep; 0 for all."""


class BackupResult(msgspec.Struct, frozen=True):
    """What a back-up did."""

    snapshot: Snapshot
    dropped: list[str]
    """The times of the back-ups that were deleted."""
    freed_bytes: int


class BackupSource(Protocol):
    """A web that is backed up."""

    def identify(self) -> str:
        """Return what tells this web from others."""
        ...

    def measure(self) -> int:
        """Return about how many bytes will be read."""
        ...

    def read(
        self,
        destination: Destination,
        before: dict[str, KeptFile],
        rate: ByteRate,
        on_bytes: Callable[[int], None],
    ) -> Contents:
        """Store all blocks; return what they are."""
        ...


def take_backup(
    web: Path,
    folder: Path,
    options: BackupOptions,
    on_progress: OnProgress = lambda _: None,
    when_copied: Callable[[], None] = lambda: None,
    is_crawled: Callable[[], bool] = lambda: False,
) -> BackupResult:
    """Back up a web into a folder of back-ups. Cost: the state is read and copied once, of the archive only what is new.

    `when_copied` is called as soon as the copy of the state is made and nothing is in the way of a crawl any more.
    While `is_crawled`, the back-up rests most of the time.
    """
    source = _open_source(web, options, when_copied)
    kind: Literal["directory", "database"] = "directory" if find_database(web) is None else "database"
    with open_to_write(folder, web) as destination:
        found = destination.list_snapshots()
        last = found[-1][1] if found else None
        identity = source.identify()
        _check_same_web(last, (identity, kind), folder)
        before = _read_before(destination, last)
        work = Work(source.measure(), on_progress)
        rate = ByteRate(options.bytes_per_second, is_crawled=is_crawled)
        contents = source.read(destination, before, rate, work.add)
        lists = write_lists(contents.files, destination.bundles)
        destination.bundles.flush()
        snapshot = Snapshot(
            format_time(contents.at_s),
            kind,
            name_web(web),
            identity,
            gossamer.__version__,
            contents.state_format,
            contents.counts,
            contents.state_bytes,
            contents.archive_bytes,
            destination.bundles.written_bytes,
            contents.missing,
            lists,
            contents.details,
        )
        write_snapshot(destination.snapshots, snapshot)
        on_progress(1.0)
        dropped, freed = destination.keep_newest(options.keep) if options.keep else ([], 0)
    return BackupResult(snapshot, dropped, freed)


def _open_source(web: Path, options: BackupOptions, when_copied: Callable[[], None]) -> BackupSource:
    address = find_database(web)
    if address is None:
        return DirectorySource(web, options.with_index, when_copied)
    from gossamer.store.backup.database_source import DatabaseSource

    return DatabaseSource(address, web)


def _read_before(destination: Destination, last: Snapshot | None) -> dict[str, KeptFile]:
    """Return the files of the last back-up; none if its list is damaged, so that everything is read again."""
    if last is None:
        return {}
    try:
        return {file.name: file for file in read_lists(last, destination.bundles)}
    except BlockLost:
        return {}


def _check_same_web(last: Snapshot | None, identity: tuple[str, str], folder: Path) -> None:
    """Raise BadInput before the back-ups of two webs are mixed: old ones of both would be dropped together."""
    if last is None or not last.identity or (last.identity, last.kind) == identity:
        return
    raise BadInput(f"{folder} holds the back-ups of another web, {last.web}: name another folder")
