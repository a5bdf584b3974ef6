"""The result of the last link check of a web, grouped by address."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.link_check.last_result import read_last_result
from gossamer.link_check.problem import PROBLEMS, summarise
from gossamer.link_check.reports.grouped_targets import describe_places, group_by_target
from gossamer.ui.page_context import get_context

_MOST_GROUPS = 200
_MOST_PLACES = 20


def show_check(request: Request) -> Response:
    """Show what the last `gossamer check` of this web found."""
    context = get_context(request)
    with context.borrow_web() as web:
        result = read_last_result(web.folder)
    groups = group_by_target(result.problems) if result is not None else []
    return context.render_page(
        request,
        "check.html",
        numbers=summarise(result) if result is not None else None,
        when_s=result.when_s if result is not None else 0.0,
        groups=groups[:_MOST_GROUPS],
        left_out=max(len(groups) - _MOST_GROUPS, 0),
        most_places=_MOST_PLACES,
        describe_places=describe_places,
        meanings={name: meaning for name, (_, meaning) in PROBLEMS.items()},
    )


ROUTES = (Route("/check", show_check),)
