"""Accept connections, a few at a time, also when descriptors are short."""

import asyncio
import errno
import socket
from collections.abc import Callable
from contextlib import suppress

# Between two batches, the event loop serves the connections that it has.
_AT_ONCE = 64
_PAUSE_S = 0.05
_SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class ConnectionAcceptor:
    """Accepts connections at a listening socket.

    asyncio's own loop tries 2,048 times without a pause when descriptors are short, and logs each; and it cannot close
    another connection instead.
    """

    def __init__(
        self,
        listening: socket.socket,
        make_protocol: Callable[[], asyncio.BaseProtocol],
        free_descriptor: Callable[[], object],
    ) -> None:
        self._listening = listening
        self._make_protocol = make_protocol
        self._free_descriptor = free_descriptor
        self._loop = asyncio.get_running_loop()
        self._arriving: set[asyncio.Task[None]] = set()
        self._retry: asyncio.TimerHandle | None = None
        listening.setblocking(False)
        self._start()

    def close(self) -> None:
        """Accept no more."""
        self._stop()
        if self._retry is not None:
            self._retry.cancel()

    async def wait_closed(self) -> None:
        """Do nothing: nothing is left to wait for. uvicorn asks for it."""

    def _start(self) -> None:
        self._retry = None
        self._loop.add_reader(self._listening.fileno(), self._accept_some)

    def _stop(self) -> None:
        if self._listening.fileno() >= 0:
            self._loop.remove_reader(self._listening.fileno())

    def _accept_some(self) -> None:
        for _ in range(_AT_ONCE):
            try:
                accepted, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                if error.errno not in _SHORTAGES:
                    continue  # this client has gone already
                # The socket stays readable, so pause: what is freed is closed in the next turn of the loop.
                self._free_descriptor()
                self._stop()
                self._retry = self._loop.call_later(_PAUSE_S, self._start)
                return
            arriving = self._loop.create_task(self._connect(accepted))
            self._arriving.add(arriving)
            arriving.add_done_callback(self._arriving.discard)

    async def _connect(self, accepted: socket.socket) -> None:
        accepted.setblocking(False)
        with suppress(OSError):  # the client has gone already
            await self._loop.connect_accepted_socket(self._make_protocol, accepted)
