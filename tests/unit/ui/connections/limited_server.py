"""A server with small limits, and clients that speak to it byte by byte."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gossamer.ui.connections.connection_limits import ConnectionLimits
from gossamer.ui.connections.connection_table import ConnectionTable
from gossamer.ui.connections.http_server import HttpServer, limit_buffers

SHORT_S = 0.2
HANGS_S = 60.0
"""No test needs a hundredth of it."""
QUICK = ConnectionLimits(request_s=SHORT_S, discard_s=SHORT_S, stalled_s=SHORT_S)
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
ASK = HEAD + b"\r\n"


async def answer_inside(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer every request at once, without reading its body."""
    await PlainTextResponse("inside")(scope, receive, send)


class LimitedServer:
    """A running server, and its table."""

    def __init__(self, listening: socket.socket, table: ConnectionTable) -> None:
        self.address: tuple[str, int] = listening.getsockname()
        self.table = table

    async def connect(self, sent: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect and send some bytes."""
        reader, writer = await asyncio.open_connection(*self.address)
        writer.write(sent)
        return reader, writer

    async def ask(self, sent: bytes = ASK) -> bytes:
        """Return everything that the server sends until it closes the connection."""
        reader, writer = await self.connect(sent)
        try:
            return await read_to_end(reader)
        finally:
            writer.close()


async def read_to_end(reader: asyncio.StreamReader) -> bytes:
    """Return what arrives until the connection is closed or reset."""
    found = bytearray()
    with suppress(ConnectionError):
        while part := await asyncio.wait_for(reader.read(65_536), HANGS_S):
            found += part
    return bytes(found)


@asynccontextmanager
async def serve_limited(
    limits: ConnectionLimits = QUICK, application: ASGIApp = answer_inside
) -> AsyncIterator[LimitedServer]:
    """Serve an application within limits, which are checked every hundredth of a second."""
    table = ConnectionTable(limits)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        limit_buffers(listening)
        listening.listen()
        server = HttpServer(application, table)
        server.config.load()
        await server.startup([listening])
        checking = asyncio.create_task(_check_often(table))
        yield LimitedServer(listening, table)
        checking.cancel()
        server.servers[0].close()
        for connection in list(server.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)


async def _check_often(table: ConnectionTable) -> None:
    while True:
        await asyncio.sleep(0.01)
        table.close_overdue(asyncio.get_running_loop().time())


async def wait_until_open(table: ConnectionTable, number: int) -> None:
    """Wait until this many connections are open."""
    await wait_for(lambda: len(table) == number)


async def wait_for(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(HANGS_S):
        while not holds():
            await asyncio.sleep(0.005)
