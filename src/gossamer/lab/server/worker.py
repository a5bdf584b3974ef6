"""Serve a world on open sockets in one process: accept clients, close idle connections, clean up."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count

import msgspec

from gossamer.lab.server.answer import Answering
from gossamer.lab.server.clock import Clock
from gossamer.lab.server.connection import Connection
from gossamer.lab.server.handle_request import Limits, Service, find_addresses
from gossamer.lab.server.request_log import RequestLog

_CHECK_EVERY_S = 0.25
_BACKLOG = 1024
_PROXY = "127.0.0.1"  # clients expect a proxy here, even if no host has this address


class WorkerOptions(msgspec.Struct, frozen=True):
    """What a process serves, and how."""

    world: Answering
    port: int
    clock: Clock
    limits: Limits
    process: int = 0
    """Number of the process; it makes connection numbers unique across processes."""
    report_requests: bool = True
    """Send every request to the parent's log, not only the number of requests to each host."""


@asynccontextmanager
async def serve_sockets(
    options: WorkerOptions, sockets: list[socket.socket], log: RequestLog
) -> AsyncIterator[None]:
    """Serve on these sockets while the context is open; on exit close all sockets, connections and tasks."""
    loop = asyncio.get_running_loop()
    service = Service(options.world, options.port, options.clock, options.limits)
    clients = _ConnectionSet(find_addresses(options.world))
    numbers = count(options.process << 32)
    upkeep = loop.create_task(_close_idle_connections(clients.connections, log, options.limits.patience_s))
    servers = [
        await loop.create_server(
            lambda: Connection(service, next(numbers), clients.admit, log.add),
            sock=listener,
            backlog=_BACKLOG,
        )
        for listener in sockets
    ]
    try:
        yield
    finally:
        clients.is_open = False
        upkeep.cancel()
        for server in servers:
            server.close()
        await asyncio.gather(*(connection.abort() for connection in list(clients.connections)))
        with suppress(asyncio.CancelledError):
            await upkeep
        log.flush()


class _ConnectionSet:
    """The open connections, and the addresses that accept new ones."""

    def __init__(self, known: set[str] | None) -> None:
        self.connections: set[Connection] = set()
        self.is_open = True
        self._known = known and known | {_PROXY}

    def admit(self, connection: Connection, address: str) -> bool:
        """Add a connection and return True; refuse it if no host has the address or the server is stopping."""
        known = address.startswith("127.") and (self._known is None or address in self._known)
        if known and self.is_open:
            self.connections.add(connection)
            connection.lost.add_done_callback(lambda _: self.connections.discard(connection))
        return known and self.is_open


async def _close_idle_connections(connections: set[Connection], log: RequestLog, patience_s: float) -> None:
    """Flush the log and close idle connections, several times a second."""
    while True:
        await asyncio.sleep(min(_CHECK_EVERY_S, patience_s / 2))
        log.flush()
        now_s = time.monotonic()
        for connection in list(connections):
            connection.close_if_idle(now_s, patience_s)
