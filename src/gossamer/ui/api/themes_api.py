"""The JSON API of themes: all of them, one, and where the links of answers lead."""

from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.context.themes.web_themes import choose_theme, group_answer_links, load_themes
from gossamer.ui.api.json_io import make_response, read_parameters
from gossamer.ui.api.search_records import ApiParameters
from gossamer.ui.page_context import get_context


class ThemeParameters(ApiParameters, frozen=True, kw_only=True):
    """A theme."""

    theme: Annotated[str, Meta(description="The number or the name of the theme.")]


class LinkParameters(ApiParameters, frozen=True, kw_only=True):
    """A query."""

    q: Annotated[str, Meta(description="The query.")]


def send_themes(request: Request) -> Response:
    """Send all themes of the web."""
    return make_response(load_themes(get_context(request).folder))


def send_theme(request: Request) -> Response:
    """Send one theme."""
    called = read_parameters(request.query_params, ThemeParameters).theme
    return make_response(choose_theme(load_themes(get_context(request).folder), called))


def send_links(request: Request) -> Response:
    """Send where the links of the best answers to a query lead."""
    query = read_parameters(request.query_params, LinkParameters).q
    with get_context(request).borrow_web() as web:
        return make_response(group_answer_links(web.folder, web.store, query, web.pages_found))


ROUTES = (
    Route("/api/themes", send_themes),
    Route("/api/theme", send_theme),
    Route("/api/links", send_links),
)
