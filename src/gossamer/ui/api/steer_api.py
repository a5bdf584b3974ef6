"""The JSON API that steers crawls: tasks are started, stopped, changed and previewed as on the pages of the console."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.config import TaskSpec, replace_options
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.explain.judge_urls import UrlJudge
from gossamer.crawl.explain.known_links import read_learnt_rules
from gossamer.crawl.patterns.try_patterns import list_patterns
from gossamer.crawl.steer.command_lines import (
    make_change_command,
    make_command,
    make_crawl_command,
    make_stop_command,
    make_submit_command,
)
from gossamer.errors import BadInput
from gossamer.reports.crawls.preview_task import PREVIEWER, list_seeds
from gossamer.task_file import list_options
from gossamer.ui.api import steer_records as records
from gossamer.ui.api.json_io import make_response, read_json
from gossamer.ui.console.tasks import steer_tasks
from gossamer.ui.console.tasks.steer_tasks import Outcome
from gossamer.ui.console.tasks.task_form import refuse_local
from gossamer.ui.page_context import get_context
from gossamer.web import Web

_ACCEPTED = 202
_FIXED = ("name", "seeds", "sitemaps")

Body = TypeVar("Body")


async def start_task(request: Request) -> Response:
    """Start a new task."""

    def start(web: Web, wanted: records.NewTaskRequest) -> Response:
        spec = _read_new(web, wanted)
        PREVIEWER.check_patterns(web, list_patterns(spec), list_seeds(spec))
        outcome, how = steer_tasks.start_new(web, spec)
        command = make_crawl_command(web.folder, list_options(spec))
        return _answer(outcome, command, how == "started", _ACCEPTED)

    return await _carry_out(request, records.NewTaskRequest, start)


async def stop_task(request: Request) -> Response:
    """Stop a task."""
    return await _carry_out(request, records.TaskRequest, lambda web, one: _stop(web, one.task, pause=False))


async def pause_task(request: Request) -> Response:
    """Pause a task."""
    return await _carry_out(request, records.TaskRequest, lambda web, one: _stop(web, one.task, pause=True))


async def resume_task(request: Request) -> Response:
    """Continue a task."""

    def resume(web: Web, wanted: records.TaskRequest) -> Response:
        outcome, how = steer_tasks.resume(web, str(wanted.task))
        return _answer(outcome, make_command(web.folder, "resume", str(wanted.task)), how == "started")

    return await _carry_out(request, records.TaskRequest, resume)


async def change_task(request: Request) -> Response:
    """Change options of a task."""

    def change(web: Web, wanted: records.ChangeRequest) -> Response:
        if not wanted.options:
            raise BadInput("name at least one option to change")
        for name in _FIXED:
            if name in wanted.options:
                raise BadInput(
                    f"{name} of a task cannot be changed; /api/console/task/submit adds start pages"
                )
        _refuse_local(wanted.options)
        note = steer_tasks.find_task(web, str(wanted.task))
        spec = replace_options(read_spec(note), **wanted.options)  # raises if a value is of the wrong kind
        PREVIEWER.check_patterns(web, list_patterns(spec))
        for sentence in steer_tasks.find_low_limits(note, wanted.options).values():
            raise BadInput(sentence)
        outcome = steer_tasks.change(web, str(wanted.task), wanted.options)
        return _answer(outcome, make_change_command(web.folder, wanted.task, wanted.options))

    return await _carry_out(request, records.ChangeRequest, change)


async def submit_pages(request: Request) -> Response:
    """Submit pages to a task."""

    def submit(web: Web, wanted: records.PagesRequest) -> Response:
        outcome, pages = steer_tasks.submit(web, str(wanted.task), wanted.urls, wanted.widen)
        return _answer(outcome, make_submit_command(web.folder, wanted.task, pages))

    return await _carry_out(request, records.PagesRequest, submit)


async def withdraw_pages(request: Request) -> Response:
    """Withdraw pages from a task."""

    def withdraw(web: Web, wanted: records.PagesRequest) -> Response:
        outcome = steer_tasks.withdraw(web, str(wanted.task), wanted.urls)
        return _answer(outcome, make_submit_command(web.folder, wanted.task, wanted.urls, withdraw=True))

    return await _carry_out(request, records.PagesRequest, withdraw)


async def preview_task(request: Request) -> Response:
    """Count the known links that a task would take up."""

    def preview(web: Web, wanted: records.NewTaskRequest) -> Response:
        found = PREVIEWER.preview_task(web, _read_new(web, wanted))
        taken, least, most = found.estimate(found.taken)
        return make_response(
            records.PreviewResult(found.known, taken, least, most, found.judged, found.refused)
        )

    return await _carry_out(request, records.NewTaskRequest, preview)


async def judge_urls(request: Request) -> Response:
    """Say which rule of a task decides for each URL."""

    def judge(web: Web, wanted: records.RulesRequest) -> Response:
        _refuse_local(wanted.options)
        note = steer_tasks.find_task(web, str(wanted.task))
        spec = replace_options(read_spec(note), **wanted.options)
        PREVIEWER.check_patterns(web, list_patterns(spec), wanted.urls)
        rules = UrlJudge(web.store, read_learnt_rules(web.store), spec, list_seeds(spec), note.number)
        return make_response(records.RulesResult(rules.judge_all(wanted.urls)))

    return await _carry_out(request, records.RulesRequest, judge)


async def _carry_out(request: Request, kind: type[Body], step: Callable[[Web, Body], Response]) -> Response:
    """Read a request, and carry it out on a web of its own: the crawl may need seconds to answer."""
    wanted = await read_json(request, kind)
    context = get_context(request)

    def act() -> Response:
        with context.open_web() as web:
            return step(web, wanted)

    return await run_in_threadpool(act)


def _stop(web: Web, task: int, pause: bool) -> Response:
    outcome = steer_tasks.stop(web, str(task), pause)
    return _answer(outcome, make_stop_command(web.folder, task, pause))


def _read_new(web: Web, wanted: records.NewTaskRequest) -> TaskSpec:
    _refuse_local(wanted.options)
    base = TaskSpec()
    if wanted.like:
        like = read_spec(steer_tasks.find_task(web, str(wanted.like)))
        base = msgspec.structs.replace(like, name="")
    return replace_options(base, **wanted.options)


def _refuse_local(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if isinstance(value, str | list):
            refuse_local(name, value)


def _answer(outcome: Outcome, command: str, started: bool = False, status: int = 200) -> Response:
    note = outcome.note
    task = records.SteeredTask(
        note.number, note.name, note.state, note.reason, outcome.done, command, started
    )
    return make_response(task, status)


ROUTES = (
    Route("/api/console/tasks", start_task, methods=["POST"]),
    Route("/api/console/task/stop", stop_task, methods=["POST"]),
    Route("/api/console/task/pause", pause_task, methods=["POST"]),
    Route("/api/console/task/resume", resume_task, methods=["POST"]),
    Route("/api/console/task/change", change_task, methods=["POST"]),
    Route("/api/console/task/submit", submit_pages, methods=["POST"]),
    Route("/api/console/task/withdraw", withdraw_pages, methods=["POST"]),
    Route("/api/console/preview", preview_task, methods=["POST"]),
    Route("/api/console/rules", judge_urls, methods=["POST"]),
)
