"""The folder that one browser writes to, with a lock that says whether the crawl that made it is alive.

A process id would not say so: containers that share a folder for temporary files do not see each other's processes. The system
releases the lock when the crawl ends, however it ends.
"""

import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

MESSAGES = "messages.txt"
"""The file with what the browser says."""
_PREFIX = "gossamer-browser-"
_LOCK = "gossamer.lock"
# A folder without a lock is being made at this moment, or was being made when its machine stopped.
_UNLOCKED_S = 3_600.0


class BrowserFolder:
    """A folder of its own for one browser. Making one removes those of crawls that ended with their machine or container."""

    def __init__(self) -> None:
        _remove_old_folders()
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        self._lock = -1
        try:
            self._lock = os.open(self.path / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            with suppress(OSError):  # a file system without locks
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.remove()
            raise

    def remove(self) -> None:
        """Release the lock, and remove the folder with all that is in it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        with suppress(OSError):
            # Works without a free descriptor, too, as long as no browser has written anything.
            for path in (self.path / _LOCK, self.path / MESSAGES):
                path.unlink(missing_ok=True)
            self.path.rmdir()
        shutil.rmtree(self.path, ignore_errors=True)


def _remove_old_folders() -> None:
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        with suppress(OSError):
            if _is_abandoned(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(path: Path) -> bool:
    """Say whether a folder is ours and no crawl that uses it is alive."""
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        return False
    try:
        lock = os.open(path / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return time.time() - found.st_mtime > _UNLOCKED_S
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True
