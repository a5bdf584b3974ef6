"""The search page and console beside a schedule: a process that is started again when it dies, not without end."""

import logging
import os
import signal
import subprocess
import sys
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

from gossamer.schedule.run_file import RunNote, look_at_run, take_run_file
from gossamer.schedule.schedule_records import Schedule

_MOST_STARTS, _WITHIN_S = 20, 3_600.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 60.0
_NUMBER = 0
"""Of its file among those of the runs, which count from 1."""
_STEADY_S = 60.0
"""One that ran this long before it died begins again with the shortest pause."""
_LOG = logging.getLogger("gossamer.run")


class ServeChild:
    """`gossamer serve` over the webs of a schedule."""

    def __init__(self, schedule: Schedule, path: Path, folder: Path) -> None:
        webs = [word for web in schedule.webs.values() for word in ("--web", web)]
        self._command = [sys.executable, "-m", "gossamer.cli.main", "serve", *webs, "--schedule", str(path)]
        self._command += schedule.written.serve_arguments
        self._home, self._folder = path.parent, folder
        self._wanted = schedule.written.serve
        self._process: subprocess.Popen[bytes] | None = None
        self._starts: deque[float] = deque(maxlen=_MOST_STARTS)
        self._next_s = 0.0
        self._pause_s = _FIRST_PAUSE_S

    def look(self) -> str:
        """Start it if it does not run and is wanted; return what is to be written down, or ""."""
        now_s = time.monotonic()
        if not self._wanted or (self._process is not None and self._process.poll() is None):
            return ""
        if self._process is not None:
            return self._note_end(now_s, self._process.returncode)
        if now_s < self._next_s:
            return ""
        if len(self._starts) == _MOST_STARTS and now_s - self._starts[0] < _WITHIN_S:
            self._wanted = False
            return f"the search page ended {_MOST_STARTS} times within an hour; it is not started again"
        if self._end_former():
            self._next_s = now_s + _FIRST_PAUSE_S
            return ""
        self._starts.append(now_s)
        try:
            self._process = self._start()
        except OSError as error:
            self._next_s = now_s + _LONGEST_PAUSE_S
            return f"the search page cannot be started: {error.strerror}"
        _LOG.info("the search page begins, process %d", self._process.pid)
        return ""

    def _end_former(self) -> bool:
        """Ask the search page of a runner that was killed to end: it has the port; return whether there is one."""
        alive, note = look_at_run(self._folder, _NUMBER)
        if alive and note.process:
            with suppress(OSError):
                os.kill(note.process, signal.SIGTERM)
        return alive

    def _start(self) -> "subprocess.Popen[bytes]":
        """Start the process, which inherits the lock of its file."""
        file = take_run_file(self._folder, _NUMBER)
        try:
            process = subprocess.Popen(  # noqa: S603 - this program itself
                self._command, cwd=self._home, start_new_session=True, pass_fds=[file.file]
            )
            file.write(RunNote(process.pid))
        finally:
            file.close()
        return process

    def _note_end(self, now_s: float, code: int) -> str:
        """Choose the pause before the next start."""
        self._process = None
        if self._starts and now_s - self._starts[-1] > _STEADY_S:
            self._pause_s = _FIRST_PAUSE_S
        self._next_s = now_s + self._pause_s
        self._pause_s = min(2 * self._pause_s, _LONGEST_PAUSE_S)
        return f"the search page ended with code {code}; it is started again"

    def stop(self, grace_s: float) -> None:
        """Ask it to end, and kill it if it does not."""
        self._wanted = False
        if self._process is None:
            return
        with suppress(OSError):
            self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(grace_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
