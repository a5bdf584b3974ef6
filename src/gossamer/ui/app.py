"""The application: all pages and the API, put together."""

import os
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from gossamer.errors import BadInput, BadUrl, GossamerError
from gossamer.ui.api import assess_api, search_api
from gossamer.ui.page_context import Desk, desk_of
from gossamer.ui.pages import assess_pages, cached_page, click_counter, search_page, submit_page, token_login
from gossamer.ui.render_template import STATIC, Place
from gossamer.ui.security import Guard, Safety

# Each part of this room brings a table of routes, and perhaps a place in the head of every page.
ROUTES: tuple[Sequence[BaseRoute], ...] = (
    search_page.ROUTES,
    cached_page.ROUTES,
    submit_page.ROUTES,
    click_counter.ROUTES,
    assess_pages.ROUTES,
    token_login.ROUTES,
    search_api.ROUTES,
    assess_api.ROUTES,
)
PLACES = (Place("/assess", "Assess"), Place("/submit", "Submit a page"), Place("/help", "Help"))

_SENTENCES = {404: "There is no such page here.", 405: "That cannot be done here."}
_WRONG_USE, _FAILED = 400, 500


def application(desk: Desk, guard: Guard) -> Safety:
    """Return all pages over a collection, as an ASGI application."""
    app = Starlette(
        routes=[*(route for table in ROUTES for route in table), Mount("/static", _Static(directory=STATIC))],
        exception_handlers={GossamerError: _failed, HTTPException: _not_there, Exception: _mistaken},
    )
    app.state.desk = desk
    app.state.guard = guard
    return Safety(app, guard)


class _Static(StaticFiles):
    """Files that never change: another version has another address."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file that browsers may keep."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def _failed(request: Request, error: Exception) -> Response:
    """Say in one sentence what went wrong."""
    return _told(request, str(error), _WRONG_USE if isinstance(error, BadInput | BadUrl) else _FAILED)


def _not_there(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else _FAILED
    return _told(request, _SENTENCES.get(status, "That cannot be answered."), status)


def _mistaken(request: Request, _: Exception) -> Response:
    """Say that something went wrong which should not; the server tells its operator what."""
    return _told(request, "This is a mistake of the program: whoever runs it sees which.", _FAILED)


def _told(request: Request, sentence: str, status: int) -> Response:
    if request.url.path.startswith("/api"):
        return JSONResponse({"error": sentence}, status)
    whole = f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}."
    return desk_of(request).page(request, "sentence.html", status, title="Not answered", sentence=whole)
