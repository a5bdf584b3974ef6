"""Let visitors do what their role allows, by the table of routes, and nothing else."""

import shlex
from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

from gossamer.errors import BadInput
from gossamer.ui.access.roles import ANYONE, OPERATOR, READER, Role
from gossamer.ui.access.users_file import User
from gossamer.ui.access.visitor import get_visitor, is_for_programs
from gossamer.ui.answer_errors import answer_error, answer_http_error
from gossamer.ui.forms import ENTRANCE, check_sender
from gossamer.ui.page_context import get_context
from gossamer.ui.security import READING

_NOT_LOGGED_IN, _FORBIDDEN = 401, 403
RouteTable = tuple[Role, Sequence[BaseRoute]]


class AccessMiddleware:
    """Refuses requests that their visitor may not send; each route needs the role of its table."""

    def __init__(self, app: ASGIApp, tables: Sequence[RouteTable]) -> None:
        self._app = app
        self._tables = tables

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        request = Request(scope, receive)
        needed, is_route = find_role(self._tables, scope)
        refusal = _check_role(request, needed)
        if refusal is None and is_route and scope["method"] not in READING:
            try:
                receive = await check_sender(request)
            except BadInput as error:
                refusal = answer_error(request, error)
        await (refusal or self._app)(scope, receive, send)


def find_role(tables: Sequence[RouteTable], scope: Scope) -> tuple[Role, bool]:
    """Return the least role for a request, and whether there is a route for it; without one, it needs a login all the same."""
    roles = [READER]
    for role, table in tables:
        for route in table:
            match, _ = route.matches(scope)
            if match is Match.FULL:
                return role, True
            if match is Match.PARTIAL:
                roles.append(role)
    return max(roles), False


def _check_role(request: Request, needed: Role) -> Response | None:
    visitor = get_visitor(request)
    if needed == ANYONE or visitor.may_open(needed):
        return None
    if visitor.user.role == ANYONE:
        return _ask_for_login(request)
    if needed == OPERATOR and not visitor.has_console:
        return answer_http_error(request, HTTPException(404))
    return _forbid(request, visitor.user, needed)


def _ask_for_login(request: Request) -> Response:
    if not is_for_programs(request.scope["path"]):
        return RedirectResponse(ENTRANCE, 303)
    refusal = {"error": "Send the token: Authorization: Bearer …"}
    return JSONResponse(refusal, _NOT_LOGGED_IN, {"www-authenticate": 'Bearer realm="gossamer"'})


def _forbid(request: Request, user: User, needed: Role) -> Response:
    """Say which role is needed, and how to get it."""
    if is_for_programs(request.scope["path"]):
        sentence = f"This needs the role {needed.word}, and yours is {user.role.word}."
        return JSONResponse({"error": sentence}, _FORBIDDEN)
    command = f"gossamer users role {shlex.quote(user.name)} {needed.word}"
    if not user.name:
        command = f"gossamer users add NAME --role {needed.word}"
    return get_context(request).render_page(
        request, "forbidden.html", _FORBIDDEN, needed=needed, user=user, command=command
    )
