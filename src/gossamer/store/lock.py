"""The lock of a web: one crawl at a time; the system releases it when its holder dies."""

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from gossamer.errors import BadInput

FILE_NAME = "lock"
_DYING_S = 10.0
_LOOK_S = 0.3
"""A look whether a crawl runs (`crawl.control.command_mailbox.is_running`) holds the lock for a few microseconds."""
_RETRY_S = 0.02


class Lock:
    """A lock held within a `with` block, by one process and the children that inherit its descriptor.

    The file stays when the lock is released: removing it would let two processes lock two files of the same
    name. Its text, the holder's process id, is for people; the lock itself is `flock` on the open file.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._file = -1

    def __enter__(self) -> "Lock":
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise BadInput(f"{self._path} cannot be created: {error.strerror}") from None
        try:
            self._take()
        except OSError as error:
            holder = self._read_holder()
            self._release()
            if not isinstance(error, BlockingIOError):
                raise BadInput(f"{self._path} cannot be locked: {error.strerror}") from None
            raise BadInput(
                f"{self._path.parent} is in use by process {holder or 'unknown'}; "
                "`gossamer submit`, `change` and `stop` reach the crawl that runs there"
            ) from None
        with suppress(OSError):  # on a full disk only the process id is missing
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode("ascii"), 0)
        return self

    def fileno(self) -> int:
        """Return the descriptor; a process that inherits it holds the lock too."""
        return self._file

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _take(self) -> None:
        """Take the lock; wait while children of a dead holder are still exiting, or another process checks whether it is free."""
        began_s = time.monotonic()
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                waited_s = time.monotonic() - began_s
                if waited_s >= (_LOOK_S if _is_alive(self._read_holder()) else _DYING_S):
                    raise
            time.sleep(_RETRY_S)

    def _read_holder(self) -> str:
        return os.pread(self._file, 20, 0).decode("ascii", "replace").strip()

    def _release(self) -> None:
        os.close(self._file)
        self._file = -1


def _is_alive(process: str) -> bool:
    """Return whether a process with this id exists; an unreadable id counts as alive."""
    if not process.isdecimal():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
