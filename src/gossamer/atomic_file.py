"""Write a file or a folder atomically: readers see the old one or the new one, never a part.

What is written grows in a hidden folder beside its place, `.gossamer-PROCESS-TOKEN.part`, which its process keeps locked.
The system releases the lock when the process ends, however it ends: the next writer in that place removes the folders that
are not locked. A process id alone would not tell, since ids are used again.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_UNFINISHED = re.compile(r"\.gossamer-\d+-[0-9a-f]{8}\.part\Z")
# Earlier versions wrote `.NAME.PROCESS.part`, without a lock.
_UNLOCKED = r"\.{name}\.(\d+)\.part\Z"
# A new folder can be taken for an abandoned one until it is locked; to lose it twice is improbable enough.
_TRIES = 10


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Yield a temporary path near `path`; afterwards rename what was written there, or remove it after an error.

    Processes that have the old file open or mapped keep it. Nothing is synced to the disk.
    """
    _remove_unlocked_parts(path)
    with make_temporary_folder(path.parent) as folder:
        new = folder / path.name
        yield new
        new.replace(path)


@contextmanager
def make_temporary_folder(parent: Path) -> Iterator[Path]:
    """Yield a new hidden folder, removed in the end; before, remove those in `parent` whose processes are gone."""
    remove_abandoned(parent)
    folder, lock = _make_locked_folder(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_abandoned(parent: Path) -> None:
    """Remove the temporary folders of processes that are gone; those of living ones stay."""
    for name in _list_names(parent):
        if _UNFINISHED.match(name):
            with suppress(OSError):  # it is another user's, or was removed meanwhile
                _remove_if_unlocked(parent / name)


def is_temporary(path: Path) -> bool:
    """Return whether a path leads into the temporary folder of a writer."""
    return any(map(_UNFINISHED.match, path.parts))


def _make_locked_folder(parent: Path) -> tuple[Path, int]:
    """Make a folder and lock it; return it with the descriptor that holds the lock."""
    for _ in range(_TRIES):
        folder = parent / f".gossamer-{os.getpid()}-{os.urandom(4).hex()}.part"
        folder.mkdir(0o700)
        with suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            with suppress(
                OSError
            ):  # some network file systems have no locks: then it is never removed by others
                fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)
    raise FileNotFoundError(f"{parent}: a temporary folder was removed again and again")


def _remove_if_unlocked(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def _remove_unlocked_parts(path: Path) -> None:
    """Remove the parts of this file that an earlier version left behind, if no process has their id."""
    pattern = re.compile(_UNLOCKED.format(name=re.escape(path.name)))
    for name in _list_names(path.parent):
        part = pattern.match(name)
        if part and not _is_alive(int(part[1])):
            left = path.with_name(name)
            with suppress(OSError):
                shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()


def _list_names(parent: Path) -> list[str]:
    try:
        return os.listdir(parent)
    except OSError:
        return []


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
