"""What the proxy answers itself: the script at a reserved path of every site, and the frame of cards at a host of its own.

The frame has an origin of its own, so a page can show it but not read it: a hostile page learns nothing of cards and marks.
Its data needs a header that other origins can only send after a preflight request, which is always refused.
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

HOST = "cards.gossamer.internal"
"""No server can have a name in .internal, and the proxy never asks for this one."""
FOLDER = "/.well-known/gossamer-proxy/"
MOST_BODY_BYTES = 2_000_000
_OURS = "x-gossamer-frame"
_ASSETS = Path(__file__).with_name("assets")
_OK, _FORBIDDEN, _NOT_FOUND, _TOO_LARGE = 200, 403, 404, 413
_FRAME_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
_KEEP, _FORGET = "public, max-age=31536000, immutable", "no-store"

AskServer = Callable[[str, str, bytes], Awaitable[tuple[int, bytes]]]


class OwnAnswer(NamedTuple):
    """An answer that no server gave."""

    status: int
    headers: dict[str, str]
    body: bytes


@cache
def read_page_script() -> bytes:
    """Return the script that goes into pages."""
    return (_ASSETS / "page.js").read_bytes().replace(b"CARDS_HOST", HOST.encode())


@cache
def name_page_script() -> str:
    """Return the path of the script at every site; another version has another path."""
    return f"{FOLDER}{hashlib.sha256(read_page_script()).hexdigest()[:16]}.js"


def write_tag(nonce: str) -> bytes:
    """Return the tag that is inserted into a page."""
    return f'<script async src="{name_page_script()}" nonce="{nonce}"></script>'.encode()


def answer_at_site(path: str) -> OwnAnswer | None:
    """Return the script, if a request at any site is for it."""
    if path != name_page_script():
        return None
    return _send("text/javascript; charset=utf-8", read_page_script(), _KEEP)


async def answer_at_own_host(
    method: str, target: str, headers: Mapping[str, str], body: bytes, ask: AskServer
) -> OwnAnswer:
    """Answer a request to the host of cards; names of headers are in lower case."""
    parts = urlsplit(target)
    if method == "GET" and parts.path in ("/frame", "/frame.js", "/frame.css"):
        return _send_frame(parts.path)
    if parts.path not in ("/marks", "/card"):
        return _refuse(_NOT_FOUND)
    if headers.get(_OURS) != "1" or headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return _refuse(_FORBIDDEN)
    if len(body) > MOST_BODY_BYTES:
        return _refuse(_TOO_LARGE)
    if method == "POST" and parts.path == "/marks":
        status, content = await ask("POST", "/api/navigate/marks", body)
    elif method == "GET" and parts.path == "/card":
        url = parse_qs(parts.query).get("url", [""])[0]
        status, content = await ask("GET", f"/api/navigate/card?{urlencode({'url': url})}", b"")
    else:
        return _refuse(_NOT_FOUND)
    return _send("application/json", content, _FORGET, status)


def _send_frame(path: str) -> OwnAnswer:
    name = "frame.html" if path == "/frame" else path[1:]
    kinds = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
    answer = _send(f"{kinds[name.rpartition('.')[2]]}; charset=utf-8", (_ASSETS / name).read_bytes(), _FORGET)
    answer.headers["Content-Security-Policy"] = _FRAME_POLICY
    if path == "/frame":
        answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


def _send(kind: str, content: bytes, keeping: str, status: int = _OK) -> OwnAnswer:
    headers = {
        "Content-Type": kind,
        "Cache-Control": keeping,
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return OwnAnswer(status, headers, content)


def _refuse(status: int) -> OwnAnswer:
    return _send("text/plain; charset=utf-8", b"Nothing is here for you.\n", _FORGET, status)
