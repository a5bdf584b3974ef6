"""One crawl at a time in a web: a lock that the system takes back when its holder dies, however it dies."""

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from gossamer.errors import BadInput

FILE_NAME = "lock"
_DYING_S = 10.0
_LOOK_AGAIN_S = 0.05


class Lock:
    """Held from entering to leaving a `with` block, by one process and the children that inherit it.

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
        with suppress(OSError):  # on a full disk only the number is missing
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode("ascii"), 0)
        return self

    def fileno(self) -> int:
        """Return the descriptor: a process that inherits it holds the lock as well."""
        return self._file

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _take(self) -> None:
        """Take the lock; of a holder that died, the children may still be on their way out."""
        until_s = time.monotonic() + _DYING_S
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= until_s or _is_alive(self._read_holder()):
                    raise
            time.sleep(_LOOK_AGAIN_S)

    def _read_holder(self) -> str:
        return os.pread(self._file, 20, 0).decode("ascii", "replace").strip()

    def _release(self) -> None:
        os.close(self._file)
        self._file = -1


def _is_alive(process: str) -> bool:
    """Say whether there is a process with this number; whoever is unknown counts as alive."""
    if not process.isdecimal():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
