"""The web application: the routes of all pages and of the API, and the answers to errors."""

import os

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from gossamer.errors import GossamerError
from gossamer.ui.access.authenticator import Authenticator
from gossamer.ui.access.guard import Guard
from gossamer.ui.access.paired_browsers import PairedBrowsers
from gossamer.ui.access.paired_request import find_by_headers
from gossamer.ui.access.roles import ANYONE
from gossamer.ui.answer_errors import answer_bug, answer_error, answer_http_error
from gossamer.ui.check_access import AccessMiddleware
from gossamer.ui.console.make_watch import make_watch
from gossamer.ui.console.tasks.shared_parts import SharedParts
from gossamer.ui.navigate.reading_events import ReadingEvents
from gossamer.ui.navigate.reading_parts import ReadingParts
from gossamer.ui.page_context import PageContext
from gossamer.ui.render_template import STATIC
from gossamer.ui.route_tables import COSTLY, ROUTES
from gossamer.ui.run_handlers import bound_route
from gossamer.ui.security import SecurityMiddleware
from gossamer.ui.spooled_answer import AnswerSpool


def make_application(
    context: PageContext,
    guard: Guard,
    browsers: PairedBrowsers | None = None,
    reading: ReadingParts | None = None,
) -> SecurityMiddleware:
    """Return the pages and the API over a web, as an ASGI application."""
    spool, authenticator = AnswerSpool(), Authenticator(guard)
    static = Mount("/static", _Static(directory=STATIC))
    tables = (*ROUTES, (ANYONE, (static,)))
    app = Starlette(
        routes=[bound_route(route, spool, COSTLY) for _, table in tables for route in table],
        middleware=[Middleware(AccessMiddleware, tables=tables)],
        exception_handlers={
            GossamerError: answer_error,
            HTTPException: answer_http_error,
            Exception: answer_bug,
        },
    )
    app.state.context = context
    app.state.authenticator = authenticator
    paired = app.state.paired_browsers = browsers or PairedBrowsers()
    app.state.reading = reading or ReadingParts()
    app.state.reading_events = ReadingEvents(context)
    parts = app.state.shared_parts = SharedParts()
    app.state.crawl_watch = make_watch(context, parts)
    return SecurityMiddleware(
        app, authenticator, lambda headers: find_by_headers(paired, authenticator, headers) is not None
    )


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
