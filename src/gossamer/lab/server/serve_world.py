"""Serving a lab world over real HTTP on loopback, each host at its own 127.x.y.z address on one port."""

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
from gossamer.lab.server.answer import Answering, LocatedWorld
from gossamer.lab.server.clock import Clock, RealClock
from gossamer.lab.server.handle_request import Limits, addresses
from gossamer.lab.server.loopback_sockets import listening
from gossamer.lab.server.request_log import RequestLog
from gossamer.lab.server.worker import WorkerOptions, attend
from gossamer.lab.server.worker_processes import Fleet


class Running(msgspec.Struct, frozen=True):
    """A world that is being served."""

    world: Answering
    """As served: with its port."""
    port: int
    clock: Clock
    _log: RequestLog
    _collect: Callable[[], None]

    @property
    def log(self) -> RequestLog:
        """Every request answered so far, of all processes."""
        self._collect()
        return self._log

    @property
    def seeds(self) -> list[str]:
        """Where a crawl of this world can begin."""
        if isinstance(self.world, LocatedWorld):
            return self.world.seeds()
        return [self.url(host) for host in self.world.hosts()[:1]]

    @property
    def host_map(self) -> dict[str, str]:
        """Address of each host that is called by a name."""
        return self.world.host_map() if isinstance(self.world, LocatedWorld) else {}

    def url(self, host: str = "127.0.0.1", path: str = "/") -> str:
        """Return the URL of a page on a host of this world."""
        return f"http://{host}:{self.port}{path}"


@asynccontextmanager
async def serve(
    world: Answering,
    port: int = 0,
    processes: int = 1,
    clock: Clock | None = None,
    limits: Limits | None = None,
    log: RequestLog | None = None,
) -> AsyncIterator[Running]:
    """Serve a world while the context is open: in this process, or in so many others if more than one.

    Other processes begin with a fresh interpreter, so the world has to be one that can be pickled.
    """
    if processes < 1:
        raise BadInput(f"{processes} processes cannot serve: it takes at least 1.")
    log = RequestLog() if log is None else log  # an empty log is false
    clock = clock or RealClock()
    sockets = listening(addresses(world) or {"127.0.0.1"}, port, processes)
    with ExitStack() as closing:
        for listener in itertools.chain(*sockets):
            closing.enter_context(listener)
        port = sockets[0][0].getsockname()[1]
        world = world.with_port(port) if isinstance(world, LocatedWorld) else world
        orders = WorkerOptions(world, port, clock, limits or Limits())
        async with _attended(orders, sockets, log) as collect:
            yield Running(world, port, clock, log, collect)


@asynccontextmanager
async def _attended(
    orders: WorkerOptions, sockets: list[list[socket.socket]], log: RequestLog
) -> AsyncIterator[Callable[[], None]]:
    """Serve here or in other processes; yields what brings the log up to date."""
    if len(sockets) == 1:
        async with attend(orders, sockets[0], log):
            yield partial(_settle, log, asyncio.get_running_loop(), threading.get_ident())
        return
    fleet = await asyncio.to_thread(Fleet, orders, sockets, log)
    try:
        yield fleet.collect
    finally:
        await asyncio.to_thread(fleet.end)


def _settle(log: RequestLog, loop: asyncio.AbstractEventLoop, thread: int) -> None:
    """Bring the log up to date: a client in another thread can be ahead of what the server has noted."""
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
) -> Iterator[Running]:
    """Serve a world from a thread in the background, for code that knows nothing of asyncio."""
    entered: Future[tuple[Running, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def host() -> None:
        leave = asyncio.Event()
        async with serve(world, port, processes, clock, limits, log) as running:
            entered.set_result((running, asyncio.get_running_loop(), leave))
            await leave.wait()

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="lab") as pool:
        hosting = pool.submit(lambda: asyncio.run(host()))
        waited: list[Future[Any]] = [entered, hosting]
        wait(waited, return_when=FIRST_COMPLETED)
        if not entered.done():
            hosting.result()  # raises what went wrong
        running, loop, leave = entered.result()
        try:
            yield running
        finally:
            loop.call_soon_threadsafe(leave.set)
            hosting.result()
