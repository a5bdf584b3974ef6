"""The pages of tasks: all of them, and one with its counts, options and buttons. They refresh themselves every second."""

import hashlib
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gossamer.config import options as list_all_options
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.submitted_pages import list_submitted
from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.status.status_records import TaskStatus
from gossamer.task_file import read_option, to_flag
from gossamer.ui.access.visitor import get_visitor
from gossamer.ui.console.live.crawl_watch import get_watch
from gossamer.ui.console.tasks.shared_parts import DIGEST, get_shared_parts
from gossamer.ui.console.tasks.steer_tasks import find_task
from gossamer.ui.console.tasks.task_form import COMMAND_LINE_ONLY
from gossamer.ui.console.tasks.task_view import (
    list_causes,
    list_commands,
    list_counts,
    view_console,
    view_task,
)
from gossamer.ui.page_context import PageContext, get_context
from gossamer.web import Web

_UNCHANGED = 204
_MOST_SUBMITTED = 50
_NEVER_SHOWN = ("auth", "proxy")
"""They may hold what an older version left there: a password."""
DONE = {
    "stop": "The task has stopped. Nothing is lost: “Resume” continues it where it was.",
    "pause": "The task is paused. “Resume” continues it where it was.",
    "resume": "A crawl works on the task.",
    "started": "A process was started that crawls the task; it needs a few seconds to begin.",
    "told": "The crawl was told, and has not answered yet: the state changes when it has carried out the order.",
    "new": "The task is in the web, and a crawl works on it.",
    "submit": "The pages were submitted. Until they are fetched, they can be withdrawn.",
    "withdraw": "The page was withdrawn.",
}
"""What a page says after a step, by the word in its address: an address cannot bring a sentence of its own."""


def show_tasks(request: Request) -> Response:
    """Show all tasks."""
    context = get_context(request)
    with context.borrow_web() as web:
        console = view_console(web, get_watch(request).reader.read_status(web))
        command = list_commands(web, console.tasks[0])["tasks"] if console.tasks else ""
    return render_console(context, request, "console/tasks.html", console=console, command=command)


def send_task_list(request: Request) -> Response:
    """Answer with the part of the page that changes; with nothing if it is what the browser has."""
    context, form_key = get_context(request), get_visitor(request).form_key
    with context.borrow_web() as web:
        status = get_watch(request).reader.read_shared_status(web)
        part = get_shared_parts(request).render_list(context, web, status, form_key)
    return _send_changed(request, part)


def show_task(request: Request) -> Response:
    """Show one task."""
    number = request.query_params.get("number", "")
    return render_task(request, number, done=DONE.get(request.query_params.get("done", ""), ""))


def send_facts(request: Request) -> Response:
    """Answer with the part of a task's page that changes; with nothing if it is what the browser has."""
    context, form_key = get_context(request), get_visitor(request).form_key
    with context.borrow_web() as web:
        number = find_task(web, request.query_params.get("number", "")).number
        status = get_watch(request).reader.read_shared_status(web)
        part = get_shared_parts(request).render_facts(context, web, status, number, form_key)
    return _send_changed(request, part)


def render_task(request: Request, number: str, status: int = 200, **facts: Any) -> HTMLResponse:
    """Render the page of a task; `facts` are what was done, what is wrong, and what was typed."""
    context = get_context(request)
    with context.borrow_web() as web:
        note = find_task(web, number)
        now = get_watch(request).reader.read_status(web)
        console, task, found = view_task(web, now, note.number)
        variables: dict[str, Any] = {
            "console": console,
            "task": task,
            "commands": list_commands(web, task),
            "causes": list_causes(found),
            "counts": list_counts(found),
            "options": _list_options(found),
            "submitted": _list_submitted(web, note.number),
            "describe_cause": describe_cause,
            "done": "",
            "wrong": "",
            "wrong_field": "",
            "typed": {"pages": "", "widen": ""},
            "undo": None,
        }
    return render_console(context, request, "console/task.html", status, **variables | facts)


def render_console(
    context: PageContext, request: Request, template: str, status: int = 200, **facts: Any
) -> HTMLResponse:
    """Render a page of the console, or a part of one."""
    return context.render_page(request, template, status, **{"digest": DIGEST, **facts})


def _send_changed(request: Request, part: str) -> Response:
    """Return a part of a page, unless the browser has the same already: then focus and selection stay as they are."""
    body = part.encode()
    digest = hashlib.blake2b(body, digest_size=8).hexdigest()
    if digest == request.headers.get("x-digest"):
        return Response(status_code=_UNCHANGED)
    return HTMLResponse(body.replace(DIGEST.encode(), digest.encode(), 1))


def _list_options(found: TaskStatus) -> list[tuple[str, str, str, bool]]:
    """Return the options of a task: flag, value, help, and whether it differs from the default; those first."""
    spec = read_spec(found.note)
    listed = []
    for option in list_all_options():
        value = read_option(spec, option)
        if option.name in _NEVER_SHOWN or (option.name in COMMAND_LINE_ONLY and not value):
            continue
        shown = ("yes" if value else "no") if isinstance(value, bool) else _show_value(value)
        flag = to_flag(option.name) if option.name != "seeds" else "start pages"
        listed.append((flag, shown, option.help, value != option.default))
    return sorted(listed, key=lambda one: not one[3])


def _show_value(value: object) -> str:
    if isinstance(value, tuple):
        return "\n".join(map(str, value))
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _list_submitted(web: Web, number: int) -> list[Any]:
    found = list_submitted(web.store, web.folder, _MOST_SUBMITTED)
    return [one for one in reversed(found) if one.number == number]


ROUTES = (
    Route("/console", show_tasks),
    Route("/console/tasks", send_task_list),
    Route("/console/task", show_task),
    Route("/console/task/facts", send_facts),
)
