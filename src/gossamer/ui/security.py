"""Protect the server: check host names and origins of requests, find their visitors, and add security headers to answers."""

import logging
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gossamer.errors import BadInput
from gossamer.ui.access.authenticator import Authenticator
from gossamer.ui.access.visitor import is_for_programs

READING = ("GET", "HEAD")
"""The methods of requests that change nothing."""
FOR_EXTENSIONS = "/api/navigate/"
_EXTENSIONS = ("chrome-extension://", "moz-extension://")
_NO_USERS = 503

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


class SecurityMiddleware:
    """Checks requests before the application gets them, and adds headers to answers."""

    def __init__(
        self,
        app: ASGIApp,
        authenticator: Authenticator,
        is_paired: Callable[[Mapping[str, str]], bool] = lambda _: False,
    ) -> None:
        self._app = app
        self._authenticator = authenticator
        self._is_paired = is_paired
        """Says whether headers have the token of a paired browser."""

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
        try:
            return self._check_visitor(scope, headers)
        except BadInput as error:
            logging.getLogger(__name__).error("%s", error)
            return _make_refusal(
                scope, "The users of this server cannot be read; its log has the details.", _NO_USERS
            )

    def _check_visitor(self, scope: Scope, headers: Headers) -> Response | None:
        """Refuse a request of another site or under another name; otherwise note who sent it."""
        if not self._authenticator.needs_login() and not self._authenticator.is_own_name(headers):
            return _make_refusal(scope, "This server does not answer to that host name.", 421)
        is_cross_site = _is_cross_site(scope["method"], headers) or _is_web_origin(scope["path"], headers)
        if is_cross_site and not self._is_from_extension(scope["path"], headers):
            return _make_refusal(scope, "Only pages of this server may send this request.", 403)
        scope.setdefault("state", {})["visitor"] = self._authenticator.identify(headers)
        return None

    def _is_from_extension(self, path: str, headers: Mapping[str, str]) -> bool:
        """Say whether an extension of a browser sends a request to the part that is for extensions; it needs its token all the same.

        Browsers set the origin of a request themselves: a page of the web cannot have this one. Firefox sends no origin with a GET
        of an extension, and calls it cross-site. There, the token is the proof: no page knows it, and none may send the header
        with it to another site, since that takes a permission (CORS) that this server never gives.
        """
        if not path.startswith(FOR_EXTENSIONS):
            return False
        origin = headers.get("origin")
        return self._is_paired(headers) if origin is None else origin.startswith(_EXTENSIONS)


def is_from_own_page(headers: Mapping[str, str]) -> bool:
    """Say whether the headers prove that a page of this server sent the request: it is not enough that none says otherwise."""
    return _is_own_origin(headers) or headers.get("sec-fetch-site") == "same-origin"


def _has_body(headers: Mapping[str, str]) -> bool:
    return headers.get("content-length", "0").strip("0") != "" or "transfer-encoding" in headers


def _is_cross_site(method: str, headers: Mapping[str, str]) -> bool:
    """Say whether a page of another site sends a request that it may not: it may link here, but not load or post."""
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site", "none")
    if method not in READING:
        ours = origin is None or _is_own_origin(headers)
        return not ours or site not in ("same-origin", "none")
    if site in ("same-origin", "none"):
        return False
    # The archived copies that we show are sandboxed, and count as another site too.
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document"


def _is_web_origin(path: str, headers: Mapping[str, str]) -> bool:
    """Say whether a page of another site asks the part that is for extensions; old browsers say no more of it than its origin."""
    return path.startswith(FOR_EXTENSIONS) and "origin" in headers and not _is_own_origin(headers)


def _is_own_origin(headers: Mapping[str, str]) -> bool:
    origin = headers.get("origin", "").partition("://")[2].lower()
    return bool(origin) and origin == headers.get("host", "").lower()


def _make_refusal(scope: Scope, sentence: str, status: int) -> Response:
    if is_for_programs(scope["path"]):
        return JSONResponse({"error": sentence}, status)
    return PlainTextResponse(sentence, status)
