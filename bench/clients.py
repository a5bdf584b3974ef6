"""Compare HTTP clients: CPU time to fetch documentation pages from nginx on loopback.

Sixteen hosts with one connection each, as in a polite crawl, serve the real pages of `pages.py`. Every installed
client takes part; rounds alternate, and the best of each counts. Ratios are taken against aiohttp, and against a bare
event loop, which is not a client but the least that asyncio can cost.

    python bench/clients.py
"""

import asyncio
import importlib
import importlib.util
import math
import resource
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gossamer.config import Fetching
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.records import Fetched
from nginx_site import find_free_port, run_nginx, write_servers
from pages import SamplePage, describe, read_documentation_pages

ADDRESSES = [f"127.0.0.{number}" for number in range(1, 17)]
PAGES_A_ROUND = 3_200
ROUNDS = 7

Get = Callable[[str, str], Awaitable[int]]
"""Fetches the page at an address (with port) and a path; returns the length of its body."""
Measured = Callable[[Get], Coroutine[Any, Any, float]]
"""Fetches all pages with the given function; returns the milliseconds a page."""


@contextmanager
def serve_pages(pages: list[SamplePage]) -> Iterator[int]:
    """Serve the pages by number at all addresses; yield the port."""
    port = find_free_port(ADDRESSES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pages").mkdir()
        for number, page in enumerate(pages):
            (folder / "pages" / f"{number}.html").write_bytes(page.body)
        for address in ADDRESSES:
            (folder / address).symlink_to(folder / "pages")
        with run_nginx(write_servers(ADDRESSES, port, folder), ADDRESSES[0], port, folder / "nginx"):
            yield port


def read_cpu_s() -> float:
    """Return the CPU time of this process, threads included."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def measure_gossamer(measured: Measured) -> float:
    """Measure Gossamer's client, with address guard, limits, heads and outcome."""
    fetcher = CurlFetcher()
    ask = FetchOptions(Fetching(allow_private=("127.0.0.0/8",)), "Gossamer/bench")

    async def get(address: str, path: str) -> int:
        outcome = await fetcher.fetch(
            f"http://{address}{path}", HostAddresses((address.partition(":")[0],)), ask
        )
        return len(outcome.exchange.body) if isinstance(outcome, Fetched) else 0

    try:
        return await measured(get)
    finally:
        await fetcher.close()


async def measure_pycurl(measured: Measured) -> float:
    """Measure pycurl's own asyncio interface, and nothing else."""
    pycurl: Any = importlib.import_module("pycurl")
    free: list[Any] = []
    async with pycurl.AsyncCurlMulti() as multi:

        async def get(address: str, path: str) -> int:
            curl = free.pop() if free else pycurl.Curl()
            head: list[bytes] = []
            body: list[bytes] = []
            curl.setopt(pycurl.URL, f"http://{address}{path}")
            curl.setopt(pycurl.HEADERFUNCTION, head.append)
            curl.setopt(pycurl.WRITEFUNCTION, body.append)
            await multi.perform(curl)
            free.append(curl)
            return len(b"".join(body))

        return await measured(get)


async def measure_aiohttp(measured: Measured) -> float:
    """Measure the client that most Python crawlers use, with the body as bytes."""
    aiohttp_client: Any = importlib.import_module("aiohttp")
    async with aiohttp_client.ClientSession(auto_decompress=False) as session:

        async def get(address: str, path: str) -> int:
            async with session.get(f"http://{address}{path}") as response:
                return len(await response.read())

        return await measured(get)


async def measure_pyreqwest(measured: Measured) -> float:
    """Measure Rust's reqwest."""
    pyreqwest_client: Any = importlib.import_module("pyreqwest.client")
    async with pyreqwest_client.ClientBuilder().build() as client:

        async def get(address: str, path: str) -> int:
            response = await client.get(f"http://{address}{path}").build().send()
            return len(await response.bytes())

        return await measured(get)


class _Bare(asyncio.Protocol):
    """Reads answers with a Content-Length and checks nothing."""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def ask(self, path: str) -> asyncio.Future[bytes]:
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.pieces: list[bytes] = []
        self.missing_bytes = 0
        self.transport.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nUser-Agent: x\r\n\r\n".encode())
        return self.answer

    def data_received(self, data: bytes) -> None:
        if not self.pieces:
            head, _, _ = data.partition(b"\r\n\r\n")
            length = head.lower().partition(b"content-length:")[2].partition(b"\r")[0]
            self.missing_bytes = len(head) + 4 + int(length)
        self.pieces.append(data)
        self.missing_bytes -= len(data)
        if not self.missing_bytes:
            self.answer.set_result(b"".join(self.pieces))


async def measure_bare_asyncio(measured: Measured) -> float:
    """Measure the least that asyncio can cost."""
    loop = asyncio.get_running_loop()
    lines: dict[str, _Bare] = {}

    async def get(address: str, path: str) -> int:
        if address not in lines:
            host, _, port = address.partition(":")
            _, lines[address] = await loop.create_connection(_Bare, host, int(port))
        return len(await lines[address].ask(path))

    try:
        return await measured(get)
    finally:
        for line in lines.values():
            line.transport.close()


CLIENTS: dict[str, Callable[[Measured], Coroutine[Any, Any, float]]] = {
    "bare asyncio": measure_bare_asyncio,
    "gossamer": measure_gossamer,
    "pycurl": measure_pycurl,
    "pyreqwest": measure_pyreqwest,
    "aiohttp": measure_aiohttp,
}


def measure_milliseconds(pages: list[SamplePage]) -> dict[str, float]:
    """Return the processor time that each installed client takes for a page."""
    best: dict[str, float] = {}
    with serve_pages(pages) as port:

        async def crawl(get: Get, number: int) -> int:
            numbers = ((number * 7 + place) % len(pages) for place in range(PAGES_A_ROUND // len(ADDRESSES)))
            return sum([await get(f"{ADDRESSES[number]}:{port}", f"/{page}.html") for page in numbers])

        async def measured(get: Get) -> float:
            began_s = read_cpu_s()
            fetched = await asyncio.gather(*(crawl(get, number) for number in range(len(ADDRESSES))))
            assert min(fetched) > 0
            return (read_cpu_s() - began_s) / PAGES_A_ROUND * 1000

        for _ in range(ROUNDS):
            for name, client in CLIENTS.items():
                if name == "bare asyncio" or importlib.util.find_spec(name):
                    best[name] = min(best.get(name, math.inf), asyncio.run(client(measured)))
    return best


def measure() -> dict[str, float]:
    """Return the figures that have floors; none where the pages are not installed."""
    pages = read_documentation_pages()
    if not pages:
        return {}
    taken = measure_milliseconds(pages)
    figures = {"fetch.cpu_vs_bare_asyncio": taken["gossamer"] / taken["bare asyncio"]}
    if "aiohttp" in taken:
        figures["fetch.cpu_vs_aiohttp"] = taken["gossamer"] / taken["aiohttp"]
    return figures


if __name__ == "__main__":
    print(describe(sample := read_documentation_pages()))
    for name, taken_ms in sorted(measure_milliseconds(sample).items(), key=lambda item: item[1]):
        print(f"{name:14}{taken_ms:8.4f} ms a page")
