"""The real program on a real pseudo-terminal: keys go in, and what the screen was sent comes out."""

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

_PATIENCE_S = 60.0
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A program that believes that a person sits before it."""

    def __init__(self, process: "subprocess.Popen[bytes]", master: int) -> None:
        self.process = process
        self._master = master
        self._written = b""
        self._seen = 0

    @property
    def raw(self) -> str:
        """All that was sent to the screen, with what terminals obey."""
        return self._written.decode("utf-8", "replace")

    def wait_for(self, words: str, then: str = "") -> str:
        """Wait until something was written since the last time, and then something else; return all that was."""
        until_s = time.monotonic() + _PATIENCE_S
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
        """Wait for the program's end, and return its exit code."""
        until_s = time.monotonic() + _PATIENCE_S
        while self.process.poll() is None and time.monotonic() < until_s:
            # A program waits for its words to be taken before it ends.
            if select.select([self._master], [], [], 0.05)[0]:
                self._read()
        return self.process.wait(1.0)

    def _read(self) -> None:
        self._written += os.read(self._master, 65536)


def _as_from_a_script() -> None:
    """Take the terminal, and ignore Ctrl-C, as shells let programs do that they start in the background."""
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
        preexec_fn=_as_from_a_script,
        env={**environment, "TERM": "xterm-256color"},
    )
    try:
        yield Terminal(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(slave)
        os.close(master)
