"""Read parameters and JSON of API requests, and write JSON answers."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from gossamer.errors import BadInput
from gossamer.ui.forms import MOST_BYTES, has_json, read_body

Kind = TypeVar("Kind")


def read_parameters(parameters: Mapping[str, str], kind: type[Kind]) -> Kind:
    """Read the parameters of an address into a record; refuse unknown or wrong ones."""
    try:
        return msgspec.convert(dict(parameters), kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"the parameters cannot be read: {error}") from None


async def read_json(request: Request, kind: type[Kind], most_bytes: int = MOST_BYTES) -> Kind:
    """Read the JSON body of a request into a record."""
    if not has_json(request):
        raise BadInput("send a JSON object, with Content-Type: application/json")
    try:
        return msgspec.json.decode(await read_body(request, most_bytes), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"the JSON cannot be read: {error}") from None
    except RecursionError:
        raise BadInput("the JSON cannot be read: it is nested too deeply; send a flat object") from None


def make_response(record: object, status: int = 200) -> Response:
    """Return a record as a JSON answer."""
    return Response(msgspec.json.encode(record), status, media_type="application/json")
