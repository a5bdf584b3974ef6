"""Run the real program on a pseudo-terminal: send keys and read the screen."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.unit.cli.programs import PROGRAM

_WAIT_S = 300.0
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A program that runs on a pseudo-terminal."""

    def __init__(self, process: "subprocess.Popen[bytes]", master: int) -> None:
        self.process = process
        self._master = master
        self._written = b""
        self._seen = 0

    @property
    def raw(self) -> str:
        """Everything that was sent to the screen, with control sequences."""
        return self._written.decode("utf-8", "replace")

    def wait_for(self, words: str, then: str = "") -> str:
        """Wait until `words`, followed by `then`, were written since the last call; return the new text."""
        until_s = time.monotonic() + _WAIT_S
        while True:
            text = _CONTROLS.sub("", self._written[self._seen :].decode("utf-8", "replace"))
            if words in text and then in text[text.rindex(words) :]:
                self._seen = len(self._written)
                return text
            left_s = until_s - time.monotonic()
            assert left_s > 0, f"{words!r} was never written, but:\n{text}"
            if select.select([self._master], [], [], left_s)[0]:
                self._read()

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    def end(self) -> int:
        """Wait for the end of the program and return its exit code."""
        until_s = time.monotonic() + _WAIT_S
        while self.process.poll() is None and time.monotonic() < until_s:
            # A program blocks at its end until its output has been read.
            if select.select([self._master], [], [], 0.05)[0]:
                self._read()
        code = self.process.wait(_WAIT_S)
        while select.select([self._master], [], [], 0)[0]:
            self._read()
        return code

    def _read(self) -> None:
        self._written += os.read(self._master, 65536)


def _start_as_background_job() -> None:
    """Take the terminal and ignore Ctrl-C, as shells do for programs that they start in the background."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def on_terminal(*arguments: str | Path, columns: int = 100, rows: int = 30) -> Iterator[Terminal]:
    """Start the program on a terminal of this size."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=_start_as_background_job,
        env={**environment, "TERM": "xterm-256color"},
    )
    try:
        yield Terminal(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(slave)
        os.close(master)
