"""Counting how often people open what they found.

Links lead straight to the page and name this server in their `ping`: the browser tells it, also without scripts, which
address is being opened (the header Ping-To), and nobody is ever sent anywhere from here. Browsers that send no pings
are helped by `page.js`, which says the same in a form.
"""

import time

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadUrl, StoreFailed
from gossamer.net import url as urls
from gossamer.store.click_counts import count_opening
from gossamer.ui.forms import fields_of
from gossamer.ui.page_context import Desk, desk_of


async def opened(request: Request) -> Response:
    """Count that somebody opens a page; nothing is told, and nobody is sent anywhere."""
    sent = await fields_of(request)
    url = request.headers.get("ping-to") or sent.get("url", "")
    await run_in_threadpool(_count, desk_of(request), url)
    return Response(status_code=204)


def _count(desk: Desk, url: str) -> None:
    try:
        page = urls.page_id(urls.canonical(url))
    except BadUrl:
        return
    with desk.writing, desk.web() as web:
        if web.store.page(page) is not None:
            try:
                count_opening(web.store, page, time.time())
            except StoreFailed:  # somebody else's web can only be read: then nothing is counted
                return


ROUTES = (Route("/opened", opened, methods=["POST"]),)
