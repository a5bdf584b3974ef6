"""Read forms and request bodies, and check that a form comes from one of our own pages."""

import asyncio
import hmac
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request

from gossamer.errors import BadInput
from gossamer.ui.page_context import get_context

_MOST_BYTES = 100_000
# Less than a whole request may take, so that the client is told.
_TIMEOUT_S = 10.0
_TOO_LONG = f"the request is too long: at most {_MOST_BYTES:,} bytes are accepted"
KEY = "form_key"


async def read_body(request: Request) -> bytes:
    """Return the body of a request; refuse bodies that are too long or do not arrive in time."""
    chunked = request.headers.get("transfer-encoding", "").strip().lower() == "chunked"
    length = request.headers.get("content-length", "0" if chunked else "")
    if not length.isdecimal() or len(length) > len(str(_MOST_BYTES)) or int(length) > _MOST_BYTES:
        raise BadInput(_TOO_LONG)
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            return await _read_stream(request)
    except TimeoutError:
        raise BadInput("the request did not arrive in time") from None
    except ClientDisconnect:
        raise BadInput("the client has gone before its request arrived") from None


async def _read_stream(request: Request) -> bytes:
    """Read a body up to the limit, since a chunked one may be longer than its Content-Length."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BYTES:
            raise BadInput(_TOO_LONG)
    return bytes(body)


async def read_fields(request: Request) -> dict[str, str]:
    """Return the fields of a form from any page."""
    fields = parse_qs((await read_body(request)).decode("utf-8", "replace"), keep_blank_values=True)
    return {name: values[-1] for name, values in fields.items()}


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form from one of our own pages; refuse any other."""
    form = await read_fields(request)
    if not hmac.compare_digest(form.get(KEY, "").encode(), get_context(request).form_key.encode()):
        raise BadInput(
            "the server was restarted since this form was loaded; go back, reload the page, and send it again"
        )
    return form
