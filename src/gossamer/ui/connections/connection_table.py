"""The open connections, by address and by how long each has kept the server waiting."""

import ipaddress
from typing import Protocol

from gossamer.ui.connections.connection_limits import ConnectionLimits

# One client has a whole network of this size, and could use another address for each connection.
_IPV6_NETWORK_BITS = 64


class Connection(Protocol):
    """A connection, as the table sees it."""

    address: str
    """Of the client, as `name_client` returns it."""

    def abort(self) -> None:
        """Close at once, without sending what is pending."""

    def check(self, now_s: float) -> None:
        """Abort if the client has kept the server waiting for too long."""


class ConnectionTable:
    """Knows all open connections, and closes some of them to keep room for new clients.

    A connection waits while its client has to do something: send a request, or read an answer. Waiting ones are kept in
    the order in which their wait began, so that finding the longest takes constant time.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._waiting: dict[str, dict[Connection, None]] = {}
        """By address, longest wait first."""
        self._all_waiting: dict[Connection, None] = {}
        self._open: dict[str, int] = {}
        self._connections: set[Connection] = set()

    def __len__(self) -> int:
        return len(self._connections)

    def add(self, connection: Connection) -> bool:
        """Add a connection, in place of a waiting one if there are too many; return whether there is room for it."""
        address = connection.address
        if self._open.get(address, 0) >= self.limits.by_address and not is_own_machine(address):
            if not self._close_first(self._waiting.get(address, {})):
                return False
        elif len(self._connections) >= self.limits.connections and not self.close_longest_waiting():
            return False
        self._connections.add(connection)
        self._open[address] = self._open.get(address, 0) + 1
        self.begin_wait(connection)
        return True

    def remove(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        if connection not in self._connections:
            return
        self._connections.remove(connection)
        self.end_wait(connection)
        self._open[connection.address] -= 1
        if not self._open[connection.address]:
            del self._open[connection.address]

    def begin_wait(self, connection: Connection) -> None:
        """Note that the server waits for a client from now on, or that the client has just done a part."""
        if connection in self._connections:
            self.end_wait(connection)
            self._waiting.setdefault(connection.address, {})[connection] = None
            self._all_waiting[connection] = None

    def end_wait(self, connection: Connection) -> None:
        """Note that a client has done its part."""
        if connection in self._all_waiting:
            del self._all_waiting[connection]
            same = self._waiting[connection.address]
            del same[connection]
            if not same:
                del self._waiting[connection.address]

    def close_longest_waiting(self) -> bool:
        """Close the connection that has waited longest; return whether there was one."""
        return self._close_first(self._all_waiting)

    def close_all_waiting(self) -> None:
        """Close all waiting connections."""
        while self.close_longest_waiting():
            pass

    def close_overdue(self, now_s: float) -> None:
        """Close the connections that have waited for too long; cost: proportional to the waiting ones."""
        for connection in list(self._all_waiting):
            connection.check(now_s)

    def _close_first(self, waiting: dict[Connection, None]) -> bool:
        first = next(iter(waiting), None)
        if first is None:
            return False
        self.remove(first)
        first.abort()
        return True


def name_client(host: str) -> str:
    """Return the name under which connections from an address are counted: an IPv6 network counts as one client."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    if address.is_loopback:
        return str(address)
    return str(ipaddress.ip_network((address, _IPV6_NETWORK_BITS), strict=False))


def is_own_machine(client: str) -> bool:
    """Say whether a client's name stands for this machine."""
    return client.startswith("127.") or client in ("::1", "")
