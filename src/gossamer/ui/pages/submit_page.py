"""The form that submits a page to a crawl, and the pages that were submitted, which can be withdrawn."""

import time
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.control.submit_pages import (
    make_submission,
    make_withdrawals,
    select_crawls,
    submit,
    withdraw,
)
from gossamer.crawl.control.submitted_pages import list_submitted
from gossamer.crawl.describe_cause import describe_cause
from gossamer.errors import BadInput
from gossamer.net import url as urls
from gossamer.store.batch import TaskNote
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import PageContext, get_context
from gossamer.web import Web

_WRONG_USE = 400
_MOST_CHARACTERS = 4_000
_MOST_SHOWN = 50
"""The newest submitted pages; `gossamer submit --list` shows all."""


def show_form(request: Request) -> Response:
    """Show the form."""
    return _render_form(request, url=request.query_params.get("url", ""))


async def take_form(request: Request) -> Response:
    """Submit the page of the form."""
    form = await read_form(request)
    url = form.get("url", "").strip()
    try:
        soon = await run_in_threadpool(submit_url, get_context(request), url, form.get("task", ""))
    except BadInput as error:
        shown = urls.split_user_info(url)[0]
        return await run_in_threadpool(_render_form, request, _WRONG_USE, url=shown, wrong=str(error))
    return await run_in_threadpool(_render_form, request, taken=url, soon=soon)


def submit_url(context: PageContext, url: str, task: str = "") -> bool:
    """Give a page to a task, by default the newest; return whether a running crawl fetches it soon."""
    if url.lower().startswith("file:"):
        raise BadInput("files of this machine are submitted on its command line, not by a browser")
    if len(url) > _MOST_CHARACTERS:
        raise BadInput(f"the address is too long: at most {_MOST_CHARACTERS:,} characters are accepted")
    with context.borrow_web() as web:
        return submit(web.store, web.folder, make_submission(web.store, _find_task(web, task), [url]))


async def take_withdrawal(request: Request) -> Response:
    """Withdraw the page of the form."""
    form = await read_form(request)
    url = form.get("url", "")
    try:
        soon = await run_in_threadpool(withdraw_url, get_context(request), url, form.get("task", ""))
    except BadInput as error:
        return await run_in_threadpool(_render_form, request, _WRONG_USE, wrong=str(error))
    return await run_in_threadpool(_render_form, request, withdrawn=url, soon=soon)


def withdraw_url(context: PageContext, url: str, task: str) -> bool:
    """Take a submitted page back from a task; return whether a running crawl does so soon."""
    with context.borrow_web() as web:
        number = web.task(task[:_MOST_CHARACTERS]).number
        [order] = make_withdrawals(web.store, web.folder, [url[:_MOST_CHARACTERS]], number)
        return withdraw(web.store, web.folder, order, time.time())


def _find_task(web: Web, name: str) -> TaskNote:
    tasks = select_crawls(web.tasks())
    if not tasks:
        raise BadInput("this collection has no task that crawls; start one with `gossamer crawl`")
    if not name:
        return tasks[-1]
    found = web.task(name[:_MOST_CHARACTERS])
    if found not in tasks:
        raise BadInput(f"{found.name} was imported and does not crawl")
    return found


def _render_form(request: Request, status: int = 200, **facts: Any) -> Response:
    context = get_context(request)
    with context.borrow_web() as web:
        tasks = list(reversed(select_crawls(web.tasks())))
        submitted = list(reversed(list_submitted(web.store, web.folder, _MOST_SHOWN)))
    variables: dict[str, Any] = {"url": "", "wrong": "", "taken": "", "withdrawn": "", "soon": False, **facts}
    variables |= {"tasks": tasks, "submitted": submitted, "describe_cause": describe_cause}
    return context.render_page(request, "submit.html", status, **variables)


ROUTES = (
    Route("/submit", show_form),
    Route("/submit", take_form, methods=["POST"]),
    Route("/submit/withdraw", take_withdrawal, methods=["POST"]),
)
