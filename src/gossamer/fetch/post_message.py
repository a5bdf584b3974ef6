"""Post a message to a web address that a user named, never to an address that the guard refuses.

The name is looked up once, and the connection goes to an address that was checked, so a name cannot point elsewhere in between.
Redirects are not followed.
"""

import http.client
import socket
import ssl
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from gossamer.errors import BadInput
from gossamer.fetch.address_guard import check_address

TRIES = 3
_FIRST_PAUSE_S = 1.0
_TIMEOUT_S = 20.0
_SUCCESS = range(200, 300)
_WORTH_RETRYING = frozenset({408, 425, 429, 500, 502, 503, 504})
_PORTS = {"http": 80, "https": 443}


def check_post_address(url: str) -> None:
    """Raise BadInput if this is not a URL to which a message can be posted."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in _PORTS and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable or any(char.isspace() or not char.isprintable() for char in url):
        raise BadInput(f"{url!r} is not an address to post to; give it as https://HOST/PATH")


def post_message(
    url: str,
    body: bytes,
    agent: str,
    allow_private: tuple[str, ...] = (),
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Post JSON; return why that failed, or "". Failures of the network or the server are tried again, twice."""
    why = ""
    for attempt in range(TRIES):
        if attempt:
            sleep(_FIRST_PAUSE_S * 2 ** (attempt - 1))
        try:
            status = _post_once(url, body, agent, allow_private)
        except _AddressRefusedError as error:
            return str(error)
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = str(error) or type(error).__name__
            continue
        if status in _SUCCESS:
            return ""
        why = f"the server answered with status {status}"
        if status not in _WORTH_RETRYING:
            return why
    return why


class _AddressRefusedError(Exception):
    """The address guard refuses all addresses of the host."""


def _post_once(url: str, body: bytes, agent: str, allow_private: tuple[str, ...]) -> int:
    """Post once; return the status of the answer."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or _PORTS[parts.scheme]
    connection = http.client.HTTPConnection(host, port, timeout=_TIMEOUT_S)
    try:
        plain = socket.create_connection((_find_address(host, port, allow_private), port), _TIMEOUT_S)
        secure = parts.scheme == "https"
        connection.sock = _secure(plain, host) if secure else plain
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Content-Type": "application/json", "User-Agent": agent, "Connection": "close"}
        headers["Host"] = parts.netloc.rpartition("@")[2]
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


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
    raise _AddressRefusedError(
        f"its address is not public ({refused}); --allow-private permits private networks"
    )
