"""The form of a new task: with a preview, as a task file, or started at once."""

from typing import Any
from urllib.parse import quote

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.explain.preview_rules import RulePreview
from gossamer.crawl.patterns.try_patterns import SlowPattern, list_patterns
from gossamer.crawl.steer.command_lines import make_crawl_command
from gossamer.errors import GossamerError
from gossamer.reports.crawls.preview_task import PREVIEWER, list_seeds
from gossamer.task_file import list_options, write_toml
from gossamer.ui.console.tasks import steer_tasks
from gossamer.ui.console.tasks.task_form import ParsedTask, list_names, make_groups, parse_task, type_options
from gossamer.ui.console.tasks.task_pages import render_console
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import PageContext, get_context
from gossamer.web import Web

_WRONG_USE = 400
_SEE_OTHER = 303
_NOT_COPIED = ("name",)


class _Filled(msgspec.Struct, frozen=True):
    """A form that was filled in, and what can be said about it."""

    typed: dict[str, str]
    parsed: ParsedTask
    preview: RulePreview | None = None
    command: str = ""


def show_form(request: Request) -> Response:
    """Show the form, empty or like a task of the web."""
    like = request.query_params.get("like", "")
    with get_context(request).borrow_web() as web:
        typed = type_options(_find_base(web, like), list_names())
    typed = {name: value for name, value in typed.items() if name not in _NOT_COPIED}
    for name in ("seeds", "scope", "depth", "include", "exclude"):  # from other pages of the console
        if given := request.query_params.get(name):
            typed[name] = given
    return _render(request, _Filled(typed | {"like": like}, ParsedTask(None, {}, {})))


async def take_form(request: Request) -> Response:
    """Preview the task of the form, send it as a file, or start it; a mistake is told beside its field."""
    form = await read_form(request)
    context = get_context(request)
    wish = form.get("do", "preview")
    filled = await context.run_costly(_fill, context, form, wish == "preview")
    spec = filled.parsed.spec
    if spec is None:
        return await run_in_threadpool(_render, request, filled, _WRONG_USE)
    if wish == "toml":
        return _send_toml(spec)
    if wish != "start":
        return await run_in_threadpool(_render, request, filled)
    try:
        number, word = await run_in_threadpool(_start, context, spec)
    except GossamerError as error:
        wrong = msgspec.structs.replace(filled, parsed=ParsedTask(None, {}, {"": str(error)}))
        return await run_in_threadpool(_render, request, wrong, _WRONG_USE)
    return RedirectResponse(f"/console/task?number={number}&done={word}", _SEE_OTHER)


async def take_preview(request: Request) -> Response:
    """Answer with the preview alone, while a person types."""
    form = await read_form(request)
    context = get_context(request)
    filled = await context.run_costly(_fill, context, form, True)
    return render_console(
        context,
        request,
        "console/new_preview.html",
        preview=filled.preview,
        errors=filled.parsed.errors,
        command=filled.command,
    )


async def send_file(request: Request) -> Response:
    """Send the task of the form as a file, as the button of the form does."""
    form = await read_form(request)
    context = get_context(request)
    filled = await context.run_costly(_fill, context, form, False)
    if filled.parsed.spec is None:
        return await run_in_threadpool(_render, request, filled, _WRONG_USE)
    return _send_toml(filled.parsed.spec)


def _send_toml(spec: TaskSpec) -> Response:
    name = spec.name or "task"
    return Response(
        write_toml(spec),
        media_type="application/toml; charset=utf-8",
        headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}.toml"},
    )


def _fill(context: PageContext, form: dict[str, str], with_preview: bool) -> _Filled:
    with context.borrow_web() as web:
        typed = {name: form[name] for name in (*list_names(), "like") if name in form}
        try:
            base = _find_base(web, form.get("like", ""))
        except GossamerError as error:
            return _Filled(typed, ParsedTask(None, {}, {"": str(error)}))
        parsed = parse_task(typed, list_names(), base, web.folder)
        if parsed.spec is None:
            return _Filled(typed, parsed)
        options = list_options(parsed.spec)
        command = "\n".join(make_crawl_command(web.folder, options, preview) for preview in (True, False))
        try:
            PREVIEWER.check_patterns(web, list_patterns(parsed.spec), list_seeds(parsed.spec))
            preview = PREVIEWER.preview_task(web, parsed.spec) if with_preview else None
        except SlowPattern as error:
            return _Filled(typed, ParsedTask(None, parsed.options, {error.option: str(error)}))
        except GossamerError as error:
            return _Filled(typed, ParsedTask(None, parsed.options, {"": str(error)}))
        return _Filled(typed, parsed, preview, command)


def _start(context: PageContext, spec: TaskSpec) -> tuple[int, str]:
    with context.write_lock, context.open_web() as web:
        outcome, how = steer_tasks.start_new(web, spec)
    return outcome.note.number, {"done": "new", "told": "told", "started": "started"}[how]


def _find_base(web: Web, like: str) -> TaskSpec:
    """Return the task that a new one is to be like; the options that the form does not show are its own, too."""
    if not like:
        return TaskSpec()
    return msgspec.structs.replace(read_spec(steer_tasks.find_task(web, like)), name="")


def _render(request: Request, filled: _Filled, status: int = 200) -> Response:
    context = get_context(request)
    with context.borrow_web() as web:
        tasks = [(note.number, note.name) for note in reversed(web.tasks())]
    facts: dict[str, Any] = {
        "groups": make_groups(filled.typed, filled.parsed.errors),
        "errors": filled.parsed.errors,
        "preview": filled.preview,
        "command": filled.command,
        "like": filled.typed.get("like", ""),
        "tasks": tasks,
    }
    return render_console(context, request, "console/new.html", status, **facts)


ROUTES = (
    Route("/console/new", show_form),
    Route("/console/new", take_form, methods=["POST"]),
    Route("/console/new/preview", take_preview, methods=["POST"]),
    Route("/console/new.toml", send_file, methods=["POST"]),
)
