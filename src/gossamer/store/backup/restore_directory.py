"""Write a back-up into a new folder; every block is checked by its digest on the way."""

import os
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from gossamer.errors import StoreFailed
from gossamer.store.archive import cdxj_index
from gossamer.store.backup.block_bundles import BlockBundles, BlockLost, split_digests
from gossamer.store.backup.directory_source import ARCHIVE
from gossamer.store.backup.snapshot import KeptFile, Snapshot
from gossamer.store.copy.new_folder import NewFolder, explain_failure
from gossamer.store.opening.open_store import STATE, UNFINISHED_COPY


def restore_directory(
    snapshot: Snapshot,
    files: list[KeptFile],
    bundles: BlockBundles,
    web: Path,
    command: str,
    on_bytes: Callable[[int], None],
) -> None:
    """Write all files of a back-up, then the indexes of the archive that are not among them.

    The folder is marked as unfinished until everything is on the disk: a restore that was killed begins anew.
    """
    new = NewFolder(web, command)
    try:
        for file in files:
            if file.name != UNFINISHED_COPY:
                _write_file(file, web, bundles, on_bytes, snapshot)
        _write_indexes(web)
        _sync_folders(web)
        new.finish()
    except OSError as error:
        raise explain_failure(web, error) from error
    finally:
        new.close()


def read_blocks(file: KeptFile, bundles: BlockBundles, snapshot: Snapshot) -> Iterator[bytes]:
    """Yield the blocks of a file; raise StoreFailed if one is lost."""
    for digest in split_digests(file.digests):
        try:
            yield bundles.read(digest)
        except BlockLost as lost:
            raise StoreFailed(
                f"{file.name} of {snapshot.at} is damaged in the back-up ({lost}): "
                "restore another one with --at, `gossamer backup --check` says which are whole"
            ) from None


def _write_file(
    file: KeptFile, web: Path, bundles: BlockBundles, on_bytes: Callable[[int], None], snapshot: Snapshot
) -> None:
    place = PurePosixPath(file.name)
    if place.is_absolute() or ".." in place.parts:
        raise StoreFailed(f"{shlex.quote(file.name)} in the back-up leads out of the web")
    path = web / place
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as written:
        for data in read_blocks(file, bundles, snapshot):
            written.write(data)
            on_bytes(len(data))
        written.flush()
        os.fsync(written.fileno())
    path.chmod(file.mode)
    # Indexes are believed where they have the time of their WARC file.
    if file.mtime_ns and file.name != STATE:
        os.utime(path, ns=(file.mtime_ns, file.mtime_ns))


def _write_indexes(web: Path) -> None:
    for path in sorted((web / ARCHIVE).glob("*.warc.gz")):
        if not cdxj_index.is_fresh(path):
            cdxj_index.write_index(path, cdxj_index.index_warc(path))


def _sync_folders(web: Path) -> None:
    for parent, _, _ in os.walk(web):
        handle = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
