"""Listening on many loopback addresses at once, and on nothing else.

Linux lets any user bind a socket to the device "lo" (kernel 5.7 and later). Such a socket on 0.0.0.0 hears
all of 127.0.0.0/8 with one file descriptor, and no packet from a network card ever reaches it. Where that
is refused, every address gets a socket of its own.
"""

import errno
import socket
from collections.abc import Iterable
from contextlib import ExitStack

from gossamer.errors import BadInput

_BACKLOG = 4096
_TRIES = 50
_DEVICE = b"lo\0"


def loopback(number: int) -> str:
    """Return the address of a lab's host by its number: 127.0.0.1, 127.0.0.2 and so on.

    Addresses ending in 0 and 255 are left out, since some systems treat them as broadcasts.
    """
    middle, last = divmod(number, 254)
    if not 0 <= middle < 65536:
        raise BadInput(f"There are 16,646,144 loopback addresses, so no host can have the number {number}.")
    return f"127.{middle >> 8}.{middle & 255}.{last + 1}"


def listening(
    addresses: Iterable[str], port: int, processes: int = 1, by_device: bool = True
) -> list[list[socket.socket]]:
    """Return sockets for each process that listen at all addresses on one port; port 0 takes a free one."""
    if not 0 <= port <= 65535:
        raise BadInput(f"Port {port} does not exist: ports go from 1 to 65535, and 0 takes a free one.")
    try:
        if by_device and (sockets := _on_device(port, processes)):
            return sockets
        return _on_each(sorted(addresses), port, processes)
    except OSError as error:
        raise BadInput(_refusal(port, error)) from None


def _refusal(port: int, error: OSError) -> str:
    reasons = {
        errno.EADDRINUSE: f"Port {port} is already in use: choose another, or 0 for a free one.",
        errno.EACCES: f"Port {port} needs rights that this user lacks: choose one above 1023.",
        errno.EADDRNOTAVAIL: "This system does not answer at all addresses of 127.0.0.0/8.",
        errno.EMFILE: "There are more hosts than this process may open sockets: ask for fewer hosts.",
    }
    return reasons.get(error.errno or 0, f"Port {port} cannot be listened at: {error.strerror}.")


def _on_device(port: int, processes: int) -> list[list[socket.socket]]:
    """Listen at all of 127.0.0.0/8 through the loopback device; nothing if the system does not allow it."""
    option = getattr(socket, "SO_BINDTODEVICE", None)
    with ExitStack() as undo:
        sockets: list[list[socket.socket]] = []
        for process in range(processes):
            listener = undo.enter_context(socket.socket())
            try:
                listener.setsockopt(socket.SOL_SOCKET, option or 0, _DEVICE)
            except OSError:
                return []
            port = _listen(listener, "0.0.0.0", port, process)  # noqa: S104 - heard on the loopback device only
            sockets.append([listener])
        undo.pop_all()
        return sockets


def _on_each(addresses: list[str], port: int, processes: int) -> list[list[socket.socket]]:
    """Listen at each address by itself; a free port is tried until it is free at all of them."""
    for tries_left in reversed(range(1 if port else _TRIES)):
        with ExitStack() as undo:
            sockets: list[list[socket.socket]] = [[] for _ in range(processes)]
            chosen = port
            try:
                for address in addresses:
                    for process in range(processes):
                        listener = undo.enter_context(socket.socket())
                        chosen = _listen(listener, address, chosen, process)
                        sockets[process].append(listener)
            except OSError as error:
                if error.errno != errno.EADDRINUSE or not tries_left:
                    raise
                continue
            undo.pop_all()
            return sockets
    raise AssertionError("the last try returns or raises")


def _listen(listener: socket.socket, address: str, port: int, process: int) -> int:
    """Bind and listen; the first process finds out whether the port is free, the others share it."""
    listener.setblocking(False)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, process > 0)
    listener.bind((address, port))
    # Set after binding, so that a second lab on this port is refused instead of sharing it.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.listen(_BACKLOG)
    return int(listener.getsockname()[1])
