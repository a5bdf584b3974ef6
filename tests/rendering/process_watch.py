"""Looks at the processes of this machine: browsers that crawls have started, their folders, and memory."""

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

_MARK = "gossamer-browser-"


def list_browser_folders(crawls: Iterable[int] | None = None) -> set[str]:
    """Return the folders that processes of this machine run a browser in: of all crawls, or of those with these process ids."""
    marks = [_MARK] if crawls is None else [f"{_MARK}{pid}-" for pid in crawls]
    found: set[str] = set()
    for path in Path("/proc").glob("[0-9]*"):
        parts = read_command(int(path.name)).decode("utf-8", "replace").split("\0")
        found.update(
            part
            for part in parts
            if part.startswith("--user-data-dir=") and any(mark in part for mark in marks)
        )
    return found


def list_folders(crawls: Iterable[int]) -> set[str]:
    """Return the folders of the browsers of crawls that lie in the folder for temporary files."""
    temporary = Path(tempfile.gettempdir())
    return {str(path) for pid in crawls for path in temporary.glob(f"{_MARK}{pid}-*")}


def list_descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_bytes().rpartition(b")")[2].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    found, waiting = [], [pid]
    while waiting:
        waiting += (more := children.get(waiting.pop(), []))
        found += more
    return found


def read_command(pid: int) -> bytes:
    """Return the arguments of a process, separated by NUL; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def is_browser(pid: int) -> bool:
    """Say whether a process is a browser that a crawl has started: not one of the browser's own children."""
    command = read_command(pid)
    return _MARK.encode() in command and b"--remote-debugging-pipe" in command and b"--type=" not in command


def read_memory_mb(pids: Iterable[int]) -> int:
    """Return the memory that processes have for themselves, and their share of what they have in common."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines()
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in lines if line.startswith(b"Pss:")), 0)
    return total >> 10


def wait_for(condition: Callable[[], bool], within_s: float = 60.0) -> bool:
    """Wait until a condition holds, or for so long; return whether it holds."""
    until_s = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > until_s:
            return False
        time.sleep(0.05)
    return True
