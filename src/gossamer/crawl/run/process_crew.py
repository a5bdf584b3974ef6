"""The processes of a crawl, one for each shard. They load while the program that wants them still gets ready: loading
takes each of them as long as two hundred pages, and until then the other cores have nothing to do.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

# Whoever starts a crew wants it to load at once: nothing heavy is imported here.


class Child:
    """A shard's process, and the ways to it and from it."""

    def __init__(self) -> None:
        self._control, orders = socket.socketpair()
        self.events, told = os.pipe()
        module = "gossamer.crawl.run.shard_process"
        self.process = subprocess.Popen(  # noqa: S603 - our own program, and numbers
            [sys.executable, "-P", "-m", module, str(orders.fileno()), str(told)],
            stdin=subprocess.DEVNULL,
            # Whatever this program can import its shards can.
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            pass_fds=(orders.fileno(), told),
            process_group=0,
        )
        orders.close()
        os.close(told)
        self.began_s = time.monotonic()

    def begin(self, job: bytes, files: Sequence[int]) -> None:
        """Say what it has to do, and let it hold these files open as long as it lives."""
        self.began_s = time.monotonic()
        with suppress(BrokenPipeError, ConnectionResetError):
            socket.send_fds(self._control, [b"\0"], files)
        self.tell(job)

    def tell(self, message: bytes) -> None:
        """Send a message, if it still lives."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._control.sendall(message)

    def end(self) -> None:
        """See that it is gone, and let go of it; its events are for whoever listened to close."""
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self._control.close()


class Crew:
    """As many processes as a crawl wants, if it wants more than one: the first stand by from the beginning."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._standing_by = [Child() for _ in range(size)] if size > 1 else []

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._standing_by:
            child.end()
            os.close(child.events)
        self._standing_by = []

    def child(self) -> Child:
        """Return one that is given nothing to do yet; a new one, if all are taken."""
        return self._standing_by.pop(0) if self._standing_by else Child()
