"""The status of a shard as a small file in the folder of its web, replaced about once a second.

A reader sees the old or the new one. The files of processes that are gone are ignored, and so is all that is not the status
of a shard: every user who may write into the folder can put anything there.
"""

import os
import re
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Protocol

import msgspec

from gossamer.crawl.status.status_records import ShardStatus

FOLDER = "status"
MOST_BYTES = 1_000_000
_MOST_FILES = 1024
_NAME = re.compile(r"[0-9]{1,5}\Z")
_UNDECODABLE = (msgspec.MsgspecError, ValueError, RecursionError)
_STATUS = msgspec.json.Decoder(ShardStatus)


class StatusSink(Protocol):
    """Takes the status of a shard to those who want to know it."""

    def publish(self, status: ShardStatus) -> None:
        """Replace the status; this must be quick."""
        ...

    def remove(self) -> None:
        """Remove it: the shard has ended."""
        ...


class StatusFile:
    """The file of one shard. A full disk or missing rights leave it out: a crawl goes on without it."""

    def __init__(self, folder: Path, shard: int) -> None:
        self._path = folder / FOLDER / str(shard)
        self._new = self._path.with_name(f".{shard}.new")

    def publish(self, status: ShardStatus) -> None:
        """Replace the status."""
        packed = msgspec.json.encode(status)
        with suppress(OSError):
            try:
                self._write(packed)
            except FileNotFoundError:
                self._path.parent.mkdir(mode=0o777, exist_ok=True)
                self._write(packed)

    def remove(self) -> None:
        """Remove the file at a clean end."""
        for path in (self._path, self._new):
            with suppress(OSError):
                path.unlink()
        with suppress(OSError):  # others may still be there
            self._path.parent.rmdir()

    def _write(self, packed: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        file = os.open(self._new, flags, 0o666)
        try:
            written = os.write(file, packed)
        finally:
            os.close(file)
        if written == len(packed):
            self._new.replace(self._path)


def decode_status(packed: bytes) -> ShardStatus | None:
    """Return the status of a shard; None if this is none."""
    try:
        return _STATUS.decode(packed)
    except _UNDECODABLE:
        return None


def read_files(folder: Path) -> list[ShardStatus]:
    """Return the statuses in the folder of a web whose processes live, by the numbers of their shards."""
    try:
        names = [name for name in os.listdir(folder / FOLDER) if _NAME.match(name)]
    except OSError:
        return []
    found = (_read_file(folder / FOLDER / name) for name in sorted(names, key=int)[:_MOST_FILES])
    return [status for status in found if status is not None and _may_live(status)]


def _read_file(path: Path) -> ShardStatus | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
            return None
        return decode_status(os.read(file, MOST_BYTES))
    except OSError:
        return None
    finally:
        os.close(file)


@cache
def find_place() -> str:
    """Name the machine, or the container, in which the numbers of processes are those that this process sees."""
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")
    return f"{os.uname().nodename} {space}".strip()


def _may_live(status: ShardStatus) -> bool:
    """Say whether the process of a status may live; that of another machine or container cannot be asked."""
    if status.place != find_place() or status.process <= 0:
        return True
    try:
        os.kill(status.process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
