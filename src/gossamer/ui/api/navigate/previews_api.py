"""The API of previews: the beginning of a page is fetched while its reader waits, and no longer."""

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.navigate.link_card import LinkCard
from gossamer.ui.access.paired_request import for_paired_async
from gossamer.ui.api.json_io import make_response, read_json
from gossamer.ui.navigate.reading_parts import get_reading

_OFF = "This server makes no previews; start it with gossamer serve --previews."
_NOT_FOUND, _CLIENT_GONE = 404, 499


class PreviewRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page that the collection does not know."""

    url: Annotated[str, Meta(max_length=4_000, description="The address of a page.")]


class PreviewAnswer(msgspec.Struct, frozen=True):
    """The card of a page that was fetched for it."""

    card: LinkCard
    note: str
    """Why there is no more on the card, in one sentence; "" if nothing is missing."""


async def send_preview(request: Request) -> Response:
    """Fetch the beginning of a page and send its card. If the client goes away, the request to the page ends at once."""
    given, maker = await read_json(request, PreviewRequest), get_reading(request).previews
    if maker is None:
        return make_response({"error": _OFF}, _NOT_FOUND)
    work = asyncio.ensure_future(maker.make(given.url))
    gone = asyncio.ensure_future(_wait_until_gone(request))
    try:
        await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            return Response(status_code=_CLIENT_GONE)
        made = work.result()
        card = await run_in_threadpool(get_reading(request).plugins.add_card_lines, made.card)
        return make_response(PreviewAnswer(card, made.note))
    finally:
        work.cancel()
        gone.cancel()
        await asyncio.gather(work, gone, return_exceptions=True)


async def _wait_until_gone(request: Request) -> None:
    """Return when the client has closed its connection."""
    message = await request.receive()
    if message["type"] != "http.disconnect":
        await asyncio.Event().wait()  # a server that does not say so: then the answer is sent in any case


ROUTES = (Route("/api/navigate/previews", for_paired_async(send_preview), methods=["POST"]),)
