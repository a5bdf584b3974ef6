"""The processes of a crawl, one for each shard, which load while the parent still prepares.

Loading takes each process as long as two hundred pages, and until then the other cores would be idle.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from gossamer.crawl.run.share_out_files import check_processes_limit

# Nothing heavy is imported here, so that the processes start to load at once.


class ShardProcess:
    """A shard's process, its control socket and its pipe of events."""

    def __init__(self) -> None:
        self._control, orders = socket.socketpair()
        self.events, sending = os.pipe()
        module = "gossamer.crawl.run.shard_process"
        self.process = subprocess.Popen(  # noqa: S603 - our own program, and numbers
            [sys.executable, "-P", "-m", module, str(orders.fileno()), str(sending)],
            stdin=subprocess.DEVNULL,
            # The shards can import what this program can.
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            pass_fds=(orders.fileno(), sending),
            process_group=0,
        )
        orders.close()
        os.close(sending)
        self.began_s = time.monotonic()

    def begin(self, job: bytes, files: Sequence[int]) -> None:
        """Send its job, and these files, which it holds open as long as it lives."""
        self.began_s = time.monotonic()
        with suppress(BrokenPipeError, ConnectionResetError):
            socket.send_fds(self._control, [b"\0"], files)
        self.send(job)

    def send(self, message: bytes) -> None:
        """Send a message, if the process still lives."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._control.sendall(message)

    def end(self) -> None:
        """Kill the process; the listener closes its pipe of events."""
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self._control.close()


class ProcessCrew:
    """The processes of a crawl that wants more than one; they are started at once and stand by."""

    def __init__(self, size: int) -> None:
        check_processes_limit(size)  # at once, before anything is opened
        self.size = size
        self._standing_by = [ShardProcess() for _ in range(size)] if size > 1 else []

    def __enter__(self) -> "ProcessCrew":
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._standing_by:
            child.end()
            os.close(child.events)
        self._standing_by = []

    def take_process(self) -> ShardProcess:
        """Return a process without a job; start a new one if all are taken."""
        return self._standing_by.pop(0) if self._standing_by else ShardProcess()
