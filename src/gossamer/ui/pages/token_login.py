"""The door: a browser that shows the token once is known afterwards."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.ui.forms import fields_of
from gossamer.ui.page_context import desk_of
from gossamer.ui.security import COOKIE, ENTRANCE, Guard

_MONTH_S = 30 * 86_400
_NOT_KNOWN = 403


def door(request: Request) -> Response:
    """Ask for the token; where there is none, everybody is in."""
    if not request.app.state.guard.token:
        return RedirectResponse("/", 303)
    return desk_of(request).page(request, "enter.html", wrong=False)


async def enter(request: Request) -> Response:
    """Let in who knows the token."""
    guard: Guard = request.app.state.guard
    form = await fields_of(request)  # the key of our forms is for those who are in
    if not guard.knows(form.get("token", "").strip()):
        return desk_of(request).page(request, "enter.html", _NOT_KNOWN, wrong=True)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, guard.cookie(), max_age=_MONTH_S, httponly=True, samesite="lax")
    return answer


ROUTES = (Route(ENTRANCE, door), Route(ENTRANCE, enter, methods=["POST"]))
