"""What keeps strangers out: whose name this server is called by, who may ask, from which page, and what answers may do."""

import hashlib
import hmac
from collections.abc import Mapping

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "gossamer"
ENTRANCE = "/enter"
_OPEN_TO_ALL = (ENTRANCE, "/static/")
_READING = ("GET", "HEAD")
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not no-referrer: forms of our own pages would then come from nowhere.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "private, no-cache",
}
"""Of every answer that does not say otherwise itself."""


class Guard(msgspec.Struct, frozen=True):
    """Who is let in."""

    token: str = ""
    """What a visitor must know; "" lets everybody in."""
    names: tuple[str, ...] = LOOPBACK_NAMES
    """By which the server may be called; none stands for all.

    A page of somebody else can let its own name point to this machine, and would then be of the same origin.
    """

    def cookie(self) -> str:
        """Return what a browser shows instead of the token."""
        return hmac.new(self.token.encode(), b"gossamer serve", hashlib.sha256).hexdigest()

    def knows(self, told: str) -> bool:
        """Say whether this is the token. Takes as long for every answer."""
        return hmac.compare_digest(told.encode(), self.token.encode())


class Safety:
    """Stands between the server and the application."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on; either way the answer gets its headers."""
        if scope["type"] != "http":
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refusal(scope)
        await (refused or self._app)(scope, receive, send_safely)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if self._guard.names and _name_of(headers.get("host", "")) not in self._guard.names:
            return _refused(scope, "This server is not called by that name.", 421)
        if _is_from_elsewhere(scope["method"], headers):
            return _refused(scope, "Only pages of this server may ask for that.", 403)
        if self._guard.token and not self._may_enter(scope["path"], headers):
            if scope["path"].startswith("/api"):
                return _refused(scope, "Say the token: Authorization: Bearer …", 401)
            return RedirectResponse(ENTRANCE, 303)
        return None

    def _may_enter(self, path: str, headers: Headers) -> bool:
        if path.startswith(_OPEN_TO_ALL):
            return True
        kind, _, told = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self._guard.knows(told.strip()):
            return True
        shown = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        return hmac.compare_digest(shown.encode(), self._guard.cookie().encode())


def _name_of(host: str) -> str:
    """Return a Host header without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _is_from_elsewhere(method: str, headers: Mapping[str, str]) -> bool:
    """Say whether a page of somebody else asks: it may lead here, but neither load from here nor send anything."""
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site", "none")
    if method not in _READING:
        ours = origin is None or origin.partition("://")[2].lower() == headers.get("host", "").lower()
        return not ours or site not in ("same-origin", "none")
    if site in ("same-origin", "none"):
        return False
    # The copy of a page that we show is sandboxed: it is a stranger here as well.
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document"


def _refused(scope: Scope, sentence: str, status: int) -> Response:
    if scope["path"].startswith("/api"):
        return JSONResponse({"error": sentence}, status)
    return PlainTextResponse(sentence, status)
