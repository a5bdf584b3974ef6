"""Find the picture that a request asks for."""

import threading
from collections.abc import Mapping

from starlette.requests import Request

from gossamer.errors import BadInput
from gossamer.ui.page_context import get_context
from gossamer.ui.workbench.views.graph_view import LEVELS, GraphView, ViewKey
from gossamer.ui.workbench.views.view_jobs import GraphViews, Progress

_MOST_CHARACTERS = 300
_MAKING = threading.Lock()


def get_views(request: Request, given: Mapping[str, str]) -> tuple[GraphViews, ViewKey]:
    """Return the pictures of the application's web, and which one is asked for."""
    return _get_all(request), read_key(given)


def read_key(given: Mapping[str, str]) -> ViewKey:
    """Return which picture the parameters of a request ask for."""
    level, links = given.get("level") or "pages", given.get("links") or "content"
    if level not in LEVELS:
        raise BadInput(f"a picture cannot show {level[:50]!r}; choose one of {', '.join(LEVELS)}")
    if links not in ("content", "all"):
        raise BadInput(f"links cannot be {links[:50]!r}; choose content or all")
    within = given.get("within", "")[:_MOST_CHARACTERS]
    return ViewKey(level, "all" if links == "all" else "content", within)


def find_ready_view(request: Request, given: Mapping[str, str]) -> GraphView:
    """Return a picture that is there; raise BadInput if it is not, or not as the browser has it."""
    views, key = get_views(request, given)
    view = views.find(key)
    if isinstance(view, str):
        raise BadInput(view)
    if isinstance(view, Progress):
        raise BadInput("the picture is still being made; wait until it is there")
    if given.get("stamp", view.stamp) != view.stamp:
        raise BadInput("the picture was laid out anew; reload the page")
    return view


def _get_all(request: Request) -> GraphViews:
    with _MAKING:
        state = request.app.state
        if not hasattr(state, "graph_views"):
            context = get_context(request)
            state.graph_views = GraphViews(context.open_web, context.folder)
        views: GraphViews = state.graph_views
        return views
