"""The API that saves a page as the browser of a reader shows it."""

import time
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.control.command_mailbox import is_running
from gossamer.crawl.from_archive.saved_pages import MOST_BYTES, SavedPage, save_page
from gossamer.errors import BadInput
from gossamer.navigate.history.keep_visits import read_web_address
from gossamer.store.tombstones import load_tombstones
from gossamer.ui.access.paired_request import for_paired_async
from gossamer.ui.api.json_io import make_response, read_json
from gossamer.ui.navigate.reading_parts import get_reading
from gossamer.ui.page_context import get_context

# JSON writes some characters as six.
_MOST_BODY_BYTES = 2 * MOST_BYTES
_NOT_FOUND = 404
_NO_WEB = "Pages can be saved only in a web in a folder of this machine, and this server has none."
_WAITS = "A crawl is at work in this collection; the page is kept, and can be found when the crawl ends."


class SaveRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page as the browser shows it."""

    url: Annotated[str, Meta(max_length=4_000)]
    html: Annotated[str, Meta(min_length=1)]
    title: Annotated[str, Meta(max_length=2_000)] = ""


class SavedAnswer(msgspec.Struct, frozen=True):
    """Whether the page is kept."""

    kept: bool
    note: str
    """What is still to happen, in one sentence; "" if it can be found in a moment."""


async def send_save(request: Request) -> Response:
    """Keep a page as the browser shows it."""
    taker = get_reading(request).saves
    if taker is None or not taker.can_save:
        return make_response({"error": _NO_WEB}, _NOT_FOUND)
    given = await read_json(request, SaveRequest, _MOST_BODY_BYTES)
    url = read_web_address(given.url)
    if not url:
        raise BadInput(f"{given.url[:200]!r} is not the address of a page of the web")
    if len(given.html.encode("utf-8", "replace")) > MOST_BYTES:
        raise BadInput(f"the page is too large: at most {MOST_BYTES // 1_000_000} MB are kept")
    await run_in_threadpool(_refuse_forgotten, request, url)
    is_busy = is_running(taker.folder)
    await run_in_threadpool(save_page, taker.folder, SavedPage(url, given.html, time.time()))
    taker.start()
    return make_response(SavedAnswer(True, _WAITS if is_busy else ""))


def _refuse_forgotten(request: Request, url: str) -> None:
    with get_context(request).borrow_web() as web:
        if load_tombstones(web.store).covers(url):
            raise BadInput("this page was forgotten on request; `gossamer forget --undo` allows it again")


ROUTES = (Route("/api/navigate/saves", for_paired_async(send_save), methods=["POST"]),)
