"""The file of a run: its process holds the lock of it, and writes its end into it. So a later runner knows what became of it.

The space of the file is taken before the run begins, so that a full disk does not keep the end from being written. The system
releases the lock when the process ends, however it ends; a process number alone would not tell, since numbers are used again.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

import msgspec

_SIZE = 512
_RUN_FILE = "{}.run"


class RunNote(msgspec.Struct, frozen=True):
    """What is written in the file of a run."""

    process: int = 0
    tasks: int = -1
    """The number of the web's last task before the run; -1 if it is not known yet."""
    visits: int = -1
    """The number of the web's last visit before the run."""
    since_s: float = 0.0
    code: int | None = None
    """The exit code; None while the run goes on."""
    ended_s: float = 0.0


_NOTE = msgspec.json.Decoder(RunNote)


class RunFile:
    """The open file of a run."""

    def __init__(self, file: int) -> None:
        self.file = file

    def read(self) -> RunNote:
        """Return what is written; an empty note if it cannot be read."""
        try:
            return _NOTE.decode(os.pread(self.file, _SIZE, 0).strip(b" \n\0"))
        except (OSError, msgspec.MsgspecError):
            return RunNote()

    def write(self, note: RunNote) -> None:
        """Write a note over the one before, at once and in the same place."""
        os.pwrite(self.file, msgspec.json.encode(note).ljust(_SIZE - 1) + b"\n", 0)

    def close(self) -> None:
        """Close the file; the lock stays with the processes that inherited it."""
        with suppress(OSError):
            os.close(self.file)


def locate_run_file(folder: Path, number: int) -> Path:
    """Return where the file of a run is."""
    return folder / _RUN_FILE.format(number)


def take_run_file(folder: Path, number: int) -> RunFile:
    """Open and lock the file of a run that begins; BlockingIOError if a process still has it, OSError on a full disk."""
    path = locate_run_file(folder, number)
    opened = RunFile(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    try:
        fcntl.flock(opened.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        before = opened.read()
        opened.write(msgspec.structs.replace(before, process=0, code=None, ended_s=0.0))
        os.fsync(opened.file)
    except BaseException:
        opened.close()
        raise
    return opened


def is_locked(path: Path) -> bool:
    """Say whether a process holds the lock of a file."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def look_at_run(folder: Path, number: int) -> tuple[bool, RunNote]:
    """Return whether a process still works on a run, and what is written in its file."""
    try:
        opened = RunFile(os.open(locate_run_file(folder, number), os.O_RDONLY | os.O_CLOEXEC))
    except OSError:
        return False, RunNote()
    try:
        fcntl.flock(opened.file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True, opened.read()
    else:
        return False, opened.read()
    finally:
        opened.close()
