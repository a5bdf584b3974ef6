"""What tests of the client share: servers that say what they are told to, and ways to ask them."""

import asyncio
import functools
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, ParamSpec

from gossamer.config import Fetching
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.lab.server.answer import Fault, LabAnswer, LabRequest
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.serve_world import Running, serve
from gossamer.records import Exchange, Outcome, Refused

AGENT = "Gossamer/0.1 (+https://gossamer.example/)"


LOOPBACK = ("127.0.0.0/8",)


HERE = HostAddresses(("127.0.0.1",))


BODY = b"0123456789" * 1000


Parameters = ParamSpec("Parameters")


def in_loop(test: Callable[Parameters, Awaitable[None]]) -> Callable[Parameters, None]:
    """Run an async test in a loop of its own, and let nothing hang."""

    @functools.wraps(test)
    def run(*args: Parameters.args, **named: Parameters.kwargs) -> None:
        async def within() -> None:
            async with asyncio.timeout(20.0):
                await test(*args, **named)

        asyncio.run(within())

    return run


def asking(
    method: Any = "GET", etag: str = "", last_modified: str = "", auth: str = "", **told: Any
) -> FetchOptions:
    settings = Fetching(**{"allow_private": LOOPBACK, "page_time_s": 5.0, **told})
    return FetchOptions(settings, AGENT, method, etag, last_modified, auth)


@asynccontextmanager
async def fetching(**told: Any) -> AsyncIterator[CurlFetcher]:
    fetcher = CurlFetcher(**told)
    try:
        yield fetcher
    finally:
        await fetcher.close()


class Saying:
    """A server that notes what it receives and sends what it is told, head by head."""

    def __init__(self, *answers: bytes, keep_open: bool = False) -> None:
        self.answers = list(answers)
        self.keep_open = keep_open
        self.heads: list[bytes] = []
        self.connections = 0
        self.port = 0

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                self.heads.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(self.answers[min(len(self.heads), len(self.answers)) - 1])
                await writer.drain()
                if not self.keep_open:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def url(self, path: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


@asynccontextmanager
async def saying(
    *answers: bytes, keep_open: bool = False, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[Saying]:
    said = Saying(*answers, keep_open=keep_open)
    server = await asyncio.start_server(said.attend, host, 0, ssl=tls)
    said.port = server.sockets[0].getsockname()[1]
    try:
        yield said
    finally:
        server.close()
        await asyncio.sleep(0)


def whole(body: bytes = b"hello", *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers, b"", body]
    return b"\r\n".join(lines)


async def fetched(
    answer: bytes, ask: FetchOptions | None = None, path: str = "/", keep_open: bool = False
) -> Outcome:
    """Fetch from a server that answers with these bytes and hangs up."""
    async with saying(answer, keep_open=keep_open) as server, fetching() as fetcher:
        return await fetcher.fetch(server.url(path), HERE, ask or asking())


def exchange_of(outcome: Outcome) -> Exchange:
    assert not isinstance(outcome, Refused), outcome
    assert outcome.exchange is not None, outcome
    return outcome.exchange


class World:
    """A lab world made of one function."""

    def __init__(self, answer: Callable[[LabRequest], LabAnswer]) -> None:
        self._answer = answer

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        return self._answer(asked)

    def hosts(self) -> list[str]:
        return ["127.0.0.1"]


@asynccontextmanager
async def lab(answer: Callable[[LabRequest], LabAnswer]) -> AsyncIterator[Running]:
    limits = Limits(patience_s=3.0, endless_bytes=20_000_000)
    async with serve(World(answer), limits=limits) as running:
        yield running


async def faulty(fault: Fault, body: bytes = BODY, **told: Any) -> Outcome:
    async with lab(lambda asked: LabAnswer(body=body, fault=fault)) as world, fetching() as fetcher:
        return await fetcher.fetch(world.url(), HERE, asking(**told))
