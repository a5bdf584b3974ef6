"""The visitor who sent a request: their role, their session, and the key of their forms."""

import msgspec
from starlette.requests import HTTPConnection

from gossamer.ui.access.roles import ANYONE, OPERATOR, Role
from gossamer.ui.access.users_file import User


class Visitor(msgspec.Struct, frozen=True):
    """Who sent a request, and what they may do."""

    user: User = User("", ANYONE)
    form_key: str = ""
    """A secret in every form of this session: pages of other sites, and of other users, cannot know it."""
    cookie: str = ""
    """The cookie of the session; "" if there is none."""
    has_console: bool = False
    """Whether the pages of operators exist for this request."""
    is_program: bool = False
    """Whether the request has a bearer token, which browsers do not send by themselves."""

    def may_open(self, role: Role) -> bool:
        """Say whether pages that need this role are for this visitor."""
        return self.user.role >= role and (role < OPERATOR or self.has_console)


def get_visitor(request: HTTPConnection) -> Visitor:
    """Return the visitor who sent a request; someone without any rights if it was not checked."""
    found: Visitor = request.scope.get("state", {}).get("visitor", Visitor())
    return found


def get_user(request: HTTPConnection) -> User:
    """Return the user who sent a request: their name, which may be empty, and their role."""
    return get_visitor(request).user


def is_for_programs(path: str) -> bool:
    """Say whether a path is for programs, which want a status instead of a page to log in."""
    return path in ("/api", "/metrics", "/mcp") or path.startswith("/api/")
