import asyncio
import errno
import socket
from typing import Any

import pytest
from tests.unit.ui.connections.limited_server import HANGS_S, wait_for

from gossamer.ui.connections.accept_connections import ConnectionAcceptor


class ShortSocket:
    """A listening socket that fails a few times before it accepts."""

    def __init__(self, listening: socket.socket, *errors: int) -> None:
        self._listening = listening
        self.errors = list(errors)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._listening, name)

    def accept(self) -> tuple[socket.socket, Any]:
        if self.errors:
            raise OSError(self.errors.pop(0), "short")
        return self._listening.accept()


@pytest.mark.parametrize(
    ("errors", "freed"),
    [
        ([errno.EMFILE, errno.EMFILE], 2),
        ([errno.ENFILE], 1),
        ([errno.ECONNABORTED], 0),
    ],
)
def test_clients_are_accepted_after_a_shortage(errors: list[int], freed: int) -> None:
    calls: list[str] = []
    logged: list[dict[str, Any]] = []

    class Greeter(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            transport.write(b"inside")
            transport.close()

    async def check() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context))
        with socket.create_server(("127.0.0.1", 0)) as listening:
            short: Any = ShortSocket(listening, *errors)
            acceptor = ConnectionAcceptor(short, Greeter, lambda: calls.append("freed"))
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            assert await asyncio.wait_for(reader.read(), HANGS_S) == b"inside"
            writer.close()
            acceptor.close()
            await acceptor.wait_closed()

    asyncio.run(check())
    assert (len(calls), logged) == (freed, [])


def test_a_closed_acceptor_does_not_start_again() -> None:
    async def check() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            short: Any = ShortSocket(listening, errno.EMFILE)
            acceptor = ConnectionAcceptor(short, asyncio.Protocol, lambda: None)
            _, writer = await asyncio.open_connection(*listening.getsockname())
            await wait_for(lambda: not short.errors)
            acceptor.close()
            await asyncio.sleep(0.1)
            assert not asyncio.get_running_loop().remove_reader(listening.fileno())
            writer.close()

    asyncio.run(check())
