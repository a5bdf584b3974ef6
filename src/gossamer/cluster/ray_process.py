"""The process that talks to Ray for a crawl, seen from the crawl: what it is told, and what it answers."""

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from gossamer.cluster.ray_messages import Answer, Connected, Placement, RayJob, Reported, Unreachable
from gossamer.crawl.run.process_messages import frame, read_message

AWAY_S = 2
"""A Ray of our own ends after its head was away for this long, and is started again."""
END_S = 90.0
"""A process that was told to leave and has not ended after this time is killed."""
_EXIT_S = 5.0
_LONGEST_FOLDER = 20
"""Of the folder for temporary files: Ray's sockets are in it, and the path of a socket may have 107 characters."""
_MODULE = "gossamer.cluster.ray_fetchers"
_ANSWERS = msgspec.msgpack.Decoder(Answer)
_KEPT_LINES = 20
_LOG_PREFIX = re.compile(r"^\[[^]]*\]\s*(\([^)]*\)\s*)?\S+:\d+:\s*")
"""What Ray puts in front of its messages: time, process, place in its source."""
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_USAGE_STATS_PROMPT_ENABLED": "0",
    "RAY_CLIENT_RECONNECT_GRACE_PERIOD": "5",
    "RAY_COLOR_PREFIX": "0",
}


class RayProcess:
    """A process with its messages; it begins to connect at once."""

    def __init__(self, address: str, fetchers: int, cpus: float) -> None:
        self._folder = "" if address else _make_folder()
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | _QUIET | _make_settings(address),
            process_group=0,  # Ctrl-C is the crawl's alone
        )
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._listening = threading.Thread(target=self._keep_lines, daemon=True)
        self._listening.start()
        self._answer: Answer | None = None
        self._send(RayJob(address, self._folder, fetchers, cpus))

    @property
    def number(self) -> int:
        """Its process number."""
        return self._process.pid

    def wait_for_ray(self) -> str:
        """Wait until Ray answers; return what is wrong, or ""."""
        if self._answer is None:
            self._answer = self._read() or Unreachable(self.describe_end())
        return "" if isinstance(self._answer, Connected) else getattr(self._answer, "text", "")

    def place(self, placement: Placement) -> Iterator[Reported]:
        """Have fetchers placed; yield their reports until the process has ended or lost its Ray."""
        self._send(placement)
        while (answer := self._read()) is not None:
            if isinstance(answer, Reported):
                yield answer
            else:
                self._answer = answer

    def leave(self) -> None:
        """Have the fetchers leave; return at once. The process ends when they have left."""
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        with suppress(OSError):
            self._process.stdin.close()
        timer = threading.Timer(END_S, self.kill)
        timer.daemon = True
        timer.start()

    def kill(self) -> None:
        """End the process at once, with a Ray of its own; the leases of its fetchers expire."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Wait for the end, and remove what a Ray of our own leaves."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_S)
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def describe_end(self) -> str:
        """Return why it has ended: what it said, or the first sentence of the last line that Ray has printed in it."""
        if isinstance(self._answer, Unreachable):
            return self._answer.text
        self._process.wait()
        self._listening.join(1.0)  # processes that Ray has started may keep the pipe open
        if not self._lines:
            return f"its process ended with code {self._process.returncode}"
        return _LOG_PREFIX.sub("", self._lines[-1]).partition(". ")[0].rstrip(".")

    def _send(self, message: msgspec.Struct) -> None:
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        with suppress(OSError, ValueError):  # it has ended, or is told to leave
            self._process.stdin.write(frame(message))
            self._process.stdin.flush()

    def _read(self) -> Answer | None:
        assert self._process.stdout is not None  # noqa: S101 - for the type checker
        packed = read_message(self._process.stdout.fileno())
        return None if packed is None else _ANSWERS.decode(packed)

    def _keep_lines(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 - for the type checker
        with self._process.stderr as stream:
            for line in stream:
                if text := line.decode("utf-8", "replace").strip():
                    self._lines.append(text)


def _make_folder() -> str:
    parent = tempfile.gettempdir()
    return tempfile.mkdtemp(prefix="gossamer-ray-", dir=parent if len(parent) <= _LONGEST_FOLDER else "/tmp")  # noqa: S108 - a new, private one


def _make_settings(address: str) -> dict[str, str]:
    """Return the environment of the process; fetchers of a Ray of our own inherit it."""
    settings = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if not address:
        settings |= {
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # "no cluster": it listens on the loopback address alone
            "RAY_AUTH_MODE": "token",  # other users of this machine can connect, and would run code
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_gcs_rpc_server_reconnect_timeout_s": str(AWAY_S),
        }
    return settings
