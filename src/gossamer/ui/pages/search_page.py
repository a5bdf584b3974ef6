"""The search page: a question, its answers, and what narrows them down."""

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.search.answers.answer_records import Answers
from gossamer.ui.page_context import Desk, desk_of
from gossamer.ui.pages.facet_filters import chips, filters
from gossamer.ui.pages.search_params import Asked, asked_of

_PAGES_AROUND = 4
_ABOUT = re.compile(r'(link|related):"?(\S+?)"?', re.IGNORECASE)
_SAID = {"link": "Pages that link to", "related": "Pages like"}


def home(request: Request) -> Response:
    """Show a box to ask in."""
    desk = desk_of(request)
    with desk.web() as web:
        pages = web.pages_indexed()
    return desk.page(request, "home.html", pages=pages)


def search(request: Request) -> Response:
    """Answer a question."""
    desk, asked = desk_of(request), asked_of(request.query_params)
    if not asked.q and not asked.only:
        return home(request)
    found = answers(desk, asked)
    last = asked.page + (1 if found.more else 0)
    return desk.page(
        request,
        "search.html",
        asked=asked,
        found=found,
        filters=filters(asked, found),
        chips=chips(asked),
        about=_about(asked.q),
        pages=range(max(1, asked.page - _PAGES_AROUND), last + 1) if last > 1 else (),
    )


def _about(query: str) -> tuple[str, str] | None:
    """Return what is asked about one page, in words, and its address; None for other queries."""
    asked = _ABOUT.fullmatch(query)
    return (_SAID[asked[1].lower()], asked[2]) if asked else None


def answers(desk: Desk, asked: Asked) -> Answers:
    """Ask the web."""
    with desk.web() as web:
        return web.search(asked.q, page=asked.page, only=asked.only, years=True)


def related(request: Request) -> Response:
    """Show words that are typical of the answers, and names of pages around them: a look at many pages."""
    desk, asked = desk_of(request), asked_of(request.query_params)
    with desk.web() as web:
        found = web.search(asked.q, only=asked.only, size=1, related=True)
    return desk.page(request, "related.html", asked=asked, found=found)


def suggest(request: Request) -> Response:
    """Return suggestions for somebody who is typing, as a piece of a page."""
    desk = desk_of(request)
    with desk.web() as web:
        found = web.suggestions(request.query_params.get("q", ""))
    return desk.page(request, "suggestions.html", found=found)


def help_page(request: Request) -> Response:
    """Tell what can be asked, and which keys do something."""
    return desk_of(request).page(request, "help.html")


ROUTES = (
    Route("/", home),
    Route("/search", search),
    Route("/related", related),
    Route("/suggest", suggest),
    Route("/help", help_page),
)
