"""One process that attends to a world's sockets: takes clients in, keeps house, leaves nothing behind."""

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
from gossamer.lab.server.handle_request import Limits, Service, addresses
from gossamer.lab.server.request_log import RequestLog

_HOUSEKEEPING_S = 0.25
_BACKLOG = 1024
_PROXY = "127.0.0.1"  # where a proxy is expected, whatever addresses the hosts have


class WorkerOptions(msgspec.Struct, frozen=True):
    """What a process is to serve, and how."""

    world: Answering
    port: int
    clock: Clock
    limits: Limits
    process: int = 0
    """Its number, so that connections of different processes have different numbers."""
    tell_entries: bool = True
    """Another process wants its log, not only how many requests each host got."""


@asynccontextmanager
async def attend(orders: WorkerOptions, sockets: list[socket.socket], log: RequestLog) -> AsyncIterator[None]:
    """Serve on these sockets while the context is open; afterwards no socket, client or task is left."""
    loop = asyncio.get_running_loop()
    service = Service(orders.world, orders.port, orders.clock, orders.limits)
    door = _ConnectionSet(addresses(orders.world))
    numbers = count(orders.process << 32)
    keeper = loop.create_task(_keep_house(door.connections, log, orders.limits.patience_s))
    servers = [
        await loop.create_server(
            lambda: Connection(service, next(numbers), door.take_in, log.add), sock=listener, backlog=_BACKLOG
        )
        for listener in sockets
    ]
    try:
        yield
    finally:
        door.is_open = False
        keeper.cancel()
        for server in servers:
            server.close()
        await asyncio.gather(*(connection.abandon() for connection in list(door.connections)))
        with suppress(asyncio.CancelledError):
            await keeper
        log.flush()


class _ConnectionSet:
    """Who is in, and who may come in."""

    def __init__(self, known: set[str] | None) -> None:
        self.connections: set[Connection] = set()
        self.is_open = True
        self._known = known and known | {_PROXY}

    def take_in(self, connection: Connection, address: str) -> bool:
        """Take a client in, unless it comes from outside, to an address that no host has, or too late."""
        known = address.startswith("127.") and (self._known is None or address in self._known)
        if known and self.is_open:
            self.connections.add(connection)
            connection.lost.add_done_callback(lambda _: self.connections.discard(connection))
        return known and self.is_open


async def _keep_house(connections: set[Connection], log: RequestLog, patience_s: float) -> None:
    """Hand on the log, and end connections on which nothing moves."""
    while True:
        await asyncio.sleep(min(_HOUSEKEEPING_S, patience_s / 2))
        log.flush()
        now_s = time.monotonic()
        for connection in list(connections):
            connection.abandon_if_stale(now_s, patience_s)
