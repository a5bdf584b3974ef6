"""Restore a web from its back-ups, and check that they are whole."""

import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.errors import BadInput, StoreFailed
from gossamer.store.backup.block_bundles import BlockLost, split_digests
from gossamer.store.backup.destination import Destination, open_to_read
from gossamer.store.backup.restore_directory import restore_directory
from gossamer.store.backup.snapshot import KeptFile, Snapshot, choose_snapshot, read_lists
from gossamer.store.opening.web_location import find_database
from gossamer.store.opening.web_name import name_web
from gossamer.store.share_of_work import Work

OnProgress = Callable[[float], None]


class CheckedBackup(msgspec.Struct, frozen=True):
    """Whether a back-up is whole."""

    snapshot: Snapshot
    damaged: list[str]
    """Files that cannot be restored."""


def list_backups(folder: Path) -> list[Snapshot]:
    """Return the back-ups in a folder, oldest first."""
    with open_to_read(folder) as source:
        return [snapshot for _, snapshot in source.list_snapshots()]


def restore_web(folder: Path, web: Path, at: str = "", on_progress: OnProgress = lambda _: None) -> Snapshot:
    """Restore the newest back-up, or that of a time, as a new web; return it. Nothing is written over a web."""
    with open_to_read(folder) as source:
        snapshot = choose_snapshot(source.list_snapshots(), at, folder)
        _check_target(snapshot, web)
        files = _list_files(source, snapshot)
        work = Work(sum(file.size for file in files), on_progress)
        command = (
            f"gossamer restore {shlex.quote(str(folder))} {shlex.quote(name_web(web))} --at {snapshot.at}"
        )
        if snapshot.kind == "directory":
            restore_directory(snapshot, files, source.bundles, web, command, work.add)
        else:
            from gossamer.store.backup.restore_database import restore_database

            restore_database(snapshot, files, source.bundles, web, command, work.add)
        on_progress(1.0)
    return snapshot


def check_backups(folder: Path, on_progress: OnProgress = lambda _: None) -> list[CheckedBackup]:
    """Read every block once and compare it with its digest; return all back-ups with what is damaged of them.

    Where blocks are damaged is noted: the next back-up stores them again if the web still has them.
    """
    with open_to_read(folder) as source:
        blocks = dict(source.bundles.list_blocks())
        work = Work(sum(length for _, _, length in blocks.values()), on_progress)
        lost = set()
        for digest, (_, _, length) in blocks.items():
            try:
                source.bundles.read(digest)
            except BlockLost:
                lost.add(digest)
            work.add(length)
        if lost:
            with suppress(OSError):  # it may be readable only
                source.bundles.note_damage(lost)
        found = source.list_snapshots()
        return [CheckedBackup(one, _find_damaged(source, one, lost)) for _, one in found]


def _find_damaged(source: Destination, snapshot: Snapshot, lost: set[bytes]) -> list[str]:
    try:
        files = list(read_lists(snapshot, source.bundles))
    except BlockLost:
        return ["the list of its files"]
    return [
        file.name
        for file in files
        if any(digest in lost or digest not in source.bundles for digest in split_digests(file.digests))
    ]


def _list_files(source: Destination, snapshot: Snapshot) -> list[KeptFile]:
    try:
        return list(read_lists(snapshot, source.bundles))
    except BlockLost:
        raise StoreFailed(
            f"the list of the files of {snapshot.at} is damaged in the back-up: restore another one with --at"
        ) from None


def _check_target(snapshot: Snapshot, web: Path) -> None:
    is_database = find_database(web) is not None
    if is_database and snapshot.kind == "directory":
        raise BadInput(
            "this is the back-up of a web in a folder: restore it to a folder, and copy that with `gossamer export web`"
        )
    if not is_database and snapshot.kind == "database":
        raise BadInput(
            "this is the back-up of a web in a database: give the address of an empty database, "
            "postgresql://…?archive=…"
        )
