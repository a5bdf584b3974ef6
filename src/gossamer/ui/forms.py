"""Forms that people send: read them, and see that they come from a page of ours."""

import hmac
from urllib.parse import parse_qs

from starlette.requests import Request

from gossamer.errors import BadInput
from gossamer.ui.desk import desk_of

_MOST_BYTES = 100_000
KEY = "form_key"


async def body_of(request: Request) -> bytes:
    """Return what was sent; refuse what is longer than anything that is asked for here."""
    said = request.headers.get("content-length", "")
    if not said.isdecimal() or len(said) > len(str(_MOST_BYTES)) or int(said) > _MOST_BYTES:
        raise BadInput("more was sent than is taken here")
    return await request.body()


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form that one of our pages has sent; refuse any other."""
    sent = parse_qs((await body_of(request)).decode("utf-8", "replace"), keep_blank_values=True)
    form = {name: values[-1] for name, values in sent.items()}
    if not hmac.compare_digest(form.get(KEY, "").encode(), desk_of(request).form_key.encode()):
        raise BadInput(
            "this form is from before the server was started anew; go back, reload the page, and send it again"
        )
    return form
