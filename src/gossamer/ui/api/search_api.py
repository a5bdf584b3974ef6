"""The JSON API: what the pages show, for programs."""

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadUrl
from gossamer.search.answers.answer_records import Answers
from gossamer.search.links.page_neighbours import find_page
from gossamer.store.click_counts import openings
from gossamer.ui.api import search_records as records
from gossamer.ui.api.json_io import answer, asked, sent
from gossamer.ui.api.openapi import described
from gossamer.ui.page_context import desk_of
from gossamer.ui.pages.search_params import NARROWING
from gossamer.ui.pages.submit_page import submitted

_NOT_THERE, _WRONG_USE = 404, 400


def description(_: Request) -> Response:
    """Return the description of this API, in the form of OpenAPI 3.1."""
    return answer(described())


def search(request: Request) -> Response:
    """Answer a query."""
    wish: dict[str, Any] = msgspec.structs.asdict(asked(request.query_params, records.Search))
    only = {name: wish.pop(name) for name in NARROWING}
    with desk_of(request).web() as web:
        found: Answers = web.search(wish.pop("q"), only={name: v for name, v in only.items() if v}, **wish)
    return answer(found)


def suggest(request: Request) -> Response:
    """Return queries for somebody who is typing."""
    typed = asked(request.query_params, records.Suggest).q
    with desk_of(request).web() as web:
        return answer(records.Suggestions(typed, tuple(web.suggestions(typed))))


def page(request: Request) -> Response:
    """Tell what is known of a page."""
    url = asked(request.query_params, records.PageAsked).url
    with desk_of(request).web() as web:
        try:
            found = web.store.page(find_page(web.store, url))
        except BadUrl:
            return answer(records.Refusal("That is not the address of a page."), _WRONG_USE)
        if found is None:
            return answer(records.Refusal("This page is not in the collection."), _NOT_THERE)
        return answer(records.page_known(found, openings(web.store, found.id).times))


async def submit(request: Request) -> Response:
    """Take a page that should be in the collection."""
    told = await sent(request, records.Submission)
    soon = await run_in_threadpool(submitted, desk_of(request), told.url, told.task)
    return answer(records.Submitted(told.url, soon), 202)


ROUTES = (
    Route("/api", description),
    Route("/api/search", search),
    Route("/api/suggest", suggest),
    Route("/api/page", page),
    Route("/api/submit", submit, methods=["POST"]),
)
