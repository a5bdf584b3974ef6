"""The API of events: programs of a reader hear what happens while they read."""

import time
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.navigate.link_card import LinkCard
from gossamer.navigate.reading_event import ReadingEvent
from gossamer.ui.access.paired_request import find_browser, refuse_stranger
from gossamer.ui.connections.event_response import EventStream
from gossamer.ui.connections.socket_response import EventSocket
from gossamer.ui.navigate.reading_events import find_owner, get_events

_REFUSAL = "Too many programs listen; close one of them."


async def send_events(request: Request) -> Response:
    """Send what the reader does, and which pages of their topics a crawl keeps, until the client goes or its pairing ends."""
    browser = find_browser(request)
    if browser is None:
        return refuse_stranger()
    events, owner = get_events(request), find_owner(request, browser)
    return EventStream(
        lambda: events.add_listener(owner), _REFUSAL, lambda: find_browser(request) is not None
    )


async def open_socket(request: Request) -> Response:
    """Send the same over a WebSocket."""
    browser = find_browser(request)
    if browser is None:
        return refuse_stranger()
    events, owner = get_events(request), find_owner(request, browser)
    return EventSocket(
        lambda: events.add_listener(owner), _REFUSAL, lambda: find_browser(request) is not None
    )


def tell_cards(request: Request, cards: Sequence[LinkCard]) -> None:
    """Tell that cards were asked for."""
    now_s = time.time()
    tell(request, [ReadingEvent("card", card.url, card.title, now_s) for card in cards])


def tell(request: Request, events: Sequence[ReadingEvent]) -> None:
    """Tell the programs of the reader who sent a request."""
    browser = find_browser(request)
    if browser is not None and events:
        get_events(request).tell(find_owner(request, browser), *events)


ROUTES = (Route("/api/navigate/events", send_events), Route("/api/navigate/socket", open_socket))
