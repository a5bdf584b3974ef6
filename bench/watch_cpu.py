"""Add up the CPU time of a program and of everything that it started, while it runs."""

import os
import threading
from pathlib import Path

_LOOK_S = 0.1


class CpuWatch:
    """Reads /proc until it is ended. What a process takes after the last look before it is killed is missed."""

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self._known: dict[int, float] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_S):
            self._look()

    def _look(self) -> None:
        parents: dict[int, int] = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                parents[int(path.name)] = int((path / "stat").read_bytes().rpartition(b")")[2].split()[1])
            except (OSError, IndexError):
                continue
        family = {self._leader, *self._known}
        grown = True
        while grown:
            more = {pid for pid, parent in parents.items() if parent in family} - family
            family |= more
            grown = bool(more)
        for pid in family & parents.keys():
            self._known[pid] = max(self._known.get(pid, 0.0), _read_cpu_s(pid))

    def end(self) -> float:
        """Return the CPU seconds of all of them."""
        self._ended.set()
        self._thread.join()
        return sum(self._known.values())


def _read_cpu_s(pid: int) -> float:
    """Return the user and system time of a process; 0 if it has ended."""
    try:
        rest = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, rest[11:13])) / os.sysconf("SC_CLK_TCK")
