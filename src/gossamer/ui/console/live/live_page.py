"""The live page: how fast a crawl is, what it fetches at this moment, its counts and its hosts."""

import time

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gossamer.crawl.status.read_status import read_history
from gossamer.crawl.steer.command_lines import make_command
from gossamer.errors import BadInput
from gossamer.ui.console.live.crawl_watch import CrawlSnapshot, LiveMessage, read_snapshot
from gossamer.ui.console.live.curves import MOST_POINTS, SPANS, USUAL_SPAN, CurveView, make_curves
from gossamer.ui.console.live.live_view import make_view
from gossamer.ui.console.live.view_parameters import read_task
from gossamer.ui.page_context import PageContext, get_context


def render_message(context: PageContext, snapshot: CrawlSnapshot, task: int) -> LiveMessage:
    """Return what changes on the live page."""
    view = make_view(snapshot, task)
    head, html = (context.render_part(f"console/live_{part}.html", view=view) for part in ("head", "part"))
    return LiveMessage(head, html, view.point)


def show_live(request: Request) -> Response:
    """Show the page."""
    context = get_context(request)
    task, span = read_task(request), _read_span(request)
    snapshot = read_snapshot(request, context, task)
    _check_task(snapshot, task)
    return context.render_page(
        request,
        "console/live.html",
        view=make_view(snapshot, task),
        curves=_read_curves(context, task, span),
        span=span,
        spans=SPANS,
        command=make_command(context.folder, "status", "--follow"),
    )


def send_part(request: Request) -> Response:
    """Send what an event would send: for browsers and proxies without events."""
    context = get_context(request)
    task = read_task(request)
    snapshot = read_snapshot(request, context, task)
    _check_task(snapshot, task)
    message = render_message(context, snapshot, task)
    return Response(msgspec.json.encode(message), media_type="application/json")


def send_curves(request: Request) -> Response:
    """Send the curves alone, as HTML: for pages without the library that draws them."""
    context = get_context(request)
    task, span = read_task(request), _read_span(request)
    html = context.render_part("console/curves_part.html", curves=_read_curves(context, task, span))
    return HTMLResponse(html)


def _read_curves(context: PageContext, task: int, span: str) -> CurveView:
    now_s = time.time()
    span_s = SPANS[span][1]
    with context.borrow_web() as web:
        since_s = now_s - span_s if span_s else 0.0
        return make_curves(read_history(web.store, task or None, since_s, now_s, MOST_POINTS))


def _read_span(request: Request) -> str:
    span = request.query_params.get("span", USUAL_SPAN)
    if span not in SPANS:
        raise BadInput(f"the span must be one of {', '.join(SPANS)}")
    return span


def _check_task(snapshot: CrawlSnapshot, task: int) -> None:
    if task and not any(one.note.number == task for one in snapshot.status.tasks):
        raise BadInput(f"this web has no task {task}")


ROUTES = (
    Route("/console/live", show_live),
    Route("/console/live/part", send_part),
    Route("/console/live/curves", send_curves),
)
