"""The page of what its visitor has read: found by words, site and time; forgotten by page, site, day or altogether."""

import shlex
import time
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.errors import BadInput
from gossamer.navigate.history.export_visits import export_visits
from gossamer.navigate.history.forget_visits import ForgetVisits, forget_visits
from gossamer.navigate.history.history_records import HistoryAnswer, HistoryQuery
from gossamer.navigate.history.read_time import read_time
from gossamer.navigate.history.search_history import find_trail, search_history
from gossamer.store.opening.web_name import quote_web
from gossamer.ui.access.visitor import get_user
from gossamer.ui.forms import read_form
from gossamer.ui.navigate.histories import OFF
from gossamer.ui.navigate.reading_parts import get_reading
from gossamer.ui.navigate.stream_lines import LinesResponse
from gossamer.ui.page_context import get_context

_SHOWN, _MOST_CHARACTERS, _MOST_OFFSET = 20, 4_000, 1_000_000
_WRONG_USE = 400
_FIELDS = ("q", "site", "since", "until")


def show_history(request: Request) -> Response:
    """Show what was read, with a form to search in it."""
    try:
        path = _find_file(request)
    except BadInput as error:
        return _render(request, _WRONG_USE, off=str(error))
    return _show(request, path, "")


async def forget(request: Request) -> Response:
    """Forget what a button says."""
    form = await read_form(request)
    path = _find_file(request)
    try:
        wanted = ForgetVisits(
            form.get("url", ""), form.get("site", ""), form.get("day", ""), form.get("all", "") == "yes"
        )
        count = await run_in_threadpool(forget_visits, path, wanted)
    except BadInput as error:
        return await run_in_threadpool(_show, request, path, str(error))
    return RedirectResponse(f"/history?{urlencode({'forgotten': count})}", 303)


def send_export(request: Request) -> Response:
    """Send the whole history as a file."""
    name = time.strftime("history-%Y-%m-%d.jsonl")
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return LinesResponse(export_visits(_find_file(request)), "application/x-ndjson", headers)


def _find_file(request: Request) -> Path:
    histories = get_reading(request).histories
    if histories is None:
        raise BadInput(OFF)
    return histories.find(request.app.state.authenticator, get_user(request).name, request.headers)


def _show(request: Request, path: Path, wrong: str) -> Response:
    asked = {name: request.query_params.get(name, "").strip()[:_MOST_CHARACTERS] for name in _FIELDS}
    offset, found = _read_number(request.query_params.get("offset", "")), HistoryAnswer(0, ())
    try:
        since_s, until_s = read_time(asked["since"]), read_time(asked["until"], is_end=True)
        query = HistoryQuery(asked["q"], asked["site"], since_s, until_s, offset, _SHOWN)
        found = search_history(path, query)
    except BadInput as error:
        wrong = wrong or str(error)
    trail = request.query_params.get("trail", "")[:_MOST_CHARACTERS]
    return _render(
        request,
        _WRONG_USE if wrong else 200,
        asked=asked,
        found=found,
        wrong=wrong,
        offset=offset,
        before=max(0, offset - _SHOWN) if offset else None,
        after=offset + _SHOWN if offset + _SHOWN < found.found else None,
        forgotten=_read_number(request.query_params.get("forgotten", "")) if not wrong else 0,
        trail=find_trail(path, trail) if trail else (),
    )


def _render(request: Request, status: int = 200, **facts: Any) -> Response:
    context, name = get_context(request), get_user(request).name
    facts = {"off": "", **facts}
    facts["user_option"] = f" --user {shlex.quote(name)}" if name else ""
    facts["web_option"] = f" --web {quote_web(context.folder)}" if context.has_own_web else ""
    return context.render_page(
        request,
        "navigate/history.html",
        status,
        minute_here=_format_minute,
        duration=_format_duration,
        **facts,
    )


def _format_minute(time_s: float) -> str:
    """Return a Unix time to the minute, in the time of this machine: a person looks for their own evening."""
    return datetime.fromtimestamp(time_s).strftime("%Y-%m-%d %H:%M")


def _format_duration(seconds: float) -> str:
    """Return how long a page was read."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _read_number(text: str) -> int:
    return min(int(text), _MOST_OFFSET) if text.isascii() and text.isdecimal() and len(text) < 9 else 0


ROUTES = (
    Route("/history", show_history),
    Route("/history", forget, methods=["POST"]),
    Route("/history/export", send_export),
)
