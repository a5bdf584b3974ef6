"""The web application: the routes of all pages and of the API, and the answers to errors."""

import os
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from gossamer.errors import BadInput, BadUrl, GossamerError, NoIndex
from gossamer.ui.api import api_page, assess_api, search_api
from gossamer.ui.page_context import PageContext, get_context
from gossamer.ui.pages import (
    assess_pages,
    cached_page,
    changes_page,
    check_page,
    click_counter,
    search_page,
    submit_page,
    token_login,
)
from gossamer.ui.render_template import STATIC, NavItem
from gossamer.ui.run_handlers import Handler, bound_route
from gossamer.ui.security import Guard, SecurityMiddleware
from gossamer.ui.spooled_answer import AnswerSpool

# Each module has a table of routes; some also have an entry in the navigation of every page.
ROUTES: tuple[Sequence[BaseRoute], ...] = (
    search_page.ROUTES,
    cached_page.ROUTES,
    submit_page.ROUTES,
    click_counter.ROUTES,
    changes_page.ROUTES,
    assess_pages.ROUTES,
    check_page.ROUTES,
    token_login.ROUTES,
    api_page.ROUTES,
    search_api.ROUTES,
    assess_api.ROUTES,
)
# They parse a whole page, or read many.
COSTLY: tuple[Handler, ...] = (cached_page.show_copy, cached_page.send_copy, search_page.show_related)
NAVIGATION = (
    NavItem("/changes", "Changes"),
    NavItem("/assess", "Assess"),
    NavItem("/submit", "Submit a page"),
    NavItem("/help", "Help"),
)

_SENTENCES = {404: "There is no such page here.", 405: "This address does not accept that request."}
_HEADINGS = {
    400: "Please check your request",
    404: "Page not found",
    405: "Request not accepted",
    500: "Something went wrong",
}
_WRONG_USE, _FAILED = 400, 500


def make_application(context: PageContext, guard: Guard) -> SecurityMiddleware:
    """Return the pages and the API over a web, as an ASGI application."""
    spool = AnswerSpool()
    routes = [bound_route(route, spool, COSTLY) for table in ROUTES for route in table]
    app = Starlette(
        routes=[*routes, Mount("/static", _Static(directory=STATIC))],
        exception_handlers={
            GossamerError: _answer_error,
            HTTPException: _answer_http_error,
            Exception: _answer_bug,
        },
    )
    app.state.context = context
    app.state.guard = guard
    return SecurityMiddleware(app, guard)


class _Static(StaticFiles):
    """Files that browsers may cache for ever: each version has its own address."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file that browsers may cache."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def _answer_error(request: Request, error: Exception) -> Response:
    """Answer with the message of one of our errors."""
    heading = "No index yet" if isinstance(error, NoIndex) else ""
    status = _WRONG_USE if isinstance(error, BadInput | BadUrl) else _FAILED
    return _answer_sentence(request, str(error), status, heading)


def _answer_http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else _FAILED
    return _answer_sentence(request, _SENTENCES.get(status, "This request cannot be answered."), status)


def _answer_bug(request: Request, _: Exception) -> Response:
    """Answer without details; the server logs them."""
    return _answer_sentence(request, "This is a bug in Gossamer; the server's log has the details.", _FAILED)


def _answer_sentence(request: Request, sentence: str, status: int, heading: str = "") -> Response:
    if request.url.path.startswith("/api"):
        return JSONResponse({"error": sentence}, status)
    whole = f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}."
    return get_context(request).render_page(
        request,
        "sentence.html",
        status,
        title=heading or _HEADINGS.get(status, "Something went wrong"),
        sentence=whole,
    )
