"""All hosts of a crawl, by waiting requests, pause, failures or next turn; searched by name, page by page."""

import time

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.status.read_status import list_hosts
from gossamer.crawl.status.status_records import HostStatus
from gossamer.errors import BadInput
from gossamer.store.batch import HostOrder
from gossamer.ui.console.live.live_view import HostRow, describe_host
from gossamer.ui.console.live.view_parameters import MOST_CHARACTERS, read_task
from gossamer.ui.page_context import get_context
from gossamer.web import Web

ORDERS = {
    "waiting": "waiting",
    "pause": "pause",
    "failures": "failures",
    "turn": "next turn",
    "name": "host",
}
"""By name: the column that is sorted by."""
_STORE_ORDERS: dict[str, HostOrder] = {
    "waiting": "waiting",
    "pause": "waiting",
    "failures": "failures",
    "turn": "next turn",
    "name": "name",
}
PER_PAGE = 100
MOST_HOSTS = 200_000
"""More are not sorted or searched."""
_MOST_PAGE_DIGITS = 6


class HostPage(msgspec.Struct, frozen=True):
    """Some hosts in an order, and how many there are."""

    hosts: list[HostStatus]
    found: int
    """How many match, as far as hosts were read: all of them if one was searched for."""
    is_last: bool


class HostChoice(msgspec.Struct, frozen=True):
    """Which hosts to show."""

    task: int = 0
    order: str = "waiting"
    name: str = ""
    """Only hosts whose names contain this."""
    page: int = 1


def find_hosts(web: Web, choice: HostChoice, now_s: float) -> HostPage:
    """Return a page of the hosts that were chosen."""
    needs_all = bool(choice.name) or choice.order == "pause"
    first = (choice.page - 1) * PER_PAGE
    most = MOST_HOSTS if needs_all else min(first + PER_PAGE + 1, MOST_HOSTS)
    hosts = list_hosts(web.store, web.folder, now_s, _STORE_ORDERS[choice.order], most, choice.task or None)
    if choice.name:
        hosts = [host for host in hosts if choice.name.lower() in host.name]
    if choice.order == "pause":
        hosts.sort(key=lambda host: (-host.pause_s, -host.waiting, host.name))
    return HostPage(hosts[first : first + PER_PAGE], len(hosts), len(hosts) <= first + PER_PAGE)


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
    )


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
