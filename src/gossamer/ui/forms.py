"""Forms that people send: read them, and see that they come from a page of ours."""

import asyncio
import hmac
from urllib.parse import parse_qs

from starlette.requests import Request

from gossamer.errors import BadInput
from gossamer.ui.page_context import desk_of

_MOST_BYTES = 100_000
_PATIENCE_S = 20.0
_TOO_MUCH = "more was sent than is taken here"
KEY = "form_key"


async def body_of(request: Request) -> bytes:
    """Return what was sent; refuse what is longer than anything that is asked for here, or does not come."""
    said = request.headers.get("content-length", "")
    if not said.isdecimal() or len(said) > len(str(_MOST_BYTES)) or int(said) > _MOST_BYTES:
        raise BadInput(_TOO_MUCH)
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await _read(request)
    except TimeoutError:
        raise BadInput("what was sent did not come to its end") from None


async def _read(request: Request) -> bytes:
    """Read what is sent, whatever it said of its length: sent in chunks, it may have another one."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BYTES:
            raise BadInput(_TOO_MUCH)
    return bytes(body)


async def fields_of(request: Request) -> dict[str, str]:
    """Return the fields of a form, whoever has sent it."""
    sent = parse_qs((await body_of(request)).decode("utf-8", "replace"), keep_blank_values=True)
    return {name: values[-1] for name, values in sent.items()}


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form that one of our pages has sent; refuse any other."""
    form = await fields_of(request)
    if not hmac.compare_digest(form.get(KEY, "").encode(), desk_of(request).form_key.encode()):
        raise BadInput(
            "this form is from before the server was started anew; go back, reload the page, and send it again"
        )
    return form
