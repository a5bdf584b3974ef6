"""Find which step a visit is at from its coroutine frames, so that visits need not record it."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any, Literal

import msgspec

from gossamer.crawl.task.task import await_result
from gossamer.crawl.visit import fetch_page, judge_page
from gossamer.crawl.visit.follow_shorter_path import follow_shorter_path
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.crawl.visit.visit import visit
from gossamer.records import Request

Step = Literal["dns", "robots", "fetch", "web", "document", "function", "work"]


class VisitState(msgspec.Struct, frozen=True):
    """A visit under way, and what it waits for."""

    request: Request
    step: Step
    since_s: float
    """When the visit began."""
    function: str = ""
    """The user's function that it waits for."""
    kept: bool = False
    """Whether the page is recorded already and only listeners are running."""


def _code(function: Callable[..., Any]) -> CodeType:
    code: CodeType = function.__code__
    return code


_STEPS: dict[CodeType, Step] = {
    _code(fetch_page.locate_host): "dns",
    _code(fetch_page.ask_robots): "robots",
    _code(fetch_page.send_request): "fetch",
    _code(fetch_page.find_cached): "web",
    _code(follow_shorter_path): "web",
    _code(ShardContext.read_document): "document",
    _code(await_result): "function",
}
# Functions of ours that call functions of users, and the local variable that holds the user's function.
_CALLERS: dict[CodeType, str] = {
    _code(judge_page._classify): "classify",
    _code(judge_page._find_page_rule): "keep",
    _code(judge_page._find_link_rule): "keep",
    _code(judge_page.filter_links): "classify",
    _code(judge_page.notify_listeners): "listener",
}
_AT_END = "ShardLoop._report_end"


def find_awaited_function(one: "asyncio.Task[None]") -> str:
    """Name the user's function that a coroutine waits for, or return ""."""
    frames = list(_walk_frames(one.get_coro()))
    return find_function(frames) if _code(await_result) in [frame.f_code for frame in frames] else ""


def find_step(one: "asyncio.Task[None]", since_s: float) -> VisitState | None:
    """Return what a visit waits for; None if it has just ended or not begun."""
    frames = list(_walk_frames(one.get_coro()))
    request = find_request(frames)
    if request is None:
        return None
    codes = [frame.f_code for frame in frames]
    step: Step = "work"
    for code in codes:
        step = _STEPS.get(code, step)
        if step == "function":
            break  # deeper frames belong to the user
    function = find_function(frames) if step == "function" else ""
    return VisitState(request, step, since_s, function, _code(judge_page.notify_listeners) in codes)


def name_step(one: "asyncio.Task[None]") -> Step:
    """Name the step that a visit is at. Cheaper than `find_step`: it does not look at the variables of any frame."""
    step: Step = "work"
    coroutine: Any = one.get_coro()
    while (code := getattr(coroutine, "cr_code", None)) is not None:
        step = _STEPS.get(code, step)
        if step == "function":
            break  # deeper frames belong to the user
        coroutine = coroutine.cr_await
    return step


def find_function(frames: Sequence[FrameType]) -> str:
    """Name the user's function in these frames, the outermost first, or return ""."""
    for frame in reversed(frames):
        name = _CALLERS.get(frame.f_code, "listener" if frame.f_code.co_qualname == _AT_END else "")
        if name in frame.f_locals:
            return judge_page.name_of(frame.f_locals[name])
    return ""


def find_request(frames: Sequence[FrameType]) -> Request | None:
    """Return the request of the visit in these frames."""
    for frame in frames:
        if frame.f_code is _code(visit):
            found: Request | None = frame.f_locals.get("request")
            return found
    return None


def list_frames(innermost: FrameType | None) -> list[FrameType]:
    """List the frames of a thread, the outermost first."""
    frames = []
    while innermost is not None:
        frames.append(innermost)
        innermost = innermost.f_back
    return frames[::-1]


def _walk_frames(coroutine: Any) -> Iterator[FrameType]:
    """Yield the frames of a coroutine and of the coroutines that it awaits, the outermost first."""
    while (frame := getattr(coroutine, "cr_frame", None)) is not None:
        yield frame
        coroutine = coroutine.cr_await
