"""The folder of the back-ups of one web: its blocks, its snapshots, and a lock.

gossamer-backup.json     what the folder is
bundles/                 blocks, named by their digests
snapshots/               a file for each back-up, written last
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from gossamer.atomic_file import remove_abandoned
from gossamer.errors import BadInput
from gossamer.store.backup.block_bundles import BlockBundles, explain_failure, split_digests
from gossamer.store.backup.snapshot import FORMAT, Snapshot, list_snapshots, read_lists
from gossamer.store.folder_access import create_private_folder
from gossamer.store.lock import FILE_NAME as LOCK
from gossamer.store.lock import Lock

MARK, _BUNDLES, _SNAPSHOTS = "gossamer-backup.json", "bundles", "snapshots"


class Destination:
    """An open folder of back-ups."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.snapshots = folder / _SNAPSHOTS
        self.bundles = BlockBundles(folder / _BUNDLES)

    def list_snapshots(self) -> list[tuple[Path, Snapshot]]:
        """Return all back-ups, oldest first."""
        return list_snapshots(self.snapshots)

    def keep_newest(self, number: int) -> tuple[list[str], int]:
        """Delete all back-ups but the newest ones, and what only they needed; return their times and the freed bytes."""
        found = self.list_snapshots()
        old = found[:-number]
        for path, _ in old:
            path.unlink()
        needed: set[bytes] = set()
        for _, snapshot in found[-number:]:
            needed.update(map(bytes.fromhex, snapshot.lists))
            for file in read_lists(snapshot, self.bundles):
                needed.update(split_digests(file.digests))
        return [snapshot.at for _, snapshot in old], self.bundles.remove_others(needed)


@contextmanager
def open_to_write(folder: Path, web: Path) -> Iterator[Destination]:
    """Open the back-ups of a web, and make the folder if there is none; one process writes there at a time."""
    _check_apart(folder, web)
    check_backups(folder, may_be_new=True)
    try:
        create_private_folder(folder)
        with _hold_lock(folder):
            check_backups(folder, may_be_new=True)
            remove_abandoned(folder)
            for name in (_BUNDLES, _SNAPSHOTS):
                (folder / name).mkdir(exist_ok=True)
            if not (folder / MARK).exists():
                (folder / MARK).write_bytes(msgspec.json.encode({"format": FORMAT}) + b"\n")
            opened = Destination(folder)
            try:
                opened.bundles.remove_parts()
                yield opened
            finally:
                opened.bundles.close()
    except OSError as error:
        raise explain_failure(folder, error) from error


@contextmanager
def open_to_read(folder: Path) -> Iterator[Destination]:
    """Open the back-ups in a folder for reading."""
    check_backups(folder, may_be_new=False)
    try:
        opened = Destination(folder)
    except OSError as error:
        raise BadInput(f"{folder} cannot be read: {error.strerror}") from None
    try:
        yield opened
    finally:
        opened.bundles.close()


def check_backups(folder: Path, may_be_new: bool) -> None:
    """Raise BadInput unless a folder holds back-ups, or is a place for new ones."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a folder for the back-ups")
    if (folder / MARK).exists():
        _check_format(folder / MARK)
        return
    if not may_be_new:
        what = "holds no back-up" if folder.is_dir() else "does not exist"
        raise BadInput(f"{folder} {what}: name the folder that `gossamer backup` has written")
    if folder.is_dir():
        names = {name for name in os.listdir(folder) if name != LOCK and not name.startswith(".gossamer-")}
        if names - {_BUNDLES, _SNAPSHOTS}:
            raise BadInput(f"{folder} is not empty and holds no back-up: name a new folder")


def _check_format(mark: Path) -> None:
    try:
        version = msgspec.json.decode(mark.read_bytes(), type=dict[str, int])["format"]
    except (OSError, KeyError, msgspec.MsgspecError):
        raise BadInput(f'{mark} is damaged: write {{"format": {FORMAT}}} into it') from None
    if version > FORMAT:
        raise BadInput(
            f"{mark.parent} is in format {version} and this Gossamer reads format {FORMAT}: update Gossamer"
        )


def _check_apart(folder: Path, web: Path) -> None:
    """Raise BadInput if a back-up would be lost together with its web, or would contain itself."""
    ours, theirs = folder.resolve(), web.resolve()
    if ours == theirs or theirs in ours.parents:
        raise BadInput(f"{folder} is inside the web, and would be lost with it: name a folder elsewhere")
    if ours in theirs.parents and (folder / MARK).exists():
        raise BadInput(f"{web} is inside the folder of its back-ups: name a folder elsewhere")


@contextmanager
def _hold_lock(folder: Path) -> Iterator[None]:
    with ExitStack() as stack:
        try:
            stack.enter_context(Lock(folder))
        except BadInput:
            if not os.access(folder, os.W_OK):
                raise
            raise BadInput(f"another back-up is being written to {folder}: wait until it has ended") from None
        yield
