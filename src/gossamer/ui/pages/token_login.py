"""Log in with the token: a browser that sends it once gets a cookie."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.ui.forms import read_fields
from gossamer.ui.page_context import get_context
from gossamer.ui.security import COOKIE, ENTRANCE, Guard

_MONTH_S = 30 * 86_400
_WRONG_TOKEN = 403
# Who has not logged in does not learn the title of the web.
_NAME = "Gossamer"


def ask_token(request: Request) -> Response:
    """Ask for the token; without one, go to the search page."""
    if not request.app.state.guard.token:
        return RedirectResponse("/", 303)
    return get_context(request).render_page(request, "enter.html", wrong=False, site_name=_NAME)


async def log_in(request: Request) -> Response:
    """Check the token, and set the cookie."""
    guard: Guard = request.app.state.guard
    form = await read_fields(request)  # the key of our forms is not shown before the login
    if not guard.is_token(form.get("token", "").strip()):
        return get_context(request).render_page(
            request, "enter.html", _WRONG_TOKEN, wrong=True, site_name=_NAME
        )
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, guard.make_cookie(), max_age=_MONTH_S, httponly=True, samesite="lax")
    return answer


ROUTES = (Route(ENTRANCE, ask_token), Route(ENTRANCE, log_in, methods=["POST"]))
