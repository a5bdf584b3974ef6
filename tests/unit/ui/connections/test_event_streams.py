"""Streams of events stay open for as long as their clients like, and still cost no more than they may."""

import asyncio

import msgspec
from starlette.types import Receive, Scope, Send
from tests.unit.ui.connections.limited_server import ASK, QUICK, SHORT_S, serve_limited, wait_for
from tests.unit.ui.connections.test_http_server import run

from gossamer.ui.connections.http_server import EVENT_STREAM

HEADERS = [(b"content-type", EVENT_STREAM.encode())]
PIECE = b"data: x\n\n"


class Streams:
    """Sends an event from time to time for ever, and knows how many streams are open."""

    def __init__(self, every_s: float = SHORT_S / 4, piece: bytes = PIECE) -> None:
        self.open = 0
        self._every_s, self._piece = every_s, piece

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.open += 1
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            while True:
                await send({"type": "http.response.body", "body": self._piece, "more_body": True})
                await asyncio.sleep(self._every_s)
        finally:
            self.open -= 1


def test_a_stream_that_trickles_is_not_cut() -> None:
    async def look() -> None:
        async with serve_limited(application=Streams()) as server:
            reader, writer = await server.connect(ASK)
            received = 0
            while received < 12 * len(PIECE):  # three times as long as an answer may stall
                received += (await reader.read(1_000)).count(b"x") * len(PIECE)
            assert len(server.table) == 1
            writer.close()

    run(look())


def test_a_stream_ends_when_its_reader_leaves() -> None:
    async def look() -> None:
        streams = Streams()
        async with serve_limited(application=streams) as server:
            reader, writer = await server.connect(ASK)
            await reader.readuntil(PIECE)
            assert streams.open == 1
            writer.close()
            await wait_for(lambda: streams.open == 0 and len(server.table) == 0)

    run(look())


def test_a_stream_makes_room_for_another_connection() -> None:
    async def look() -> None:
        streams = Streams()
        limits = msgspec.structs.replace(QUICK, connections=2)
        async with serve_limited(limits, streams) as server:
            clients = [await server.connect(ASK) for _ in range(3)]
            for reader, _ in clients[1:]:
                await reader.readuntil(PIECE)
            await wait_for(lambda: len(server.table) == 2 and streams.open == 2)
            for _, writer in clients:
                writer.close()

    run(look())


def test_a_reader_that_stalls_is_cut() -> None:
    async def look() -> None:
        streams = Streams(0.0, b"data: " + b"x" * 20_000 + b"\n\n")
        async with serve_limited(application=streams) as server:
            reader, writer = await server.connect(ASK)
            await reader.read(1)
            await wait_for(lambda: streams.open == 0)
            writer.close()

    run(look())


def test_streams_end_at_shutdown_at_once() -> None:
    async def look() -> None:
        streams = Streams()
        async with serve_limited(application=streams) as server:
            reader, writer = await server.connect(ASK)
            await reader.readuntil(PIECE)
            for connection in list(server.table._connections):
                connection.shutdown()  # type: ignore[attr-defined]  # as uvicorn calls it
            await wait_for(lambda: streams.open == 0)
            writer.close()

    run(look())
