"""Copy a web to a new place: a directory, or a database with a shared archive.

First the bytes of pages, then the state, which says where they are. Until all of it is there, the target is marked as
unfinished, and no program opens it. A copy that was killed begins anew when it is run again.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from gossamer.atomic_file import make_temporary_folder
from gossamer.errors import BadInput, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.store.batch import Store
from gossamer.store.copy.committed_files import CommittedFiles
from gossamer.store.copy.copy_state import StateCopy
from gossamer.store.copy.directory_web import DirectorySource, DirectoryTarget
from gossamer.store.copy.moved_positions import MovedPositions
from gossamer.store.copy.write_warc_files import OnBytes
from gossamer.store.derived_versions.version_manifest import MANIFEST
from gossamer.store.opening.web_location import find_database
from gossamer.store.opening.web_versions import MODELS, change_folder, find_folder
from gossamer.store.share_of_work import Work

OnProgress = Callable[[float], None]
_KILLS = Path("reading", "kills")
"""What killed the program, which is in the folder of a web wherever its state is. The search index is built anew."""
_ROW_COST = 4_000
"""The bytes of an archive that are copied in the time of one row."""
_ROWS = ("pages", "pages", "known", "waiting", "visits", "hosts")
"""Which counts make the number of rows; the links of a page are a row, too."""


class WebSource(Protocol):
    """A web that is copied."""

    folder: Path
    store: Store

    def open_files(self) -> CommittedFiles:
        """Return the committed files of its archive."""
        ...

    def close(self) -> None:
        """Close the web."""
        ...


class WebTarget(Protocol):
    """A new web."""

    folder: Path
    store: Store

    def write_archive(
        self, files: CommittedFiles, positions: MovedPositions, on_bytes: OnBytes
    ) -> dict[str, int]:
        """Copy the files of an archive; return those that lack committed bytes, and how many."""
        ...

    def finish(self) -> None:
        """Declare the copy whole."""
        ...

    def close(self) -> None:
        """Close the web, whole or not."""
        ...


class CopyResult(msgspec.Struct, frozen=True):
    """What was copied."""

    counts: dict[str, int]
    missing: dict[str, int] = {}
    """WARC files that lack bytes in the source, and how many."""


class Orders(msgspec.Struct, frozen=True):
    """Orders that wait for the next crawl: each place keeps them in its own way."""

    room: str
    """Notes of this room are orders, and not copied as notes."""
    carry_over: Callable[[Store, Path, Store, Path], None]
    """Reads the orders of a store and its folder, and writes them to another."""


def copy_web(
    source: Path, target: Path, command: str, orders: Orders, on_progress: OnProgress = lambda _: None
) -> CopyResult:
    """Copy a web between two folders, each that of a web or the working folder of one in a database.

    `command` is what a user runs to try again. Cost: memory for some thousand rows, and for one batch of the crawl.
    """
    opened = _open_source(source, target)
    try:
        made = _open_target(target, command)
        try:
            result = _copy(opened, made, orders, on_progress)
            made.finish()
            on_progress(1.0)
        finally:
            made.close()
    finally:
        opened.close()
    return result


def _open_source(source: Path, target: Path) -> WebSource:
    address = find_database(source)
    if source.resolve() == target.resolve() or (address is not None and address == find_database(target)):
        raise BadInput("a web cannot be copied onto itself: choose another target")
    if address is None:
        return DirectorySource(source)
    from gossamer.store.copy.database_web import DatabaseSource

    return DatabaseSource(address, source)


def _open_target(target: Path, command: str) -> WebTarget:
    address = find_database(target)
    if address is None:
        return DirectoryTarget(target, command)
    from gossamer.store.copy.database_web import DatabaseTarget

    return DatabaseTarget(address, target, command)


def _copy(source: WebSource, target: WebTarget, orders: Orders, on_progress: OnProgress) -> CopyResult:
    files, counts = source.open_files(), source.store.counts()
    work = Work(
        sum(length for _, length in files.list_files()) + _ROW_COST * sum(counts[name] for name in _ROWS),
        on_progress,
    )
    with make_temporary_folder(target.folder) as scratch:
        positions = MovedPositions(scratch / "positions")
        try:
            missing = target.write_archive(files, positions, work.add)
            copy = StateCopy(
                source.store,
                target.store,
                positions,
                scratch,
                {orders.room},
                lambda rows: work.add(_ROW_COST * rows),
            )
            copy.copy()
        finally:
            positions.close()
    _copy_files(source.folder, target.folder)
    orders.carry_over(source.store, source.folder, target.store, target.folder)
    return CopyResult(target.store.counts(), missing)


def _copy_files(source: Path, target: Path) -> None:
    try:
        if (models := find_folder(source, MODELS)).is_dir():
            with change_folder(target, MODELS) as copied:
                ours = shutil.ignore_patterns(MANIFEST)
                shutil.copytree(models, copied, ignore=ours, dirs_exist_ok=True)
        if (source / _KILLS).is_file():
            (target / _KILLS).parent.mkdir(exist_ok=True)
            shutil.copyfile(source / _KILLS, target / _KILLS)
    except OSError as error:
        raise StoreFailed(
            f"{target} could not be written: {error.strerror or error}", is_full_disk(error)
        ) from error
