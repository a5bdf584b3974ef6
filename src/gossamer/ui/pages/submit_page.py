"""The form for pages that should be in the collection."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.control.submit_pages import make_submission, select_crawls, submit
from gossamer.errors import BadInput
from gossamer.store.batch import TaskNote
from gossamer.ui.forms import form_of
from gossamer.ui.page_context import Desk, desk_of
from gossamer.web import Web

_WRONG_USE = 400
_MOST_CHARACTERS = 4_000


def ask_for_page(request: Request) -> Response:
    """Show the form."""
    return _form(request, url=request.query_params.get("url", ""))


async def take_page(request: Request) -> Response:
    """Take the form."""
    form = await form_of(request)
    url = form.get("url", "").strip()
    try:
        soon = await run_in_threadpool(submitted, desk_of(request), url, form.get("task", ""))
    except BadInput as error:
        return await run_in_threadpool(_form, request, _WRONG_USE, url=url, wrong=str(error))
    return await run_in_threadpool(_form, request, taken=url, soon=soon)


def submitted(desk: Desk, url: str, task: str = "") -> bool:
    """Give a page to a task, the newest one if none is named; say whether a crawl is running that fetches it soon."""
    if len(url) > _MOST_CHARACTERS:
        raise BadInput("no page has so long an address")
    with desk.web() as web:
        return submit(web.store, web.folder, make_submission(_task(web, task), [url]))


def _task(web: Web, called: str) -> TaskNote:
    tasks = select_crawls(web.tasks())
    if not tasks:
        raise BadInput("this collection has no task that crawls; `gossamer crawl` begins one")
    if not called:
        return tasks[-1]
    found = web.task(called[:_MOST_CHARACTERS])
    if found not in tasks:
        raise BadInput(f"{found.name} was imported, and does not crawl")
    return found


def _form(request: Request, status: int = 200, **facts: Any) -> Response:
    desk = desk_of(request)
    with desk.web() as web:
        tasks = list(reversed(select_crawls(web.tasks())))
    shown: dict[str, Any] = {"url": "", "wrong": "", "taken": "", "soon": False, "tasks": tasks, **facts}
    return desk.page(request, "submit.html", status, **shown)


ROUTES = (Route("/submit", ask_for_page), Route("/submit", take_page, methods=["POST"]))
