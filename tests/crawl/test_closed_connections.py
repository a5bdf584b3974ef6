"""Servers that close a kept connection instead of answering: what goes over the wire is what is recorded."""

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.fetching import HERE, in_loop, make_bytes, make_options, open_fetcher
from tests.crawl.harness import CLOCK_NOISE_S, LOOPBACK, run

from gossamer.crawl.task.task import Task
from gossamer.records import Failed, Fetched
from gossamer.web import Web

DELAY_S = 0.2
PAGES = 2
START = make_bytes(b"".join(b"<a href=/%d>x</a>" % n for n in range(PAGES)), b"Content-Type: text/html")


class ClosingServer:
    """A server that keeps connections open, and closes them at some requests instead of answering."""

    def __init__(self, closes: Callable[[str, int], bool]) -> None:
        self.requests: list[tuple[str, int, float]] = []
        """The target of each request, its place on its connection, and when it arrived."""
        self.connections = 0
        self.port = 0
        self._closes = closes
        self._writers: list[asyncio.StreamWriter] = []

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.append(writer)
        try:
            for place in itertools.count():
                head = await reader.readuntil(b"\r\n\r\n")
                target = head.split(b" ")[1].decode()
                self.requests.append((target, place, time.monotonic()))
                if self._closes(target, place):
                    writer.transport.abort()
                    return
                writer.write(make_bytes(status=b"404 Not Found") if target == "/robots.txt" else START)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(self.attend, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def stop(self, server: asyncio.Server) -> None:
        server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0.01)


@contextmanager
def serve_closing(closes: Callable[[str, int], bool]) -> Iterator[ClosingServer]:
    """Serve from a thread."""
    closing = ClosingServer(closes)
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(closing.start())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield closing
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(closing.stop(server))
        loop.close()


class TestClient:
    @in_loop
    async def test_a_request_is_not_repeated_when_a_kept_connection_is_closed(self) -> None:
        closing = ClosingServer(lambda target, place: target == "/x")
        server = await closing.start()
        url = f"http://127.0.0.1:{closing.port}"
        async with open_fetcher() as fetcher:
            assert isinstance(await fetcher.fetch(url + "/a", HERE, make_options()), Fetched)
            outcome = await fetcher.fetch(url + "/x", HERE, make_options())
            assert isinstance(outcome, Failed)
            assert (outcome.cause, outcome.exchange) == ("reset", None)
            assert [(target, place) for target, place, _ in closing.requests] == [("/a", 0), ("/x", 1)]
            assert closing.connections == 1
            assert fetcher.unanswered == 0
        await closing.stop(server)

    @in_loop
    async def test_neither_is_it_repeated_on_another_kept_connection(self) -> None:
        closing = ClosingServer(lambda target, place: target == "/x")
        server = await closing.start()
        url = f"http://127.0.0.1:{closing.port}"
        async with open_fetcher() as fetcher:
            await asyncio.gather(*(fetcher.fetch(url + "/a", HERE, make_options()) for _ in range(3)))
            assert closing.connections == 3
            outcome = await fetcher.fetch(url + "/x", HERE, make_options())
            assert isinstance(outcome, Failed)
            assert [target for target, _, _ in closing.requests].count("/x") == 1
        await closing.stop(server)

    @in_loop
    async def test_a_server_that_did_it_once_gets_a_new_connection_for_each_request(self) -> None:
        closing = ClosingServer(lambda target, place: place > 0)
        server = await closing.start()
        url = f"http://127.0.0.1:{closing.port}"
        async with open_fetcher() as fetcher:
            outcomes = [await fetcher.fetch(f"{url}/{n}", HERE, make_options()) for n in range(6)]
        assert [isinstance(outcome, Fetched) for outcome in outcomes] == [True, False, True, True, True, True]
        assert [place for _, place, _ in closing.requests] == [0, 1, 0, 0, 0, 0]
        await closing.stop(server)


@pytest.mark.slow
@pytest.mark.parametrize("tries", [1, 2])
def test_requests_on_the_wire_are_visits_and_keep_the_pause(tmp_path: Path, tries: int) -> None:
    with serve_closing(lambda target, place: target not in ("/", "/robots.txt")) as server:
        start = f"http://127.0.0.1:{server.port}/"
        options: dict[str, Any] = {"delay_s": DELAY_S, "adaptive": 0.0, "back_off_s": DELAY_S, "tries": tries}
        run(tmp_path / "web", Task(seeds=[start], allow_private=LOOPBACK, **options))
    with Web(tmp_path / "web") as web:
        visits = list(web.store.all_visits())
    assert len(server.requests) == len(visits) == 2 + tries * PAGES
    arrivals = [arrived_s for _, _, arrived_s in server.requests]
    gaps = [after - before for before, after in itertools.pairwise(arrivals)]
    assert min(gaps) >= DELAY_S - CLOCK_NOISE_S
    failed = [visit for visit in visits if visit.result == "failed"]
    assert {visit.cause for visit in failed} == {"reset"}
