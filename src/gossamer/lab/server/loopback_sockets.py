"""Listen on many loopback addresses at once, and on no other interface.

Linux lets any user bind a socket to the device "lo" (kernel 5.7 and later). Such a socket on 0.0.0.0 serves
all of 127.0.0.0/8 with one file descriptor, and no packet from a network card reaches it. Where the system
refuses that, every address gets its own socket.
"""

import errno
import socket
from collections.abc import Iterable
from contextlib import ExitStack

from gossamer.errors import BadInput

_BACKLOG = 4096
_TRIES = 50
_DEVICE = b"lo\0"


def loopback_address(number: int) -> str:
    """Return the n-th loopback address: 127.0.0.1, 127.0.0.2 and so on.

    Addresses that end in 0 or 255 are skipped, since some systems treat them as broadcasts.
    """
    middle, last = divmod(number, 254)
    if not 0 <= middle < 65536:
        raise BadInput(f"There are 16,646,144 loopback addresses: host number {number} does not exist.")
    return f"127.{middle >> 8}.{middle & 255}.{last + 1}"


def open_listeners(
    addresses: Iterable[str], port: int, processes: int = 1, by_device: bool = True
) -> list[list[socket.socket]]:
    """Return, for each process, sockets that listen at all addresses on one port; port 0 takes a free one."""
    if not 0 <= port <= 65535:
        raise BadInput(f"Port {port} does not exist: use 1 to 65535, or 0 for a free one.")
    try:
        if by_device and (sockets := _listen_on_device(port, processes)):
            return sockets
        return _listen_on_each(sorted(addresses), port, processes)
    except OSError as error:
        raise BadInput(_explain_error(port, error)) from None


def _explain_error(port: int, error: OSError) -> str:
    reasons = {
        errno.EADDRINUSE: f"Port {port} is already in use: choose another, or 0 for a free one.",
        errno.EACCES: f"You may not use port {port}: choose one above 1023.",
        errno.EADDRNOTAVAIL: "This system does not support all addresses of 127.0.0.0/8.",
        errno.EMFILE: "This process may not open enough sockets: use fewer hosts.",
    }
    return reasons.get(error.errno or 0, f"Cannot listen on port {port}: {error.strerror}.")


def _listen_on_device(port: int, processes: int) -> list[list[socket.socket]]:
    """Listen at all of 127.0.0.0/8 through the loopback device; return [] if the system refuses."""
    option = getattr(socket, "SO_BINDTODEVICE", None)
    with ExitStack() as undo:
        sockets: list[list[socket.socket]] = []
        for process in range(processes):
            listener = undo.enter_context(socket.socket())
            try:
                listener.setsockopt(socket.SOL_SOCKET, option or 0, _DEVICE)
            except OSError:
                return []
            port = _listen(listener, "0.0.0.0", port, process)  # noqa: S104 - on the loopback device only
            sockets.append([listener])
        undo.pop_all()
        return sockets


def _listen_on_each(addresses: list[str], port: int, processes: int) -> list[list[socket.socket]]:
    """Listen at each address with its own socket; try ports until one is free at all addresses."""
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
    """Bind and listen; the first process checks that the port is free, the others share it."""
    listener.setblocking(False)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, process > 0)
    listener.bind((address, port))
    # Set after binding, so that a second lab on this port gets an error instead of a share of the requests.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.listen(_BACKLOG)
    return int(listener.getsockname()[1])
