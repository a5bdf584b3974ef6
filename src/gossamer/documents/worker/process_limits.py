"""Limit what this process may use: memory, CPU time, files and sockets."""

import contextlib
import math
import os
import resource
import time
from pathlib import Path

import msgspec


class ReadingLimits(msgspec.Struct, frozen=True):
    """What reading one document may cost."""

    memory_bytes: int = 1 << 29
    """Address space of the process that reads."""
    cpu_s: int = 12
    wall_s: float = 30.0
    """Longest wait for an answer; longer than the CPU time, since machines are busy."""


def limit_memory(memory_bytes: int) -> None:
    """Limit the address space of this process, leave no core file, and be the first that a system out of memory ends."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def forbid_files() -> None:
    """Let this process open no file and no socket from now on, and never again."""
    open_files = os.dup(0)
    os.close(open_files)  # the lowest number that is free
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))


def limit_cpu_time(cpu_s: int) -> None:
    """Let this process use so many seconds of CPU time from now on; the system ends it if it takes more."""
    ends_s = math.ceil(time.process_time()) + cpu_s
    resource.setrlimit(resource.RLIMIT_CPU, (ends_s, resource.RLIM_INFINITY))


class MemoryGauge:
    """Reads how much memory this process holds; made before files are forbidden."""

    def __init__(self) -> None:
        # The peak that the system counts includes that of the parent, from which this process was forked.
        self._file = -1
        with contextlib.suppress(OSError):
            self._file = os.open("/proc/self/statm", os.O_RDONLY)

    def read_bytes(self) -> int:
        """Return the resident bytes; 0 where the system does not say."""
        if self._file < 0:
            return 0
        return int(os.pread(self._file, 200, 0).split()[1]) * resource.getpagesize()
