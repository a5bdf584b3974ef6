"""Serve a lab world over real HTTP on loopback: each host at its own 127.x.y.z address, on one port."""

import asyncio
import itertools
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Any

import msgspec

from gossamer.errors import BadInput
from gossamer.file_limit import raise_file_limit
from gossamer.lab.server.answer import Answering, LocatedWorld
from gossamer.lab.server.clock import Clock, RealClock
from gossamer.lab.server.handle_request import Limits, find_addresses
from gossamer.lab.server.loopback_sockets import open_listeners
from gossamer.lab.server.request_log import RequestLog
from gossamer.lab.server.worker import WorkerOptions, serve_sockets
from gossamer.lab.server.worker_processes import Fleet

_WANTED_FILES = 65_536
"""Each client keeps connections open: a crawl some hundreds, a comparison of crawlers more."""


class LabServer(msgspec.Struct, frozen=True):
    """A world that is being served: its port, its start URLs and its request log."""

    world: Answering
    """The world as served, with the port in its URLs."""
    port: int
    clock: Clock
    _log: RequestLog
    _collect: Callable[[], None]

    @property
    def log(self) -> RequestLog:
        """Every request answered so far, in all processes."""
        self._collect()
        return self._log

    @property
    def seeds(self) -> list[str]:
        """URLs to start a crawl of this world at."""
        if isinstance(self.world, LocatedWorld):
            return self.world.seeds()
        return [self.url(host) for host in self.world.hosts()[:1]]

    @property
    def host_map(self) -> dict[str, str]:
        """Map each host name to its address; empty if the names are the addresses."""
        return self.world.host_map() if isinstance(self.world, LocatedWorld) else {}

    def url(self, host: str = "127.0.0.1", path: str = "/") -> str:
        """Return the URL of a path on a host of this world."""
        return f"http://{host}:{self.port}{path}"


@asynccontextmanager
async def serve(
    world: Answering,
    port: int = 0,
    processes: int = 1,
    clock: Clock | None = None,
    limits: Limits | None = None,
    log: RequestLog | None = None,
) -> AsyncIterator[LabServer]:
    """Serve a world while the context is open: in this process, or in `processes` others if more than one.

    Other processes start with a fresh interpreter, so they need a world that can be pickled.
    """
    if processes < 1:
        raise BadInput(f"processes must be 1 or more, not {processes}.")
    raise_file_limit(_WANTED_FILES)
    log = RequestLog() if log is None else log  # not `log or …`: an empty log is false
    clock = clock or RealClock()
    sockets = open_listeners(find_addresses(world) or {"127.0.0.1"}, port, processes)
    with ExitStack() as closing:
        for listener in itertools.chain(*sockets):
            closing.enter_context(listener)
        port = sockets[0][0].getsockname()[1]
        world = world.with_port(port) if isinstance(world, LocatedWorld) else world
        options = WorkerOptions(world, port, clock, limits or Limits())
        async with _start_workers(options, sockets, log) as collect:
            yield LabServer(world, port, clock, log, collect)


@asynccontextmanager
async def _start_workers(
    options: WorkerOptions, sockets: list[list[socket.socket]], log: RequestLog
) -> AsyncIterator[Callable[[], None]]:
    """Serve here or in other processes; yield a function that brings the log up to date."""
    if len(sockets) == 1:
        async with serve_sockets(options, sockets[0], log):
            yield partial(_sync_log, log, asyncio.get_running_loop(), threading.get_ident())
        return
    fleet = await asyncio.to_thread(Fleet, options, sockets, log)
    try:
        yield fleet.collect
    finally:
        await asyncio.to_thread(fleet.stop)


def _sync_log(log: RequestLog, loop: asyncio.AbstractEventLoop, thread: int) -> None:
    """Bring the log up to date: a client in another thread may have its reply before it is logged."""
    if threading.get_ident() != thread and loop.is_running():
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result()
    log.flush()


@contextmanager
def serving(
    world: Answering,
    port: int = 0,
    processes: int = 1,
    clock: Clock | None = None,
    limits: Limits | None = None,
    log: RequestLog | None = None,
) -> Iterator[LabServer]:
    """Serve a world from a background thread, for code without asyncio."""
    entered: Future[tuple[LabServer, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def host() -> None:
        leave = asyncio.Event()
        async with serve(world, port, processes, clock=clock, limits=limits, log=log) as running:
            entered.set_result((running, asyncio.get_running_loop(), leave))
            await leave.wait()

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="lab") as pool:
        hosting = pool.submit(lambda: asyncio.run(host()))
        waited: list[Future[Any]] = [entered, hosting]
        wait(waited, return_when=FIRST_COMPLETED)
        if not entered.done():
            hosting.result()  # raises the error
        running, loop, leave = entered.result()
        try:
            yield running
        finally:
            loop.call_soon_threadsafe(leave.set)
            hosting.result()
