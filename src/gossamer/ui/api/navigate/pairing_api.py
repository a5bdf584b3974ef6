"""Pair a browser for its extension: begin, and collect the token once a person agreed on the page `/pair`."""

from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.ui.access.paired_browsers import EXPIRES_S
from gossamer.ui.access.paired_request import get_browsers
from gossamer.ui.api.json_io import make_response, read_json

_MADE, _WAITS, _GONE = 201, 202, 410


class PairingRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser that wants to be paired."""

    name: Annotated[str, Meta(max_length=200)] = ""


class BegunPairing(msgspec.Struct, frozen=True):
    """What the extension shows and keeps until a person agreed."""

    code: str
    secret: str
    approve: str
    """The page on which a person agrees."""
    expires_s: int


class CollectRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An extension that asks whether a person agreed."""

    code: Annotated[str, Meta(max_length=100)]
    secret: Annotated[str, Meta(max_length=200)]


class CollectedPairing(msgspec.Struct, frozen=True):
    """Whether a person agreed; the token is sent once."""

    state: str
    token: str = ""
    name: str = ""


async def begin_pairing(request: Request) -> Response:
    """Begin a pairing; nothing is allowed by it until a person agrees."""
    given = await read_json(request, PairingRequest)
    pairing, secret = await run_in_threadpool(get_browsers(request).begin, given.name)
    return make_response(BegunPairing(pairing.code, secret, f"/pair?code={pairing.code}", EXPIRES_S), _MADE)


async def collect_token(request: Request) -> Response:
    """Give the extension its token, once, if a person agreed."""
    given = await read_json(request, CollectRequest)
    pairing = await run_in_threadpool(get_browsers(request).collect, given.code, given.secret)
    if pairing is None:
        return make_response({"error": "No pairing waits with this code; begin again."}, _GONE)
    if not pairing.token:
        return make_response(CollectedPairing("waiting"), _WAITS)
    return make_response(CollectedPairing("paired", pairing.token, pairing.name))


ROUTES = (
    Route("/api/navigate/pairings", begin_pairing, methods=["POST"]),
    Route("/api/navigate/pairings/collect", collect_token, methods=["POST"]),
)
