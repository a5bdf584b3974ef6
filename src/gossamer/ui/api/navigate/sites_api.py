"""The API of sites: the overview of the site of a page, and the versions of the page."""

from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.navigate.history.read_time import read_time
from gossamer.navigate.sites.page_versions import KeptVersions, list_versions
from gossamer.navigate.sites.site_overview import SiteOverview, describe_site
from gossamer.ui.access.paired_request import for_paired_async
from gossamer.ui.api.json_io import make_response, read_parameters
from gossamer.ui.api.navigate.card_api import Address, CardParameters
from gossamer.ui.api.search_records import ApiParameters
from gossamer.ui.page_context import PageContext, get_context


class SiteParameters(ApiParameters, frozen=True, kw_only=True):
    """A page of the site, and since when changes are of interest."""

    url: Address
    since: Annotated[
        str,
        Meta(
            max_length=30,
            description="List what changed since this day or Unix time: 2026, 2026-05, 2026-05-31.",
        ),
    ] = ""


async def send_site(request: Request) -> Response:
    """Send the overview of a site."""
    given, context = read_parameters(request.query_params, SiteParameters), get_context(request)
    since_s = read_time(given.since)
    return make_response(await context.run_costly(_describe_site, context, given.url, since_s))


async def send_versions(request: Request) -> Response:
    """Send the versions of a page."""
    given, context = read_parameters(request.query_params, CardParameters), get_context(request)
    return make_response(await context.run_costly(_list_versions, context, given.url))


def _describe_site(context: PageContext, url: str, since_s: float | None) -> SiteOverview:
    with context.borrow_web() as web:
        return describe_site(web, url, since_s)


def _list_versions(context: PageContext, url: str) -> KeptVersions:
    with context.borrow_web() as web:
        return list_versions(web, url)


ROUTES = (
    Route("/api/navigate/site", for_paired_async(send_site)),
    Route("/api/navigate/versions", for_paired_async(send_versions)),
)
