"""Connect to a web address that a user named, never to an address that the guard refuses.

The name is looked up once, and the connection goes to an address that was checked, so a name cannot point elsewhere in between.
"""

import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import SplitResult

from gossamer.fetch.address_guard import check_address

TIMEOUT_S = 20.0
PORTS = {"http": 80, "https": 443}


class AddressRefusedError(Exception):
    """The address guard refuses all addresses of the host."""


@contextmanager
def connect(parts: SplitResult, allow_private: tuple[str, ...]) -> Iterator[http.client.HTTPConnection]:
    """Open a connection for one request, and close it."""
    host = parts.hostname or ""
    port = parts.port or PORTS[parts.scheme]
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    try:
        plain = socket.create_connection((_find_address(host, port, allow_private), port), TIMEOUT_S)
        connection.sock = _secure(plain, host) if parts.scheme == "https" else plain
        yield connection
    finally:
        connection.close()


def format_path(parts: SplitResult) -> str:
    """Return what a request asks for: the path and the query."""
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def make_headers(parts: SplitResult, agent: str) -> dict[str, str]:
    """Return the headers that every request has."""
    return {"User-Agent": agent, "Connection": "close", "Host": parts.netloc.rpartition("@")[2]}


def _secure(plain: socket.socket, host: str) -> socket.socket:
    """Begin TLS on a connection; close it if the certificate is not that of the host."""
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except OSError:
        plain.close()
        raise


def _find_address(host: str, port: int, allow_private: tuple[str, ...]) -> str:
    """Return the first address of a host that the guard allows."""
    found = [
        str(info[4][0]).partition("%")[0] for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    ]
    reasons = {address: check_address(address, allow_private) for address in found}
    for address, why in reasons.items():
        if why is None:
            return address
    refused = ", ".join(f"{address} is {why}" for address, why in reasons.items())
    raise AddressRefusedError(
        f"its address is not public ({refused}); --allow-private permits private networks"
    )
