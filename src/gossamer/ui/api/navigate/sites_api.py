"""The API of sites: the overview of the site of a page, where the page stands in it, and the versions of the page."""

import time
from typing import Annotated

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.navigate.history.read_time import read_time
from gossamer.navigate.history.search_history import find_last_visit
from gossamer.navigate.sites.page_place import PagePlace, find_place_in_site
from gossamer.navigate.sites.page_versions import KeptVersions, list_versions
from gossamer.navigate.sites.site_overview import SiteOverview, describe_site
from gossamer.ui.access.paired_request import find_browser, for_paired_async
from gossamer.ui.api.json_io import make_response, read_parameters
from gossamer.ui.api.navigate.card_api import Address, CardParameters
from gossamer.ui.api.search_records import ApiParameters
from gossamer.ui.navigate.reading_parts import get_reading
from gossamer.ui.page_context import PageContext, get_context

_VISIT = "visit"
_STAY_S, _WITHOUT_HISTORY_S = 3_600.0, 30 * 86_400.0


class SiteParameters(ApiParameters, frozen=True, kw_only=True):
    """A page of the site, and since when changes are of interest."""

    url: Address
    since: Annotated[
        str,
        Meta(
            max_length=30,
            description="List what changed since this day or Unix time: 2026, 2026-05, 2026-05-31. `visit`: since the reader "
            "was last on the site, more than an hour ago; without a history, since thirty days.",
        ),
    ] = ""


async def send_site(request: Request) -> Response:
    """Send the overview of a site."""
    given, context = read_parameters(request.query_params, SiteParameters), get_context(request)
    since_s = (
        await run_in_threadpool(_find_last_visit, request, given.url)
        if given.since == _VISIT
        else read_time(given.since)
    )
    return make_response(await context.run_costly(_describe_site, context, given.url, since_s))


async def send_place(request: Request) -> Response:
    """Send where a page stands in its site."""
    given, context = read_parameters(request.query_params, CardParameters), get_context(request)
    return make_response(await context.run_costly(_find_place, context, given.url))


async def send_versions(request: Request) -> Response:
    """Send the versions of a page."""
    given, context = read_parameters(request.query_params, CardParameters), get_context(request)
    return make_response(await context.run_costly(_list_versions, context, given.url))


def _describe_site(context: PageContext, url: str, since_s: float | None) -> SiteOverview:
    with context.borrow_web() as web:
        return describe_site(web, url, since_s)


def _find_last_visit(request: Request, url: str) -> float:
    """Return when the reader was last on the site of a page, before this stay."""
    histories, browser, now_s = get_reading(request).histories, find_browser(request), time.time()
    found_s = 0.0
    if histories is not None and browser is not None:
        path = histories.find(request.app.state.authenticator, browser.user, request.headers)
        found_s = find_last_visit(path, url, now_s - _STAY_S)
    return found_s or now_s - _WITHOUT_HISTORY_S


def _find_place(context: PageContext, url: str) -> PagePlace:
    with context.borrow_web() as web:
        return find_place_in_site(web, url)


def _list_versions(context: PageContext, url: str) -> KeptVersions:
    with context.borrow_web() as web:
        return list_versions(web, url)


ROUTES = (
    Route("/api/navigate/site", for_paired_async(send_site)),
    Route("/api/navigate/place", for_paired_async(send_place)),
    Route("/api/navigate/versions", for_paired_async(send_versions)),
)
