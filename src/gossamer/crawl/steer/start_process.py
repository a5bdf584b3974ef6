"""Start a process that crawls a task, independent of this one; what it says goes into a file in the web's folder."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gossamer.errors import BadInput

_LOG = "started-{}.log"
_LOGS = "started-*.log"
# A web may come from a stranger: a link or a pipe in it must neither lead to another file nor hold the server up.
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MOST_BYTES = 4_000
"""At the end of a log; a crawl says little, and an error is a sentence."""


class _Started(msgspec.Struct, frozen=True):
    """The first line of a log."""

    task: int
    process: int
    when_s: float


class StartReport(msgspec.Struct, frozen=True):
    """A process that was started for a task, and what it said."""

    task: int
    when_s: float
    alive: bool
    said: str
    """Its errors and warnings; "" if there were none."""


def start_process(folder: Path, task: int, now_s: float) -> StartReport:
    """Start a process that resumes a task; it outlives this one."""
    path = folder / _LOG.format(task)
    command = [sys.executable, "-m", "gossamer.cli.main", "resume", str(task), "--json"]
    command += ["--web", str(folder.resolve())]
    try:
        log = os.open(path, _WRITE, 0o600)
    except OSError as error:
        raise BadInput(f"no crawl can be started: {path} cannot be written: {error.strerror}") from None
    try:
        process = subprocess.Popen(  # noqa: S603 - our own program; the number and the folder are not from the web
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )
        os.write(log, msgspec.json.encode(_Started(task, process.pid, now_s)) + b"\n")
    except OSError as error:
        raise BadInput(f"no crawl can be started: {error.strerror}") from None
    finally:
        os.close(log)
    # Its exit status must be read, or it would seem to be alive after its end.
    threading.Thread(target=process.wait, daemon=True).start()
    return StartReport(task, now_s, True, "")


def read_start(folder: Path, task: int) -> StartReport | None:
    """Return what is known of the last process that was started for a task; None if there was none."""
    return _read_log(folder / _LOG.format(task))


def list_starts(folder: Path) -> Iterator[StartReport]:
    """Yield the last process that was started for each task."""
    for path in sorted(folder.glob(_LOGS)):
        if (found := _read_log(path)) is not None:
            yield found


def _read_log(path: Path) -> StartReport | None:
    try:
        with os.fdopen(os.open(path, _READ), "rb") as file:
            lines = [file.readline(_MOST_BYTES)]
            size = file.seek(0, os.SEEK_END)
            file.seek(max(len(lines[0]), size - _MOST_BYTES))
            lines += file.read().splitlines()
    except OSError:
        return None
    # The process may say something before its number is written.
    for line in lines:
        try:
            started = msgspec.json.decode(line, type=_Started)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        said = b"\n".join(other for other in lines if other is not line).decode("utf-8", "replace").strip()
        return StartReport(started.task, started.when_s, _is_alive(started.process), said)
    return None


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
