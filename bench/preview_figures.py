"""Measure previews: how long a reader waits for the card of an unknown page, how much of it is read, and how soon a cancelled one is gone.

A small server, in a thread of this process, answers at 40 addresses of loopback: each is a host that the robot has not asked before, so
a preview is robots.txt and the page. `gossamer serve --previews` runs in a process of its own, and a paired browser asks it over one
connection. Bodies are those of the sample of documentation pages. For cancelling, the server does not answer; the time is that from
closing the browser's connection to the end of the robot's, as the server sees it. `link_cards.py` runs this.
"""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from gossamer.errors import BadInput
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.navigate.previews.manners import PreviewManners, read_manners
from gossamer.navigate.previews.read_beginning import BeginningReader
from gossamer.records import Fetched
from gossamer.web import open_to_read

_PAGES, _CANCELLED = 40, 20
_LARGE = b"<html><body>" + b"<p>One of many paragraphs of a page of two megabytes.</p>" * 36_000
_WAIT_S = 30.0


class SmallHost:
    """Answers at many addresses: `/page/N`, `/large`, and `/silent`, which gets no answer."""

    def __init__(self, bodies: list[bytes]) -> None:
        self._bodies = bodies
        self.names = [f"127.9.77.{number + 1}" for number in range(_PAGES + _CANCELLED)]
        self.port = 0
        self.asked, self.gone = threading.Event(), threading.Event()
        self.gone_s = 0.0
        """When the connection of the last request for `/silent` ended."""

    async def start(self) -> None:
        """Listen at all addresses, on one port."""
        first = await asyncio.start_server(self._answer, self.names[0], 0)
        self.port = first.sockets[0].getsockname()[1]
        await asyncio.start_server(self._answer, self.names[1:], self.port)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2):
                if request[1] == b"/silent":
                    self.asked.set()
                    await reader.read()
                    self.gone_s = time.perf_counter()
                    self.gone.set()
                    return
                writer.write(self._make_answer(request[1].decode()))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the robot has gone, or the benchmark ends
        finally:
            writer.close()

    def _make_answer(self, target: str) -> bytes:
        if target == "/robots.txt":
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        body = (
            _LARGE if target == "/large" else self._bodies[int(target.rpartition("/")[2]) % len(self._bodies)]
        )
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


@contextmanager
def run_host(bodies: list[bytes]) -> Iterator[SmallHost]:
    """Run the host in a thread."""
    host, started, ended = SmallHost(bodies), threading.Event(), threading.Event()

    async def run() -> None:
        await host.start()
        started.set()
        await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    try:
        if not started.wait(_WAIT_S):
            raise BadInput("the host of the previews did not start")
        yield host
    finally:
        ended.set()
        thread.join()


def measure_previews(
    ask: Callable[[str, object], Any], web: Path, bodies: list[bytes], server: str, token: str
) -> dict[str, float]:
    """Return the figures; `ask` sends a request as a paired browser, and returns its answer with the milliseconds that it took."""
    with run_host(bodies) as host:
        times = []
        for number, name in enumerate(host.names[:_PAGES]):
            took_ms, answer = ask("previews", {"url": f"http://{name}:{host.port}/page/{number}"})
            if answer["card"]["status"] != 200:
                raise BadInput(f"a preview failed: {answer['note'] or answer['card']}")
            times.append(took_ms)
        cancelled = [_cancel(host, name, server, token) for name in host.names[_PAGES:]]
        read = asyncio.run(_count_read(f"http://{host.names[0]}:{host.port}/large", web))
    return {
        "preview_p50_ms": float(np.percentile(times, 50)),
        "preview_p95_ms": float(np.percentile(times, 95)),
        "preview_cancel_p95_ms": float(np.percentile(cancelled, 95)),
        "preview_read_bytes": float(read),
    }


def _cancel(host: SmallHost, name: str, server: str, token: str) -> float:
    """Ask for a page that does not come, go away, and return after how many milliseconds the robot has gone too."""
    host.asked.clear()
    host.gone.clear()
    parts = urlsplit(server)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=_WAIT_S)
    body = json.dumps({"url": f"http://{name}:{host.port}/silent"})
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", "/api/navigate/previews", body, headers)
    if not host.asked.wait(_WAIT_S):
        raise BadInput("the robot did not ask for the page")
    began_s = time.perf_counter()
    connection.close()
    if not host.gone.wait(_WAIT_S):
        raise BadInput("a cancelled preview is still there")
    return 1_000 * (host.gone_s - began_s)


async def _count_read(url: str, web: Path) -> int:
    """Return how many bytes of the body of a large page the robot reads."""
    reader = BeginningReader(CurlFetcher())
    try:
        found = await reader.read(url, await asyncio.to_thread(partial(_read_manners, web)))
    finally:
        await reader.close()
    if not isinstance(found.outcome, Fetched):
        raise BadInput(f"the large page was not read: {found.outcome}")
    return len(found.outcome.exchange.payload)


def _read_manners(web: Path) -> PreviewManners:
    with open_to_read(web) as opened:
        return read_manners(opened.store)
