"""The search page: a question, its answers, and what narrows them down."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.ui.desk import desk_of


def home(request: Request) -> Response:
    """Show a box to ask in."""
    return desk_of(request).page(request, "home.html")


def search(request: Request) -> Response:
    """Answer a question."""
    desk = desk_of(request)
    query = request.query_params.get("q", "").strip()
    if not query:
        return desk.page(request, "home.html")
    page = request.query_params.get("page", "1")
    with desk.web() as web:
        found = web.search(query, page=int(page) if page.isdecimal() else 1)
    return desk.page(request, "search.html", query=query, found=found)


ROUTES = (Route("/", home), Route("/search", search))
