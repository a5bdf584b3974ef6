"""Post a message to a web address that a user named, never to an address that the guard refuses. Redirects are not followed."""

import http.client
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from gossamer.errors import BadInput
from gossamer.fetch.guarded_connection import (
    PORTS,
    AddressRefusedError,
    connect,
    format_path,
    make_headers,
)

TRIES = 3
_FIRST_PAUSE_S = 1.0
_SUCCESS = range(200, 300)
_WORTH_RETRYING = frozenset({408, 425, 429, 500, 502, 503, 504})


def check_post_address(url: str) -> None:
    """Raise BadInput if this is not a URL to which a message can be posted."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in PORTS and parts.hostname and (parts.port is None or parts.port > 0)
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
        except AddressRefusedError as error:
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


def _post_once(url: str, body: bytes, agent: str, allow_private: tuple[str, ...]) -> int:
    """Post once; return the status of the answer."""
    parts = urlsplit(url)
    with connect(parts, allow_private) as connection:
        headers = make_headers(parts, agent) | {"Content-Type": "application/json"}
        connection.request("POST", format_path(parts), body, headers)
        return connection.getresponse().status
