"""Server-sent events: what the live page and the pages of tasks show, whenever it has changed."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.ui.connections.event_response import EventStream
from gossamer.ui.console.live.crawl_watch import CrawlWatch, Subject, get_watch
from gossamer.ui.console.live.view_parameters import read_subject
from gossamer.ui.page_context import get_context

_REFUSAL = "Too many look at this crawl; ask again now and then."


class EventResponse(EventStream):
    """Sends snapshots of a crawl."""

    def __init__(self, watch: CrawlWatch, subject: Subject, **limits: float) -> None:
        super().__init__(partial(watch.add_viewer, subject), _REFUSAL, lambda: True, **limits)


async def send_events(request: Request) -> Response:
    """Send what a page shows, once a second if it has changed."""
    _ = get_context(request).folder  # raises if this server has no web of its own
    return EventResponse(get_watch(request), read_subject(request))


ROUTES = (Route("/console/events", send_events),)
