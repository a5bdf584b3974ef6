"""One crawl at a time in a web: a lock that the system takes back when its holder dies, however it dies."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from gossamer.errors import BadInput

FILE_NAME = "lock"


class Lock:
    """Held from entering to leaving a `with` block, by one process and the children that it forks.

    The file stays when the lock is given back: removing it would let two processes hold locks on two files of one
    name. Its text, the holder's process id, is for people; the lock itself is `flock` on the open file.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._file = -1

    def __enter__(self) -> "Lock":
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise BadInput(f"no lock can be made at {self._path}: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            self._let_go()
            if not isinstance(error, BlockingIOError):
                raise BadInput(f"{self._path} cannot be locked: {error.strerror}") from None
            raise BadInput(f"{self._path.parent} is in use by process {holder or 'unknown'}") from None
        with suppress(OSError):  # on a full disk only the number is missing
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode("ascii"), 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()

    def _let_go(self) -> None:
        os.close(self._file)
        self._file = -1
