"""How programs are understood and answered: parameters and JSON in, JSON out."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from gossamer.errors import BadInput
from gossamer.ui.forms import body_of

Kind = TypeVar("Kind")


def asked(parameters: Mapping[str, str], kind: type[Kind]) -> Kind:
    """Read the parameters of an address; refuse what is none."""
    try:
        return msgspec.convert(dict(parameters), kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"the parameters cannot be read: {error}") from None


async def sent(request: Request, kind: type[Kind]) -> Kind:
    """Read the JSON that was sent."""
    # Pages of others can send forms and plain text without asking, but no JSON.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadInput("send a JSON object, with Content-Type: application/json")
    try:
        return msgspec.json.decode(await body_of(request), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"that is not what is asked for here: {error}") from None


def answer(told: object, status: int = 200) -> Response:
    """Return what a program is told."""
    return Response(msgspec.json.encode(told), status, media_type="application/json")
