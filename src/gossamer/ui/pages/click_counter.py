"""Count how often people open the answers.

Links lead straight to the page and name this server in their `ping` attribute: even without scripts, the browser sends the
opened address in the header Ping-To. There are no redirects. For browsers that send no pings, `page.js` sends the address
in a form.
"""

import time

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadUrl, StoreFailed
from gossamer.net import url as urls
from gossamer.store.click_counts import count_opening
from gossamer.ui.forms import read_fields
from gossamer.ui.page_context import PageContext, get_context


async def count_click(request: Request) -> Response:
    """Count that a page is opened; the answer is empty."""
    fields = await read_fields(request)
    url = request.headers.get("ping-to") or fields.get("url", "")
    await run_in_threadpool(_count, get_context(request), url)
    return Response(status_code=204)


def _count(context: PageContext, url: str) -> None:
    try:
        page = urls.page_id(urls.canonical(url))
    except BadUrl:
        return
    with context.write_lock, context.borrow_web() as web:
        if web.store.page(page) is not None:
            try:
                count_opening(web.store, page, time.time())
            except StoreFailed:  # a read-only web: nothing is counted
                return


ROUTES = (Route("/opened", count_click, methods=["POST"]),)
