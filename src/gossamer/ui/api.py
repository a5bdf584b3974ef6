"""The JSON API: what the pages show, for programs."""

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadInput, BadUrl
from gossamer.search.answers import Answers
from gossamer.search.links import page_called
from gossamer.store.openings import openings
from gossamer.ui import api_records as records
from gossamer.ui.asking import NARROWING
from gossamer.ui.desk import desk_of
from gossamer.ui.forms import body_of
from gossamer.ui.openapi import described
from gossamer.ui.submitting import submitted

_NOT_THERE, _WRONG_USE = 404, 400


def description(_: Request) -> Response:
    """Return the description of this API, in the form of OpenAPI 3.1."""
    return _json(described())


def search(request: Request) -> Response:
    """Answer a query."""
    asked = _told(request.query_params, records.Search)
    wish: dict[str, Any] = msgspec.structs.asdict(asked)
    only = {name: wish.pop(name) for name in NARROWING}
    with desk_of(request).web() as web:
        found: Answers = web.search(wish.pop("q"), only={name: v for name, v in only.items() if v}, **wish)
    return _json(found)


def suggest(request: Request) -> Response:
    """Return queries for somebody who is typing."""
    asked = _told(request.query_params, records.Suggest)
    with desk_of(request).web() as web:
        return _json(records.Suggestions(asked.q, tuple(web.suggestions(asked.q))))


def page(request: Request) -> Response:
    """Tell what is known of a page."""
    asked = _told(request.query_params, records.PageAsked)
    with desk_of(request).web() as web:
        try:
            found = web.store.page(page_called(web.store, asked.url))
        except BadUrl:
            return _json(records.Refusal("That is not the address of a page."), _WRONG_USE)
        if found is None:
            return _json(records.Refusal("This page is not in the collection."), _NOT_THERE)
        return _json(records.page_known(found, openings(web.store, found.id).times))


async def submit(request: Request) -> Response:
    """Take a page that should be in the collection."""
    # Pages of others can send forms and plain text without asking, but no JSON.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadInput("send a JSON object, with Content-Type: application/json")
    try:
        sent = msgspec.json.decode(await body_of(request), type=records.Submission)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"that is not what is asked for here: {error}") from None
    soon = await run_in_threadpool(submitted, desk_of(request), sent.url, sent.task)
    return _json(records.Submitted(sent.url, soon), 202)


def _told(parameters: Any, kind: type[records.Asked]) -> Any:
    """Read the parameters of an address; refuse what is none."""
    try:
        return msgspec.convert(dict(parameters), kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"the parameters cannot be read: {error}") from None


def _json(told: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(told), status, media_type="application/json")


ROUTES = (
    Route("/api", description),
    Route("/api/search", search),
    Route("/api/suggest", suggest),
    Route("/api/page", page),
    Route("/api/submit", submit, methods=["POST"]),
)
