"""Requests of paired browsers: each has the token that its extension was given."""

from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gossamer.ui.access.authenticator import Authenticator
from gossamer.ui.access.paired_browsers import PairedBrowser, PairedBrowsers

_NOT_PAIRED = 401
_SENTENCE = "This browser is not paired, or was revoked: open the options of the extension and press “Pair”."


def get_browsers(request: Request) -> PairedBrowsers:
    """Return the paired browsers of the server."""
    found: PairedBrowsers = request.app.state.paired_browsers
    return found


def find_browser(request: Request) -> PairedBrowser | None:
    """Return the browser that sent a request; None if it has no token that holds."""
    authenticator: Authenticator = request.app.state.authenticator
    return find_by_headers(get_browsers(request), authenticator, request.headers)


def find_by_headers(
    browsers: PairedBrowsers, authenticator: Authenticator, headers: Mapping[str, str]
) -> PairedBrowser | None:
    """Return the browser whose token is in some headers; None if there is none, or it holds no longer."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        return None
    browser = browsers.find(token.strip())
    if browser is None or not authenticator.may_still_read(browser.user, browser.token_sha256, browser.proof):
        return None
    return browser


def refuse_stranger() -> Response:
    """Return the answer to a browser that is not paired."""
    return JSONResponse({"error": _SENTENCE}, _NOT_PAIRED, {"www-authenticate": 'Bearer realm="gossamer"'})


def for_paired(handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Return a handler that answers paired browsers alone."""

    def answer(request: Request) -> Response:
        return handler(request) if find_browser(request) is not None else refuse_stranger()

    answer.__name__, answer.__doc__ = handler.__name__, handler.__doc__
    return answer


def for_paired_async(
    handler: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler of requests with a body that answers paired browsers alone."""

    async def answer(request: Request) -> Response:
        return await handler(request) if find_browser(request) is not None else refuse_stranger()

    answer.__name__, answer.__doc__ = handler.__name__, handler.__doc__
    return answer
