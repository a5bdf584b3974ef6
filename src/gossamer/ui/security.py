"""Protect the server: check host names, tokens and origins of requests, and add security headers to answers."""

import hashlib
import hmac
from base64 import b64decode
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
    # Not no-referrer: forms of our own pages would then have no origin.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "private, no-cache",
}
"""Headers of every answer, unless the answer sets them itself."""


class Guard(msgspec.Struct, frozen=True):
    """Who may use the server."""

    token: str = ""
    """What visitors must know; "" if no token is needed."""
    names: tuple[str, ...] = LOOPBACK_NAMES
    """Host names that requests may use; () for any.

    Another site could point its own name to this machine, and its pages would then have the same origin.
    """

    def make_cookie(self) -> str:
        """Return what a browser sends instead of the token."""
        return hmac.new(self.token.encode(), b"gossamer serve", hashlib.sha256).hexdigest()

    def is_token(self, given: str) -> bool:
        """Say whether this is the token, in constant time."""
        return hmac.compare_digest(given.encode(), self.token.encode())


class SecurityMiddleware:
    """Checks requests before the application gets them, and adds headers to answers."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request or pass it on; add headers to the answer in both cases."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._check_request(scope)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _check_request(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if scope["method"] != "POST" and _has_body(headers):
            return _make_refusal(scope, "Only POST requests may have a body.", 413)
        if self._guard.names and _strip_port(headers.get("host", "")) not in self._guard.names:
            return _make_refusal(scope, "This server does not answer to that host name.", 421)
        if _is_cross_site(scope["method"], headers):
            return _make_refusal(scope, "Only pages of this server may send this request.", 403)
        if self._guard.token and not self._may_enter(scope["path"], headers):
            if scope["path"].startswith("/api"):
                return _make_refusal(scope, "Send the token: Authorization: Bearer …", 401)
            return RedirectResponse(ENTRANCE, 303)
        return None

    def _may_enter(self, path: str, headers: Headers) -> bool:
        if path.startswith(_OPEN_TO_ALL):
            return True
        if self._guard.is_token(_read_token(headers.get("authorization", ""))):
            return True
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        return hmac.compare_digest(cookie.encode(), self._guard.make_cookie().encode())


def _read_token(authorization: str) -> str:
    """Return the token of a header, as a bearer token or as the password of basic authentication."""
    kind, _, given = authorization.partition(" ")
    if kind.lower() != "basic":
        return given.strip() if kind.lower() == "bearer" else ""
    try:
        return b64decode(given.strip(), validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


def _strip_port(host: str) -> str:
    """Return a Host header without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _has_body(headers: Mapping[str, str]) -> bool:
    return headers.get("content-length", "0").strip("0") != "" or "transfer-encoding" in headers


def _is_cross_site(method: str, headers: Mapping[str, str]) -> bool:
    """Say whether a page of another site sends a request that it may not: it may link here, but not load or post."""
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site", "none")
    if method not in _READING:
        ours = origin is None or origin.partition("://")[2].lower() == headers.get("host", "").lower()
        return not ours or site not in ("same-origin", "none")
    if site in ("same-origin", "none"):
        return False
    # The archived copies that we show are sandboxed, and count as another site too.
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document"


def _make_refusal(scope: Scope, sentence: str, status: int) -> Response:
    if scope["path"].startswith("/api"):
        return JSONResponse({"error": sentence}, status)
    return PlainTextResponse(sentence, status)
