"""A token bucket over received bytes, as one number: the time until which what has arrived is paid for.

Bytes are charged when they arrive, so the rate holds on average whatever the size of a piece. A bucket that was idle
saves up a fraction of a second: enough that the gaps between two pieces are made up for, too little to see in a minute.
"""

import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

BURST_S = 0.5
"""What an idle bucket saves up: 0.8 % of a minute."""
_LONGEST_DEBT_S = 3_600.0
"""A greater debt was left by a machine that has been started again since."""


class Cell(Protocol):
    """Where a bucket keeps its number."""

    def read(self) -> float:
        """Return the number."""
        ...

    def add(self, least: float, amount: float) -> None:
        """Raise the number to at least `least`, then add `amount` to it, in one step."""
        ...


class LocalCell:
    """The number of a bucket that one process has alone."""

    def __init__(self) -> None:
        self._paid_s = 0.0

    def read(self) -> float:
        """Return the number."""
        return self._paid_s

    def add(self, least: float, amount: float) -> None:
        """Raise the number to at least `least`, then add `amount` to it."""
        self._paid_s = max(self._paid_s, least) + amount


class Bucket:
    """Says how long to wait before the next piece; the clock is the monotonic one, which all processes share."""

    def __init__(
        self,
        find_rate: Callable[[], float],
        cell: Cell | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.find_rate = find_rate
        """Returns bytes a second; infinity if there is no limit now."""
        self._cell = cell or LocalCell()
        self._clock = clock

    def find_wait_s(self) -> float:
        """Return after how many seconds a piece may be taken; 0.0 for now."""
        if self.find_rate() == math.inf:
            return 0.0
        debt_s = self._cell.read() - self._clock()
        return debt_s if 0.0 < debt_s < _LONGEST_DEBT_S else 0.0

    def charge(self, received_bytes: int) -> None:
        """Count bytes that have arrived."""
        rate, now_s = self.find_rate(), self._clock()
        if rate == math.inf:
            return
        amount_s = received_bytes / rate
        if self._cell.read() - now_s >= _LONGEST_DEBT_S:
            amount_s -= self._cell.read() - now_s
        self._cell.add(now_s - BURST_S, amount_s)


class FileCell:
    """A number in a file that several processes have open, changed under a lock that ends with its process."""

    def __init__(self, file: int, memory: "memoryview", at: int) -> None:
        self._file = file
        self._numbers = memory.cast("d")
        self._at = at

    def read(self) -> float:
        """Return the number."""
        return float(self._numbers[self._at])

    def add(self, least: float, amount: float) -> None:
        """Raise the number to at least `least`, then add `amount` to it, in one step."""
        with self._lock():
            self._numbers[self._at] = max(self._numbers[self._at], least) + amount

    def close(self) -> None:
        """Let go of the memory of the file."""
        self._numbers.release()

    @contextmanager
    def _lock(self) -> Iterator[None]:
        import fcntl  # late: most crawls have no limit to share

        fcntl.lockf(self._file, fcntl.LOCK_EX, 8, 8 * self._at)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 8, 8 * self._at)


def open_machine_cell() -> Cell:
    """Open the number that all processes of this user on this machine share; of one process, if there is no place for it."""
    import mmap

    folder = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    path = folder / f"gossamer-bandwidth-{os.getuid()}"
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        about = os.fstat(file)
        if about.st_uid != os.getuid():
            os.close(file)
            return LocalCell()
        if about.st_size < mmap.PAGESIZE:
            os.ftruncate(file, mmap.PAGESIZE)
        return FileCell(file, memoryview(mmap.mmap(file, mmap.PAGESIZE)), 0)
    except OSError:
        return LocalCell()
