"""Run the handlers of requests: few costly ones at once, and once for a visitor who asks the same again; spool large answers."""

import math
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from inspect import iscoroutinefunction

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from gossamer.ui.access.visitor import get_visitor
from gossamer.ui.page_context import get_context
from gossamer.ui.spooled_answer import AnswerSpool, SpooledResponse, spool_if_large

Handler = Callable[[Request], Response]
AsyncHandler = Callable[[Request], Awaitable[Response]]
_OK, _NO_ROOM = 200, 503
_MOST_RECENT, _RECENT_S = 8, 10.0


def bound_route(route: BaseRoute, spool: AnswerSpool, costly: Collection[Handler]) -> BaseRoute:
    """Return a route whose handler is run within bounds."""
    if not isinstance(route, Route) or iscoroutinefunction(route.endpoint):
        return route  # these read a body, and answer with little
    bound = _bound_costly if route.endpoint in costly else _bound_cheap
    return Route(route.path, bound(route.endpoint, spool), methods=_list_methods(route))


def _list_methods(route: Route) -> Sequence[str] | None:
    return sorted(route.methods) if route.methods else None


def _bound_cheap(handler: Handler, spool: AnswerSpool) -> AsyncHandler:
    async def answer(request: Request) -> Response:
        return await run_in_threadpool(_answer, handler, request, spool)

    return answer


def _bound_costly(handler: Handler, spool: AnswerSpool) -> AsyncHandler:
    recent = RecentAnswers()

    async def answer(request: Request) -> Response:
        # Pages name their visitor, and have the key of their forms: one must not be shown to another.
        asked = f"{get_visitor(request).form_key}{request.url.path}?{request.url.query}"
        found = recent.find(asked)
        if found is None:
            async with get_context(request).costly_turns:
                found = recent.find(asked)
                if found is None:
                    found = await run_in_threadpool(_answer, handler, request, spool)
                    if found.status_code == _OK:
                        recent.keep(asked, found)
        return found

    return answer


class RecentAnswers:
    """The last answers of a costly handler, for some seconds: a visitor who asks the same again and again costs as much as one who asks once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answers: dict[str, tuple[float, Response]] = {}
        """By query, oldest first."""

    def find(self, query: str) -> Response | None:
        """Return a recent answer; None if there is none."""
        made_s, answer = self._answers.get(query, (-math.inf, None))
        if self._clock() - made_s > _RECENT_S or (isinstance(answer, SpooledResponse) and answer.is_dropped):
            return None
        return answer

    def keep(self, query: str, answer: Response) -> None:
        """Keep an answer instead of the oldest one."""
        self._answers.pop(query, None)
        self._answers[query] = (self._clock(), answer)
        if len(self._answers) > _MOST_RECENT:
            del self._answers[next(iter(self._answers))]


def _answer(handler: Handler, request: Request, spool: AnswerSpool) -> Response:
    """Answer in this thread, and spool here too: a large answer must not wait in memory for another thread."""
    answer = handler(request)
    try:
        return spool_if_large(answer, spool)
    except OSError as error:
        return PlainTextResponse(f"There is no room for this answer: {error.strerror}.", _NO_ROOM)
