"""The buttons of a task: stop, pause, resume, submit pages and withdraw them. Stopping asks first."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.crawl.steer.command_lines import make_stop_command
from gossamer.errors import GossamerError
from gossamer.ui.console.live.crawl_watch import get_watch
from gossamer.ui.console.tasks import steer_tasks
from gossamer.ui.console.tasks.steer_tasks import find_task
from gossamer.ui.console.tasks.task_pages import render_console, render_task
from gossamer.ui.console.tasks.task_view import view_task
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import get_context
from gossamer.web import Web

_WRONG_USE = 400
_SEE_OTHER = 303

Step = Callable[[Web], str]
"""Carries out an order, and returns the word of `task_pages.DONE` that tells what happened."""


def ask_before_stop(request: Request) -> Response:
    """Ask whether a task is to be stopped, on a page that says what follows from it."""
    context = get_context(request)
    with context.borrow_web() as web:
        note = find_task(web, request.query_params.get("number", ""))
        status = get_watch(request).reader.read_status(web)
        _, task, _ = view_task(web, status, note.number)
        command = make_stop_command(web.folder, note.number)
    return render_console(context, request, "console/stop.html", task=task, command=command)


async def take_stop(request: Request) -> Response:
    """Stop the task of the form."""
    return await _take_order(request, lambda form: lambda web: _stop(web, form["number"], pause=False))


async def take_pause(request: Request) -> Response:
    """Pause the task of the form."""
    return await _take_order(request, lambda form: lambda web: _stop(web, form["number"], pause=True))


async def take_resume(request: Request) -> Response:
    """Continue the task of the form."""
    return await _take_order(request, lambda form: lambda web: _resume(web, form["number"]))


async def take_submission(request: Request) -> Response:
    """Submit the pages of the form."""
    return await _take_order(request, _make_submission, "pages")


async def take_withdrawal(request: Request) -> Response:
    """Withdraw the page of the form."""

    def make_step(form: dict[str, str]) -> Step:
        def withdraw(web: Web) -> str:
            done = steer_tasks.withdraw(web, form["number"], [form.get("url", "")]).done
            return "withdraw" if done else "told"

        return withdraw

    return await _take_order(request, make_step)


async def _take_order(
    request: Request, make_step: Callable[[dict[str, str]], Step], field: str = ""
) -> Response:
    """Carry out the order of a form, then go to the page of the task; what is wrong is told beside the field, or the buttons."""
    form = {"number": "", **await read_form(request)}
    context = get_context(request)

    def carry_out() -> str:
        with context.open_web() as web:
            return make_step(form)(web)

    try:
        word = await run_in_threadpool(carry_out)
    except GossamerError as error:
        return await run_in_threadpool(_render_refusal, request, form, field, str(error))
    return RedirectResponse(f"/console/task?number={quote(form['number'])}&done={word}", _SEE_OTHER)


def _render_refusal(request: Request, form: dict[str, str], field: str, sentence: str) -> Response:
    typed: dict[str, Any] = {"pages": form.get("pages", ""), "widen": form.get("widen", "")}
    return render_task(
        request, form["number"], _WRONG_USE, wrong=sentence, wrong_field=field or "buttons", typed=typed
    )


def _make_submission(form: dict[str, str]) -> Step:
    def submit(web: Web) -> str:
        pages = [line.strip() for line in form.get("pages", "").splitlines() if line.strip()]
        outcome, _ = steer_tasks.submit(web, form["number"], pages, bool(form.get("widen")))
        return "submit" if outcome.done else "told"

    return submit


def _stop(web: Web, number: str, pause: bool) -> str:
    if not steer_tasks.stop(web, number, pause).done:
        return "told"
    return "pause" if pause else "stop"


def _resume(web: Web, number: str) -> str:
    _, how = steer_tasks.resume(web, number)
    return {"done": "resume", "told": "told", "started": "started"}[how]


ROUTES = (
    Route("/console/task/stop", ask_before_stop),
    Route("/console/task/stop", take_stop, methods=["POST"]),
    Route("/console/task/pause", take_pause, methods=["POST"]),
    Route("/console/task/resume", take_resume, methods=["POST"]),
    Route("/console/task/submit", take_submission, methods=["POST"]),
    Route("/console/task/withdraw", take_withdrawal, methods=["POST"]),
)
