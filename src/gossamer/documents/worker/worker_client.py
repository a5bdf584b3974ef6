"""Starts a process that reads documents, asks it, and kills it when it takes too long or too much."""

import contextlib
import signal
import subprocess
import sys
import threading

import msgspec

from gossamer.documents.document_content import ReadingFailure
from gossamer.documents.worker.messages import (
    MOST_ANSWER_BYTES,
    ReadingResult,
    UnreadDocument,
    decode_answer,
    encode_message,
    read_message,
    write_message,
)
from gossamer.documents.worker.process_limits import ReadingLimits

_START_S = 120.0
"""Starting takes half a second, and longer on a busy machine."""
_MODULE = "gossamer.documents.worker.worker_process"
_OUT_OF_MEMORY = (signal.SIGABRT, signal.SIGKILL)
"""How native code ends that gets no memory, and how the system ends a process when it has none."""


class DocumentWorker:
    """One process that reads documents, started with the first of them and again after each that killed it."""

    def __init__(self, plugin: str, limits: ReadingLimits) -> None:
        self.plugin = plugin
        """The plug-in whose documents it reads; "" for the formats that we read."""
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, document: UnreadDocument) -> ReadingResult:
        """Have a document read; return what it says, or why it could not be read."""
        process = self._process or self._start()
        if process is None:
            return ReadingFailure("unsupported", "the process that reads documents does not start")
        with _Deadline(process, self._limits.wall_s) as deadline:
            answer = self._ask(process, encode_message(document))
        if answer is None:
            code = self._end()
            return self._explain_end(code, deadline.is_over)
        try:
            found = decode_answer(answer)
        except msgspec.MsgspecError:  # of a plug-in whose result is no content
            self.close()
            return ReadingFailure("broken", "its reader returned something else than its content")
        if found.retires or deadline.is_over:
            self.close()
        return found.result

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._end()

    def _start(self) -> "subprocess.Popen[bytes] | None":
        """Start the process and wait until it is ready; None if it ends at once."""
        arguments = [msgspec.json.encode(self._limits).decode(), *([self.plugin] if self.plugin else [])]
        # -P: nothing is imported from the current folder.
        command = [sys.executable, "-P", "-m", _MODULE, *arguments]
        process = subprocess.Popen(  # noqa: S603 - our own module, no shell
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._process = process
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        with _Deadline(process, _START_S):
            is_ready = read_message(process.stdout, MOST_ANSWER_BYTES) is not None
        if is_ready:
            return process
        self.close()
        return None

    def _ask(self, process: "subprocess.Popen[bytes]", question: bytes) -> bytes | None:
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
        try:
            write_message(process.stdin, question)
            return read_message(process.stdout, MOST_ANSWER_BYTES)
        except OSError:  # it has ended
            return None

    def _end(self) -> int:
        """Reap the process that has ended or answers too much; return its exit code."""
        process, self._process = self._process, None
        assert process is not None and process.stdin is not None and process.stdout is not None  # noqa: S101, PT018
        process.stdout.close()
        with contextlib.suppress(OSError):
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(1.0)
        process.kill()
        return process.wait()

    def _explain_end(self, code: int, is_over: bool) -> ReadingFailure:
        """Say why the process ended while it read a document."""
        if is_over:
            return ReadingFailure("too slow", f"reading it took more than {self._limits.wall_s:g} s")
        if code == -signal.SIGXCPU:
            return ReadingFailure("too slow", f"reading it took more than {self._limits.cpu_s} s of CPU time")
        if -code in _OUT_OF_MEMORY:
            return ReadingFailure("too large", "reading it takes more memory than allowed")
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return ReadingFailure("broken", f"its reader ended with {name}")


class _Deadline:
    """Kills a process that is not done in time."""

    def __init__(self, process: "subprocess.Popen[bytes]", wall_s: float) -> None:
        self.is_over = False
        self._process = process
        self._timer = threading.Timer(wall_s, self._kill)
        self._timer.daemon = True

    def __enter__(self) -> "_Deadline":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()  # so that it cannot kill what comes next

    def _kill(self) -> None:
        self.is_over = True
        self._process.kill()
