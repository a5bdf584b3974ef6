"""Log each request that was answered: who asked in which role, for what, with which status, and how long it took.

Queries are left out: what people search for is not for a log, and addresses of links may hold secrets.
"""

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger("gossamer.serve")


def log_requests(app: ASGIApp) -> ASGIApp:
    """Return an application that logs its requests; the same one if that level is off."""
    if not _log.isEnabledFor(logging.INFO) or not _log.hasHandlers():
        return app

    async def logged(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        began_s, status = time.perf_counter(), 0

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, note_status)
        except Exception:
            _log.exception("%s %s has failed", scope["method"], scope["path"])
            raise
        took_ms = (time.perf_counter() - began_s) * 1000
        client = (scope.get("client") or ("",))[0]
        _log.info("%s %s %s, %d in %.1f ms", client, scope["method"], scope["path"], status, took_ms)

    return logged
