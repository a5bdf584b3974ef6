"""Where a visit stands: read off its coroutines when somebody asks, so that nobody keeps books meanwhile."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any, Literal

import msgspec

from gossamer.crawl.task.task import await_result
from gossamer.crawl.visit import fetch_page, judge_page
from gossamer.crawl.visit.shorter_path import follow_shorter_path
from gossamer.crawl.visit.visit import visit
from gossamer.records import Request

Step = Literal["dns", "robots", "fetch", "web", "function", "work"]


class VisitState(msgspec.Struct, frozen=True):
    """A visit that is under way, and what it waits for."""

    request: Request
    step: Step
    since_s: float
    """When the visit began."""
    function: str = ""
    """The user's function that it waits for."""
    kept: bool = False
    """Whether the page is kept already, and only listeners are told of it."""


def _code(function: Callable[..., Any]) -> CodeType:
    code: CodeType = function.__code__
    return code


_STEPS: dict[CodeType, Step] = {
    _code(fetch_page.locate_host): "dns",
    _code(fetch_page.ask_robots): "robots",
    _code(fetch_page.send_request): "fetch",
    _code(fetch_page.find_cached): "web",
    _code(follow_shorter_path): "web",
    _code(await_result): "function",
}
# Who calls functions of users, and by which name they go there.
_CALLERS: dict[CodeType, str] = {
    _code(judge_page._classify): "classify",
    _code(judge_page._find_page_rule): "keep",
    _code(judge_page._find_link_rule): "keep",
    _code(judge_page.filter_links): "classify",
    _code(judge_page.notify_listeners): "listener",
}
_AT_END = "ShardLoop._tell_end"


def waits_for(one: "asyncio.Task[None]") -> str:
    """Name the user's function that a coroutine of ours waits for; "" if it does not."""
    frames = list(_awaited(one.get_coro()))
    return function_in(frames) if _code(await_result) in [frame.f_code for frame in frames] else ""


def whereabouts(one: "asyncio.Task[None]", since_s: float) -> VisitState | None:
    """Say what a visit waits for that has been under way since then; None if it has just ended, or not begun."""
    frames = list(_awaited(one.get_coro()))
    request = request_in(frames)
    if request is None:
        return None
    codes = [frame.f_code for frame in frames]
    step: Step = "work"
    for code in codes:
        step = _STEPS.get(code, step)
        if step == "function":
            break  # what comes now is the user's own
    function = function_in(frames) if step == "function" else ""
    return VisitState(request, step, since_s, function, _code(judge_page.notify_listeners) in codes)


def function_in(frames: Sequence[FrameType]) -> str:
    """Name the user's function that these calls, the outermost first, have come to; "" if they have not."""
    for frame in reversed(frames):
        name = _CALLERS.get(frame.f_code, "listener" if frame.f_code.co_qualname == _AT_END else "")
        if name in frame.f_locals:
            return judge_page.name_of(frame.f_locals[name])
    return ""


def request_in(frames: Sequence[FrameType]) -> Request | None:
    """Return the request whose visit is among these calls."""
    for frame in frames:
        if frame.f_code is _code(visit):
            found: Request | None = frame.f_locals.get("request")
            return found
    return None


def calls_of(innermost: FrameType | None) -> list[FrameType]:
    """List the calls that a thread is in, the outermost first."""
    frames = []
    while innermost is not None:
        frames.append(innermost)
        innermost = innermost.f_back
    return frames[::-1]


def _awaited(coroutine: Any) -> Iterator[FrameType]:
    """List the frames of a coroutine and of those that it waits for, one inside the other."""
    while (frame := getattr(coroutine, "cr_frame", None)) is not None:
        yield frame
        coroutine = coroutine.cr_await
