"""Read forms and request bodies, and check that a form comes from one of our own pages."""

import asyncio
import hmac
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive

from gossamer.errors import BadInput
from gossamer.ui.access.visitor import get_visitor
from gossamer.ui.security import FOR_EXTENSIONS, is_from_own_page

MOST_BYTES = 100_000
# Less than a whole request may take, so that the client is told.
_TIMEOUT_S = 10.0
KEY = "form_key"
ENTRANCE = "/enter"
WITHOUT_KEY = (ENTRANCE, "/opened")
"""Paths whose requests have no key: the login, and the count of opened answers, which browsers send by themselves."""


async def read_body(request: Request, most_bytes: int = MOST_BYTES) -> bytes:
    """Return the body of a request; refuse bodies that are too long or do not arrive in time."""
    too_long = f"the request is too long: at most {most_bytes:,} bytes are accepted"
    chunked = request.headers.get("transfer-encoding", "").strip().lower() == "chunked"
    length = request.headers.get("content-length", "0" if chunked else "")
    if not length.isdecimal() or len(length) > len(str(most_bytes)) or int(length) > most_bytes:
        raise BadInput(too_long)
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            return await _read_stream(request, most_bytes, too_long)
    except TimeoutError:
        raise BadInput("the request did not arrive in time") from None
    except ClientDisconnect:
        raise BadInput("the client has gone before its request arrived") from None


async def _read_stream(request: Request, most_bytes: int, too_long: str) -> bytes:
    """Read a body up to the limit, since a chunked one may be longer than its Content-Length."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most_bytes:
            raise BadInput(too_long)
    return bytes(body)


async def read_fields(request: Request) -> dict[str, str]:
    """Return the fields of a form from any page."""
    fields = parse_qs((await read_body(request)).decode("utf-8", "replace"), keep_blank_values=True)
    return {name: values[-1] for name, values in fields.items()}


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form from one of our own pages; refuse any other."""
    form = await read_fields(request)
    if not hmac.compare_digest(form.get(KEY, "").encode(), get_visitor(request).form_key.encode()):
        raise BadInput(
            "the server was restarted, or you have logged in again, since this form was loaded; "
            "go back, reload the page, and send it again"
        )
    return form


async def check_sender(request: Request) -> Receive:
    """Refuse a request that changes something unless one of our own pages or a program sent it.

    Programs send a bearer token or JSON, which pages of other sites cannot; forms have the key of the visitor's session. The
    paths of `WITHOUT_KEY` have forms before the login, or none: there, the browser has to say that the page is ours.
    Return what the application reads the body from.
    """
    if get_visitor(request).is_program or has_json(request) or _is_from_paired(request):
        return request.receive
    if request.scope["path"] in WITHOUT_KEY:
        if not is_from_own_page(request.headers):
            raise BadInput("only pages of this server may send this; programs send a bearer token or JSON")
        return request.receive
    body = await read_body(request)
    await read_form(Request(request.scope, _replay(body, request.receive)))
    return _replay(body, request.receive)


def _is_from_paired(request: Request) -> bool:
    """Say whether a request has the header that paired browsers send, for their part: pages of other sites cannot send it."""
    has_token = request.headers.get("authorization", "").lower().startswith("bearer ")
    return has_token and request.scope["path"].startswith(FOR_EXTENSIONS)


def has_json(request: Request) -> bool:
    """Say whether a request has JSON: pages of other sites can send forms and plain text without permission, but not JSON."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def _replay(body: bytes, rest: Receive) -> Receive:
    """Return a channel that gives a body that was read already, and then what follows."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else await rest()

    return receive
