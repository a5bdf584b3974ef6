"""Change the options of a task: what would be different is shown before, and the former values are offered after."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.explain.preview_rules import ChangePreview
from gossamer.crawl.patterns.try_patterns import SlowPattern, list_patterns
from gossamer.crawl.steer.command_lines import make_change_command
from gossamer.errors import GossamerError
from gossamer.reports.crawls.preview_task import PREVIEWER
from gossamer.store.batch import TaskNote
from gossamer.task_file import list_options, to_flag
from gossamer.ui.console.tasks import steer_tasks
from gossamer.ui.console.tasks.steer_tasks import find_low_limits, find_task
from gossamer.ui.console.tasks.task_form import (
    START_PAGES,
    ParsedTask,
    list_names,
    make_groups,
    parse_task,
    type_options,
)
from gossamer.ui.console.tasks.task_pages import render_console, render_task
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import PageContext, get_context
from gossamer.web import Web

_WRONG_USE = 400
_NAMES = list_names([START_PAGES])
_DONE = "The options are changed. Links that were refused before are judged again; what is queued stays."
_TOLD = "The crawl was told of the change, and has not answered yet: it applies it with its next step."


class _Changed(msgspec.Struct, frozen=True):
    """A form of changes that was filled in."""

    note: TaskNote
    typed: dict[str, str]
    before: TaskSpec
    parsed: ParsedTask
    options: dict[str, Any] = {}
    """The options that differ from the task's."""
    preview: ChangePreview | None = None
    command: str = ""


def show_form(request: Request) -> Response:
    """Show the options of a task as they are."""
    with get_context(request).borrow_web() as web:
        note = find_task(web, request.query_params.get("number", ""))
        before = read_spec(note)
    typed = type_options(before, _NAMES)
    for name in ("scope", "depth", "per_host", "include", "exclude", "include_hosts", "exclude_hosts"):
        if name in request.query_params:  # from the page of rules
            typed[name] = request.query_params[name]
    return _render(request, _Changed(note, typed, before, ParsedTask(None, {}, {})))


async def take_form(request: Request) -> Response:
    """Preview the changes of the form, or apply them."""
    form = await read_form(request)
    context = get_context(request)
    applies = form.get("do") == "apply"
    changed = await context.run_costly(_fill, context, form, not applies)
    if changed.parsed.errors or not applies:
        return await run_in_threadpool(
            _render, request, changed, _WRONG_USE if changed.parsed.errors else 200
        )
    try:
        done = await run_in_threadpool(_apply, context, changed)
    except GossamerError as error:
        wrong = msgspec.structs.replace(changed, parsed=ParsedTask(None, {}, {"": str(error)}))
        return await run_in_threadpool(_render, request, wrong, _WRONG_USE)
    undo = _make_undo(changed)
    return await run_in_threadpool(
        render_task, request, str(changed.note.number), done=_DONE if done else _TOLD, undo=undo
    )


async def take_preview(request: Request) -> Response:
    """Answer with the preview alone, while a person types."""
    form = await read_form(request)
    context = get_context(request)
    changed = await context.run_costly(_fill, context, form, True)
    return render_console(
        context,
        request,
        "console/change_preview.html",
        change=changed.preview,
        errors=changed.parsed.errors,
        command=changed.command,
        nothing=not changed.options and not changed.parsed.errors,
    )


def _fill(context: PageContext, form: Mapping[str, str], with_preview: bool) -> _Changed:
    with context.borrow_web() as web:
        note = find_task(web, form.get("number", ""))
        before = read_spec(note)
        typed = {name: form[name] for name in _NAMES if name in form}
        parsed = parse_task(typed, _NAMES, before, web.folder)
        wrong = parsed.errors | find_low_limits(note, parsed.options)
        if parsed.spec is None or wrong:
            return _Changed(note, typed, before, ParsedTask(None, parsed.options, wrong))
        options = list_options(parsed.spec, before)
        if form.get("base", _digest(note)) != _digest(note):
            changed = {
                "": "the options of the task were changed since this form was loaded: check them, then apply"
            }
            return _Changed(note, typed, before, ParsedTask(None, {}, changed), options)
        if not options and form.get("do") == "apply":
            nothing = {"": "nothing is different from the options that the task has"}
            return _Changed(note, typed, before, ParsedTask(None, {}, nothing))
        command = _list_commands(web, note, options) if options else ""
        try:
            PREVIEWER.check_patterns(web, list_patterns(parsed.spec))
            preview = _preview(web, before, parsed.spec) if with_preview and options else None
        except SlowPattern as error:
            slow = {error.option: str(error)}
            return _Changed(note, typed, before, ParsedTask(None, {}, slow), options)
        except GossamerError as error:
            return _Changed(note, typed, before, ParsedTask(None, {}, {"": str(error)}), options)
        return _Changed(note, typed, before, parsed, options, preview, command)


def _list_commands(web: Web, note: TaskNote, options: Mapping[str, Any]) -> str:
    """Return the commands that preview a change and carry it out."""
    return "\n".join(
        make_change_command(web.folder, note.number, options, preview) for preview in (True, False)
    )


def _preview(web: Web, before: TaskSpec, after: TaskSpec) -> ChangePreview:
    return PREVIEWER.preview_change(web, before, after)


def _apply(context: PageContext, changed: _Changed) -> bool:
    with context.open_web() as web:
        return steer_tasks.change(web, str(changed.note.number), changed.options).done


def _digest(note: TaskNote) -> str:
    """Return a digest of the options of a task, to notice that another person changes them."""
    return hashlib.blake2b(note.spec, digest_size=8).hexdigest()


def _make_undo(changed: _Changed) -> dict[str, Any]:
    """Return what the form needs that restores the former values."""
    former = type_options(changed.before, _NAMES)
    differences = [
        (to_flag(name), former.get(name, "") or "nothing", changed.typed.get(name, "") or "nothing")
        for name in changed.options
    ]
    return {"fields": former, "differences": differences, "number": changed.note.number}


def _render(request: Request, changed: _Changed, status: int = 200) -> Response:
    facts: dict[str, Any] = {
        "groups": make_groups(changed.typed, changed.parsed.errors, [START_PAGES]),
        "errors": changed.parsed.errors,
        "change": changed.preview,
        "command": changed.command,
        "nothing": False,
        "note": changed.note,
        "base": _digest(changed.note),
    }
    return render_console(get_context(request), request, "console/change.html", status, **facts)


ROUTES = (
    Route("/console/task/change", show_form),
    Route("/console/task/change", take_form, methods=["POST"]),
    Route("/console/task/change/preview", take_preview, methods=["POST"]),
)
