"""Serving the pages until somebody ends it."""

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import h11
import msgspec
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from gossamer.errors import BadInput
from gossamer.ui.app import PLACES, application
from gossamer.ui.page_context import Desk
from gossamer.ui.security import LOOPBACK_NAMES, Guard

_SHORTEST_TOKEN = 16


class Order(msgspec.Struct, frozen=True):
    """What to serve, and where."""

    folder: Path
    host: str = "127.0.0.1"
    port: int = 8080
    """0 takes any that is free."""
    token: str = ""
    ends_s: float | None = None


def guard_for(order: Order) -> Guard:
    """Say who is let in; refuse what would let in everybody."""
    if order.token and len(order.token) < _SHORTEST_TOKEN:
        raise BadInput(f"a token needs at least {_SHORTEST_TOKEN} characters that nobody guesses")
    if order.token:
        return Guard(order.token, names=())  # whoever comes by another name does not bring our cookie
    if not _is_loopback(order.host):
        raise BadInput(
            f"at {order.host} others could come in: give a --token that they must know, or serve at 127.0.0.1"
        )
    return Guard(names=(*LOOPBACK_NAMES, _spelt(order.host)))


def serve(order: Order, tell: Callable[[str], None]) -> None:
    """Serve until a signal or the given time ends it; `tell` hears the address once it answers."""
    guard = guard_for(order)
    with Desk(order.folder, PLACES) as desk, _listening(order) as listening:
        config = uvicorn.Config(
            application(desk, guard),
            http=Patient,
            ws="none",
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=3,
        )
        tell(f"http://{_spelt(order.host)}:{listening.getsockname()[1]}/")
        asyncio.run(_serve(_Server(config), listening, order.ends_s))


class Patient(H11Protocol):
    """A connection that is let go of when its next question does not come to an end: many such would take all places."""

    patience_s = 15.0
    _ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for a question."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take a part of a question; once it is whole, nobody waits any more."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        elif self._ends is not None:
            self._ends.cancel()
            self._ends = None

    def _wait(self) -> None:
        if self._ends is None:
            self._ends = self.loop.call_later(self.patience_s, self.transport.close)


class _Server(uvicorn.Server):
    """A server that leaves signals to us: its own way ends the program with an error."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing about signals."""
        yield


async def _serve(server: _Server, listening: socket.socket, ends_s: float | None) -> None:
    def end() -> None:
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(RuntimeError, ValueError):  # not in the main thread: then whoever started it ends it
            loop.add_signal_handler(number, end)
    if ends_s is not None:
        loop.call_later(ends_s, end)
    await server.serve(sockets=[listening])


@contextmanager
def _listening(order: Order) -> Iterator[socket.socket]:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            order.host, order.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, protocol)
    except OSError as error:
        raise BadInput(f"{order.host} is no address of this machine: {error.strerror}") from None
    with found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(address)
            found.listen(128)
        except OSError as error:
            raise BadInput(
                f"nothing can be served at {order.host}, port {order.port}: {error.strerror}; try --port 0"
            ) from None
        yield found


def _spelt(host: str) -> str:
    """Return a host as URLs spell it."""
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
