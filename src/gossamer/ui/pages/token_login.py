"""Log in with a token, and log out: a browser that sends the token once gets the cookie of a session."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.ui.access.authenticator import COOKIE, SESSION_S, Authenticator
from gossamer.ui.access.visitor import get_visitor
from gossamer.ui.forms import ENTRANCE, read_fields
from gossamer.ui.page_context import get_context

_WRONG_TOKEN = 403


def ask_token(request: Request) -> Response:
    """Ask for the token; if none is needed, go to the search page."""
    if not _get_authenticator(request).needs_login():
        return RedirectResponse("/", 303)
    return _render_form(request)


async def log_in(request: Request) -> Response:
    """Check the token, and set the cookie of a new session."""
    form = await read_fields(request)
    cookie = _get_authenticator(request).log_in(form.get("token", "").strip())
    if not cookie:
        return _render_form(request, _WRONG_TOKEN, wrong=True)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        COOKIE, cookie, max_age=SESSION_S, httponly=True, samesite="lax", secure=_is_secure(request)
    )
    return answer


async def log_out(request: Request) -> Response:
    """End the session, and remove its cookie."""
    if cookie := get_visitor(request).cookie:
        _get_authenticator(request).log_out(cookie)
    answer = RedirectResponse(ENTRANCE, 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=_is_secure(request))
    return answer


def _render_form(request: Request, status: int = 200, wrong: bool = False) -> Response:
    has_users = _get_authenticator(request).has_users()
    return get_context(request).render_page(request, "enter.html", status, wrong=wrong, has_users=has_users)


def _is_secure(request: Request) -> bool:
    """Say whether the browser speaks https, to a proxy in front of this server."""
    passed_on = request.headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
    return passed_on == "https" or request.headers.get("origin", "").lower().startswith("https://")


def _get_authenticator(request: Request) -> Authenticator:
    found: Authenticator = request.app.state.authenticator
    return found


ROUTES = (Route(ENTRANCE, ask_token), Route(ENTRANCE, log_in, methods=["POST"]))
LEAVE_ROUTES = (Route("/leave", log_out, methods=["POST"]),)
