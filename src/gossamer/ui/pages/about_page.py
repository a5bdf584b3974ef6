"""The public page about the robot, for webmasters who find it in their logs. It exists only if the server is told who runs it."""

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.config import Politeness, from_json
from gossamer.fetch.user_agent_header import find_sender, format_user_agent
from gossamer.ui.page_context import get_context

_NOT_FOUND = 404
_MOST_ROBOTS = 10


class RobotFacts(msgspec.Struct, frozen=True):
    """How a robot introduces itself and behaves, as its tasks say."""

    agent: str
    name: str
    """The name that robots.txt files use."""
    contact: str
    sender: str
    """The address in its From header, or ""."""
    pause_s: float
    obeys: bool
    robots_age_s: float
    bandwidth: tuple[str, ...]
    quiet_hours: tuple[str, ...]


def show_about(request: Request) -> Response:
    """Show who runs the robot, how it introduces itself, and how to exclude it."""
    context = get_context(request)
    if context.about is None:
        raise HTTPException(_NOT_FOUND)
    return context.render_page(
        request, "about.html", about=context.about, robots=_list_robots(request), navigation=()
    )


def _list_robots(request: Request) -> list[RobotFacts]:
    """Return the robots of the tasks of this web, the newest first; without a web, the usual one."""
    context = get_context(request)
    found = [Politeness()]
    if context.has_own_web:
        with context.borrow_web() as web:
            found = [from_json(note.spec).politeness for note in reversed(web.tasks())] or found
    return list(dict.fromkeys(map(_describe, found)))[:_MOST_ROBOTS]


def _describe(manners: Politeness) -> RobotFacts:
    return RobotFacts(
        format_user_agent(manners),
        manners.user_agent.split("/")[0].split()[0],
        manners.contact,
        find_sender(manners),
        manners.delay_s,
        manners.robots,
        manners.robots_age_s,
        manners.bandwidth + tuple(f"{rate} for each host" for rate in manners.host_bandwidth),
        manners.quiet_hours,
    )


ROUTES = (Route("/about", show_about),)
