"""The schedule of `gossamer run`: its entries, what ran and what was missed; a button asks for a run now."""

import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.errors import BadInput, GossamerError
from gossamer.schedule.read_state import ask_for_run, read_state
from gossamer.schedule.read_texts import describe_missed, describe_run, format_local
from gossamer.task_file import make_pair
from gossamer.ui.access.visitor import get_visitor
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import get_context

_SEE_OTHER, _WRONG_USE = 303, 400
_MOST = 30


def show_schedule(request: Request) -> Response:
    """Show the page."""
    return _render(request, asked=request.query_params.get("asked", "")[:60])


async def take_wish(request: Request) -> Response:
    """Ask the runner for the entry of the form."""
    form = await read_form(request)
    entry, visitor = form.get("entry", ""), get_visitor(request)
    try:
        path = find_schedule(request)
        asked_by = visitor.user.name or "the console"
        await run_in_threadpool(ask_for_run, path, entry, asked_by, time.time())
    except GossamerError as error:
        return await run_in_threadpool(_render, request, _WRONG_USE, wrong=str(error))
    return RedirectResponse(f"/console/schedule?asked={quote(entry)}", _SEE_OTHER)


def find_schedule(request: Request) -> Path:
    """Return the schedule that the server shows."""
    path = get_context(request).schedule
    if path is None:
        raise BadInput(
            "this server shows no schedule; start it with `gossamer serve --schedule SCHEDULE.toml`"
        )
    return path


def _render(request: Request, status: int = 200, wrong: str = "", asked: str = "") -> Response:
    context = get_context(request)
    view, now_s = None, time.time()
    try:
        view = read_state(find_schedule(request), now_s, _MOST)
    except GossamerError as error:
        wrong = wrong or str(error)
    rows = (
        []
        if view is None
        else [(entry, _describe_next(entry.next_s, entry.time_zone)) for entry in view.entries]
    )
    return context.render_page(
        request,
        "console/schedule.html",
        status,
        view=view,
        rows=rows,
        runs=[] if view is None else [(run, describe_run(run)) for run in view.runs],
        missed=[] if view is None else list(map(describe_missed, view.missed)),
        asked=asked if view is not None and any(asked == entry.name for entry in view.entries) else "",
        wrong=wrong,
        command=""
        if view is None
        else _list_commands(find_schedule(request), [one.name for one in view.entries]),
    )


def _list_commands(path: Path, entries: Sequence[str]) -> str:
    """Return the command that shows the same, and those of the buttons."""
    shown = shlex.join(["gossamer", "run", str(path), "--list"])
    return "\n".join(
        [shown, *(shlex.join(["gossamer", "run", str(path), *make_pair("--now", one)]) for one in entries)]
    )


def _describe_next(next_s: float | None, zone: str) -> str:
    return format_local(next_s, zone) if next_s else "when its sitemap changes"


ROUTES = (
    Route("/console/schedule", show_schedule),
    Route("/console/schedule/run", take_wish, methods=["POST"]),
)
