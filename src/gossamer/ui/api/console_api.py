"""The JSON API of the console: the same as its watching pages show, for programs."""

import time

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.status.read_status import read_history
from gossamer.errors import BadInput
from gossamer.reports.crawls.counted_documents import read_page
from gossamer.reports.crawls.find_hosts import HostChoice, find_hosts
from gossamer.ui.api import console_records as records
from gossamer.ui.api.json_io import make_response, read_parameters
from gossamer.ui.console.live.crawl_watch import read_recent_status
from gossamer.ui.console.live.curves import MOST_POINTS, SPANS
from gossamer.ui.console.live.explain_page import tell_story
from gossamer.ui.page_context import get_context

_MOST_DOCUMENTS = 1_000


def send_status(request: Request) -> Response:
    """Send the state of all tasks, or of one, and what is fetched at this moment."""
    task = read_parameters(request.query_params, records.TaskParameters).task
    status = read_recent_status(request, get_context(request))
    chosen = [one for one in status.tasks if task in (0, one.note.number)]
    if task and not chosen:
        raise BadInput(f"this web has no task {task}")
    visits = [visit for shard in status.shards for visit in shard.visits if task in (0, visit.task)]
    return make_response(
        records.ConsoleStatus(
            status.when_s,
            status.running,
            status.stall,
            [records.summarise_task(one) for one in chosen],
            sorted(visits, key=lambda visit: visit.since_s),
        )
    )


def send_hosts(request: Request) -> Response:
    """Send a page of the hosts."""
    given = read_parameters(request.query_params, records.HostParameters)
    if given.page < 1:
        raise BadInput("a page of hosts is named by its number, from 1")
    choice = HostChoice(given.task, given.order, given.name.strip(), given.page)
    with get_context(request).borrow_web() as web:
        found = find_hosts(web, choice, time.time())
    return make_response(records.HostList(found.hosts, given.page, found.is_last))


def send_history(request: Request) -> Response:
    """Send the counts over time."""
    given = read_parameters(request.query_params, records.HistoryParameters)
    now_s, span_s = time.time(), SPANS[given.span][1]
    since_s = now_s - span_s if span_s else 0.0
    with get_context(request).borrow_web() as web:
        return make_response(read_history(web.store, given.task or None, since_s, now_s, MOST_POINTS))


def send_documents(request: Request) -> Response:
    """Send a page of the documents behind a count."""
    given = read_parameters(request.query_params, records.DocumentParameters)
    if not 1 <= given.most <= _MOST_DOCUMENTS or given.after < 0:
        raise BadInput(
            f"`most` must be from 1 to {_MOST_DOCUMENTS:,}, and `after` the number that the last answer named"
        )
    with get_context(request).borrow_web() as web:
        page = read_page(web, given.task, given.count, given.after, given.most)
    return make_response(records.CountedDocuments(page.documents, page.next_after, page.remark))


async def send_story(request: Request) -> Response:
    """Send the story of a URL."""
    return await get_context(request).run_costly(_send_story, request)


def _send_story(request: Request) -> Response:
    url = read_parameters(request.query_params, records.ExplainParameters).url
    with get_context(request).borrow_web() as web:
        return make_response(tell_story(web, url, time.time()))


ROUTES = (
    Route("/api/console/status", send_status),
    Route("/api/console/hosts", send_hosts),
    Route("/api/console/history", send_history),
    Route("/api/console/documents", send_documents),
    Route("/api/console/explain", send_story),
)
