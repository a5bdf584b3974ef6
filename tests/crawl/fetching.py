"""Servers with canned responses, and ways to fetch from them, for the tests of the HTTP client."""

import asyncio
import functools
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, ParamSpec

from gossamer.config import Fetching
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.fetch.socket_shortage import Shortage
from gossamer.lab.server.answer import Fault, LabAnswer, LabRequest
from gossamer.lab.server.handle_request import Limits
from gossamer.lab.server.serve_world import LabServer, serve
from gossamer.records import Exchange, Outcome, Refused

AGENT = "Gossamer/0.1 (+https://gossamer.example/)"


LOOPBACK = ("127.0.0.0/8",)


HERE = HostAddresses(("127.0.0.1",))


BODY = b"0123456789" * 1000


Parameters = ParamSpec("Parameters")


def in_loop(test: Callable[Parameters, Awaitable[None]]) -> Callable[Parameters, None]:
    """Run an async test in a loop of its own; fail if it hangs."""

    @functools.wraps(test)
    def run(*args: Parameters.args, **named: Parameters.kwargs) -> None:
        async def within() -> None:
            async with asyncio.timeout(200.0):
                await test(*args, **named)

        asyncio.run(within())

    return run


def make_options(
    method: Any = "GET",
    etag: str = "",
    last_modified: str = "",
    auth: str = "",
    sender: str = "",
    **settings: Any,
) -> FetchOptions:
    fetching = Fetching(**{"allow_private": LOOPBACK, "page_time_s": 5.0, **settings})
    return FetchOptions(fetching, AGENT, method, etag, last_modified, auth, sender)


@asynccontextmanager
async def open_fetcher(**arguments: Any) -> AsyncIterator[CurlFetcher]:
    fetcher = CurlFetcher(**arguments)
    try:
        yield fetcher
    finally:
        await fetcher.close()


class CannedServer:
    """A server that records each request head and sends one canned response after the other."""

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
async def serve_bytes(
    *answers: bytes, keep_open: bool = False, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[CannedServer]:
    canned = CannedServer(*answers, keep_open=keep_open)
    server = await asyncio.start_server(canned.attend, host, 0, ssl=tls)
    canned.port = server.sockets[0].getsockname()[1]
    try:
        yield canned
    finally:
        server.close()
        await asyncio.sleep(0)


def make_bytes(body: bytes = b"hello", *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers, b"", body]
    return b"\r\n".join(lines)


async def fetch_bytes(
    answer: bytes, options: FetchOptions | None = None, path: str = "/", keep_open: bool = False
) -> Outcome | Shortage:
    """Fetch from a server that sends these bytes and closes the connection."""
    async with serve_bytes(answer, keep_open=keep_open) as server, open_fetcher() as fetcher:
        return await fetcher.fetch(server.url(path), HERE, options or make_options())


async def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds; `in_loop` ends a test in which it never does."""
    while not condition():
        await asyncio.sleep(0.01)


def get_exchange(outcome: Outcome | Shortage) -> Exchange:
    assert not isinstance(outcome, Refused | Shortage), outcome
    assert outcome.exchange is not None, outcome
    return outcome.exchange


class FunctionWorld:
    """A lab world whose responses come from one function."""

    def __init__(self, answer: Callable[[LabRequest], LabAnswer]) -> None:
        self._answer = answer

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        return self._answer(asked)

    def hosts(self) -> list[str]:
        return ["127.0.0.1"]


@asynccontextmanager
async def serve_lab(answer: Callable[[LabRequest], LabAnswer]) -> AsyncIterator[LabServer]:
    limits = Limits(patience_s=3.0, endless_bytes=20_000_000)
    async with serve(FunctionWorld(answer), limits=limits) as running:
        yield running


async def fetch_with_fault(fault: Fault, body: bytes = BODY, **settings: Any) -> Outcome | Shortage:
    async with serve_lab(lambda asked: LabAnswer(body=body, fault=fault)) as world, open_fetcher() as fetcher:
        return await fetcher.fetch(world.url(), HERE, make_options(**settings))
