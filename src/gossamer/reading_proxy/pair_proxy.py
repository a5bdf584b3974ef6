"""Pair the proxy with a server, by the same page as browsers: a person compares the code and presses the button."""

import http.client
import json
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from gossamer.errors import BadInput
from gossamer.reading_proxy.addon.pairing_file import Pairing, write_pairing

_NAME = "gossamer proxy"
_TIMEOUT_S, _PAUSE_S = 10.0, 0.5
_MOST_BYTES = 100_000
_WAITS = "waiting"


def pair(server: str, path: Path, show_code: Callable[[str, str], None]) -> None:
    """Ask a server for a token, and write it to a file; `show_code` gets the code and the page on which a person agrees."""
    server = check_server(server)
    begun = _post(server, "/api/navigate/pairings", {"name": _NAME})
    show_code(begun["code"], server + begun["approve"])
    ends_s = time.monotonic() + float(begun["expires_s"])
    while time.monotonic() < ends_s:
        found = _post(
            server, "/api/navigate/pairings/collect", {"code": begun["code"], "secret": begun["secret"]}
        )
        if found["state"] != _WAITS:
            write_pairing(path, Pairing(server, found["token"]))
            return
        time.sleep(_PAUSE_S)
    raise BadInput("the code was not confirmed in time; run `gossamer proxy --pair` again")


def check_server(server: str) -> str:
    """Return the address of a server without a slash at its end; raise BadInput if it is none."""
    parts = urlsplit(server)
    try:
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or parts.query or parts.fragment or parts.username:
        raise BadInput(
            f"{server[:200]!r} is not the address of a server; give one such as http://127.0.0.1:8080"
        )
    return server.rstrip("/")


def _post(server: str, path: str, given: object) -> dict[str, str]:
    request = Request(  # noqa: S310 - the address was checked
        server + path, json.dumps(given).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310 - the same
            found = json.loads(answer.read(_MOST_BYTES))
    except HTTPError as error:
        raise BadInput(_explain(server, error)) from None
    except (URLError, OSError, http.client.HTTPException, ValueError):
        raise BadInput(
            f"no server of Gossamer answers at {server}; start `gossamer serve`, or name another with --server"
        ) from None
    if not isinstance(found, dict):
        raise BadInput(f"{server} is not a server of Gossamer")
    return found


def _explain(server: str, error: HTTPError) -> str:
    try:
        return str(json.loads(error.read(_MOST_BYTES))["error"])
    except (ValueError, KeyError, TypeError, OSError):
        return f"{server} answered {error.code}; is it a server of Gossamer that can pair browsers?"
