"""The JSON API of the search: the same as the pages show, for programs."""

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.broker.broker import Broker, summarise_broker
from gossamer.errors import BadUrl
from gossamer.search.answers.answer_records import Answers
from gossamer.search.answers.web_statistics import unpack_statistics
from gossamer.search.links.page_neighbours import find_page
from gossamer.store.click_counts import openings
from gossamer.ui.api import search_records as records
from gossamer.ui.api.json_io import make_response, read_json, read_parameters
from gossamer.ui.page_context import get_context
from gossamer.ui.pages.search_params import FILTERS
from gossamer.ui.pages.submit_page import submit_url

_NOT_THERE, _WRONG_USE = 404, 400


def search(request: Request) -> Response:
    """Answer a query."""
    parameters = read_parameters(request.query_params, records.SearchParameters)
    options: dict[str, Any] = msgspec.structs.asdict(parameters)
    only = {name: options.pop(name) for name in FILTERS}
    options["only"] = {name: value for name, value in only.items() if value}
    options["language"] = options.pop("query_language")
    text, packed = options.pop("q"), options.pop("statistics")
    passed_on = {name: options.pop(name) for name in ("origin", "hops")}
    with get_context(request).borrow_searcher() as searcher:
        if isinstance(searcher, Broker):
            found: Answers = searcher.search(text, **options, **passed_on)
        else:
            options["whole"] = unpack_statistics(packed, text) if packed else None
            found = searcher.search(text, **options)
    return make_response(found)


def cluster(request: Request) -> Response:
    """Group the best answers to a query."""
    parameters = read_parameters(request.query_params, records.QueryParameters)
    values: dict[str, str] = msgspec.structs.asdict(parameters)
    only = {name: values[name] for name in FILTERS if values[name]}
    with get_context(request).borrow_searcher() as searcher:
        if isinstance(searcher, Broker):
            return make_response(searcher.cluster_answers(parameters.q, only=only, origin=parameters.origin))
        return make_response(searcher.cluster_answers(parameters.q, only=only))


def tell_statistics(request: Request) -> Response:
    """Say how rare the words of a query are here, so that several webs can be searched as one."""
    parameters = read_parameters(request.query_params, records.StatisticsParameters)
    languages = parameters.languages.split(",") if parameters.languages else ()
    with get_context(request).borrow_searcher() as searcher:
        if isinstance(searcher, Broker):
            return make_response(summarise_broker(searcher))
        return make_response(searcher.query_statistics(parameters.q, languages))


def suggest(request: Request) -> Response:
    """Suggest queries for what was typed so far."""
    typed = read_parameters(request.query_params, records.SuggestParameters).q
    with get_context(request).borrow_searcher() as web:
        return make_response(records.Suggestions(typed, tuple(web.suggestions(typed))))


def describe_page(request: Request) -> Response:
    """Describe a page of the web."""
    url = read_parameters(request.query_params, records.PageParameters).url
    with get_context(request).borrow_web() as web:
        try:
            found = web.store.page(find_page(web.store, url))
        except BadUrl:
            return make_response(records.Refusal("That is not the address of a page."), _WRONG_USE)
        if found is None:
            return make_response(records.Refusal("This page is not in the collection."), _NOT_THERE)
        return make_response(records.summarise_page(found, openings(web.store, found.id).times))


async def submit(request: Request) -> Response:
    """Submit a page to a crawl."""
    page = await read_json(request, records.Submission)
    soon = await run_in_threadpool(submit_url, get_context(request), page.url, page.task)
    return make_response(records.SubmissionResult(page.url, soon), 202)


ROUTES = (
    Route("/api/search", search),
    Route("/api/clusters", cluster),
    Route("/api/statistics", tell_statistics),
    Route("/api/suggest", suggest),
    Route("/api/page", describe_page),
)
SUBMIT_ROUTES = (Route("/api/submit", submit, methods=["POST"]),)
