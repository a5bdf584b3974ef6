"""All hosts of a crawl, by waiting requests, pause, failures or next turn; searched by name, page by page."""

import time
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.steer.command_lines import make_command
from gossamer.errors import BadInput
from gossamer.reports.crawls.find_hosts import ORDERS, PER_PAGE, HostChoice, find_hosts
from gossamer.task_file import make_pair
from gossamer.ui.console.live.live_view import HostRow, describe_host
from gossamer.ui.console.live.view_parameters import MOST_CHARACTERS, read_task
from gossamer.ui.page_context import get_context

_MOST_PAGE_DIGITS = 6
_MOST_LISTED = 1_000
"""`gossamer status` lists no more."""


def show_hosts(request: Request) -> Response:
    """Show the page."""
    context = get_context(request)
    choice = _read_choice(request)
    now_s = time.time()
    with context.borrow_web() as web:
        page = find_hosts(web, choice, now_s)
        tasks = [(note.number, note.name) for note in web.store.tasks()]
    rows: list[HostRow] = [describe_host(host, now_s) for host in page.hosts]
    return context.render_page(
        request,
        "console/hosts.html",
        rows=rows,
        page=page,
        choice=choice,
        orders=ORDERS,
        tasks=tasks,
        first=(choice.page - 1) * PER_PAGE + 1,
        command=_make_command(context.folder, choice),
    )


def _make_command(folder: Path, choice: HostChoice) -> str:
    """Return the command that lists the same hosts, with those of the pages before."""
    most = str(min(choice.page * PER_PAGE, _MOST_LISTED))
    like = make_pair("--hosts-like", choice.name) if choice.name else []
    task = ["--task", str(choice.task)] if choice.task else []
    return make_command(folder, "status", "--hosts", most, "--hosts-by", choice.order, *like, *task)


def _read_choice(request: Request) -> HostChoice:
    order = request.query_params.get("order", "waiting")
    if order not in ORDERS:
        raise BadInput(f"hosts are sorted by one of {', '.join(ORDERS)}")
    page = request.query_params.get("page", "1")
    if not (page.isascii() and page.isdecimal()) or len(page) > _MOST_PAGE_DIGITS or not int(page):
        raise BadInput("a page of hosts is named by its number, from 1")
    name = request.query_params.get("name", "").strip()[:MOST_CHARACTERS]
    return HostChoice(read_task(request), order, name, int(page))


ROUTES = (Route("/console/hosts", show_hosts),)
