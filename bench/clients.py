"""HTTP clients against each other: processor time to fetch documentation pages from nginx on loopback.

Sixteen hosts, one connection each, as a polite crawl has them; the real pages of `pages.py`. Every client of
which the package is installed takes part; rounds alternate, and the best of each counts. Beside the bare event
loop, which is no client but the least that asyncio can cost, ratios are taken against aiohttp.

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
from nginx_site import folder_for_each, free_port, nginx
from pages import SamplePage, describe, documentation_pages

ADDRESSES = [f"127.0.0.{number}" for number in range(1, 17)]
PAGES_A_ROUND = 3_200
ROUNDS = 7

Get = Callable[[str, str], Awaitable[int]]
"""Fetches the page at an address (with port) and a path, and returns the length of its body."""
Measured = Callable[[Get], Coroutine[Any, Any, float]]
"""Has all pages fetched by what it is given, and returns the milliseconds that each took."""


@contextmanager
def serving(pages: list[SamplePage]) -> Iterator[int]:
    """Serve the pages by number at all addresses; yields the port."""
    port = free_port(ADDRESSES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pages").mkdir()
        for number, page in enumerate(pages):
            (folder / "pages" / f"{number}.html").write_bytes(page.body)
        for address in ADDRESSES:
            (folder / address).symlink_to(folder / "pages")
        with nginx(folder_for_each(ADDRESSES, port, folder), ADDRESSES[0], port, folder / "nginx"):
            yield port


def processor_s() -> float:
    """Return the processor time of this process, threads included."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def gossamer(measured: Measured) -> float:
    """Ours: guard, limits, heads and outcome included."""
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


async def pycurl_async(measured: Measured) -> float:
    """pycurl's own driving by asyncio, and nothing else."""
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


async def aiohttp(measured: Measured) -> float:
    """The client most Python crawlers take, body as bytes."""
    aiohttp_client: Any = importlib.import_module("aiohttp")
    async with aiohttp_client.ClientSession(auto_decompress=False) as session:

        async def get(address: str, path: str) -> int:
            async with session.get(f"http://{address}{path}") as response:
                return len(await response.read())

        return await measured(get)


async def pyreqwest(measured: Measured) -> float:
    """Rust's reqwest."""
    pyreqwest_client: Any = importlib.import_module("pyreqwest.client")
    async with pyreqwest_client.ClientBuilder().build() as client:

        async def get(address: str, path: str) -> int:
            response = await client.get(f"http://{address}{path}").build().send()
            return len(await response.bytes())

        return await measured(get)


class _Bare(asyncio.Protocol):
    """Reads answers that have a Content-Length, and trusts the server in everything."""

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


async def bare_asyncio(measured: Measured) -> float:
    """The least that asyncio can cost."""
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
    "bare asyncio": bare_asyncio,
    "gossamer": gossamer,
    "pycurl": pycurl_async,
    "pyreqwest": pyreqwest,
    "aiohttp": aiohttp,
}


def milliseconds_a_page(pages: list[SamplePage]) -> dict[str, float]:
    """Return the processor time that each installed client takes for a page."""
    best: dict[str, float] = {}
    with serving(pages) as port:

        async def crawl(get: Get, number: int) -> int:
            numbers = ((number * 7 + place) % len(pages) for place in range(PAGES_A_ROUND // len(ADDRESSES)))
            return sum([await get(f"{ADDRESSES[number]}:{port}", f"/{page}.html") for page in numbers])

        async def measured(get: Get) -> float:
            began_s = processor_s()
            fetched = await asyncio.gather(*(crawl(get, number) for number in range(len(ADDRESSES))))
            assert min(fetched) > 0
            return (processor_s() - began_s) / PAGES_A_ROUND * 1000

        for _ in range(ROUNDS):
            for name, client in CLIENTS.items():
                if name == "bare asyncio" or importlib.util.find_spec(name):
                    best[name] = min(best.get(name, math.inf), asyncio.run(client(measured)))
    return best


def measure() -> dict[str, float]:
    """Return the figures that have floors; none where the pages are not installed."""
    pages = documentation_pages()
    if not pages:
        return {}
    taken = milliseconds_a_page(pages)
    figures = {"fetch.cpu_vs_bare_asyncio": taken["gossamer"] / taken["bare asyncio"]}
    if "aiohttp" in taken:
        figures["fetch.cpu_vs_aiohttp"] = taken["gossamer"] / taken["aiohttp"]
    return figures


if __name__ == "__main__":
    print(describe(sample := documentation_pages()))
    for name, taken_ms in sorted(milliseconds_a_page(sample).items(), key=lambda item: item[1]):
        print(f"{name:14}{taken_ms:8.4f} ms a page")
