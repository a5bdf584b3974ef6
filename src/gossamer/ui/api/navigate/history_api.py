"""The API of histories: a paired browser tells what was read, searches in it and forgets it. Each user has only their own."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.navigate.history.export_visits import export_visits, import_visits
from gossamer.navigate.history.forget_visits import ForgetVisits, forget_visits
from gossamer.navigate.history.history_records import MOST_VISITS, HistoryQuery, ReadVisit, TrailStep
from gossamer.navigate.history.keep_visits import keep_visits, read_web_address
from gossamer.navigate.history.read_time import read_time
from gossamer.navigate.history.search_history import find_trail, search_history
from gossamer.navigate.reading_event import ReadingEvent
from gossamer.ui.access.paired_request import find_browser, refuse_stranger
from gossamer.ui.api.endpoint import JSON_LINES
from gossamer.ui.api.json_io import make_response, read_json, read_parameters
from gossamer.ui.api.navigate.events_api import tell
from gossamer.ui.api.search_records import ApiParameters
from gossamer.ui.forms import read_body
from gossamer.ui.navigate.histories import OFF
from gossamer.ui.navigate.reading_parts import get_reading
from gossamer.ui.navigate.stream_lines import LinesResponse

_MOST_VISIT_BYTES, _MOST_IMPORT_BYTES = 5_000_000, 50_000_000
_NOT_FOUND = 404


class VisitsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was read."""

    visits: Annotated[list[ReadVisit], Meta(max_length=MOST_VISITS)]


class KeptVisits(msgspec.Struct, frozen=True):
    """How many visits were kept."""

    kept: int


class HistoryParameters(ApiParameters, frozen=True, kw_only=True):
    """What is looked for in the history."""

    q: Annotated[
        str, Meta(max_length=1_000, description="Words; without them, all pages, the latest first.")
    ] = ""
    site: Annotated[str, Meta(max_length=300, description="Only pages of this host or site.")] = ""
    since: Annotated[
        str, Meta(max_length=30, description="From this day or Unix time: 2026, 2026-05, 2026-05-31.")
    ] = ""
    until: Annotated[
        str, Meta(max_length=30, description="Up to the end of this day, month or year, or a Unix time.")
    ] = ""
    offset: Annotated[int, Meta(ge=0, le=1_000_000, description="How many pages to leave out first.")] = 0
    count: Annotated[int, Meta(ge=1, le=100, description="How many pages.")] = 20


class TrailParameters(ApiParameters, frozen=True, kw_only=True):
    """The page at the end of the trail."""

    url: Annotated[str, Meta(max_length=4_000, description="The address of a page.")]


class Trail(msgspec.Struct, frozen=True):
    """How the reader got to a page, the oldest step first."""

    items: list[TrailStep]


class ForgottenVisits(msgspec.Struct, frozen=True):
    """How many visits were forgotten."""

    forgotten: int


async def keep(request: Request, path: Path) -> Response:
    """Keep what was read."""
    given = await read_json(request, VisitsRequest, _MOST_VISIT_BYTES)
    kept = await run_in_threadpool(keep_visits, path, given.visits)
    read = [(read_web_address(one.url), one) for one in given.visits]
    visits = [msgspec.structs.replace(one, url=url) for url, one in read if url]
    tell(request, [ReadingEvent("visit", one.url, one.title, one.opened_s) for one in visits])
    await run_in_threadpool(get_reading(request).plugins.tell_visits, visits)
    return make_response(KeptVisits(kept))


async def search(request: Request, path: Path) -> Response:
    """Send pages that were read."""
    given = read_parameters(request.query_params, HistoryParameters)
    since_s, until_s = read_time(given.since), read_time(given.until, is_end=True)
    query = HistoryQuery(given.q, given.site, since_s, until_s, given.offset, given.count)
    return make_response(await run_in_threadpool(search_history, path, query))


async def send_trail(request: Request, path: Path) -> Response:
    """Send the way to a page."""
    given = read_parameters(request.query_params, TrailParameters)
    return make_response(Trail(await run_in_threadpool(find_trail, path, given.url)))


async def forget(request: Request, path: Path) -> Response:
    """Forget a page, a site, a day or everything."""
    given = await read_json(request, ForgetVisits)
    return make_response(ForgottenVisits(await run_in_threadpool(forget_visits, path, given)))


async def export(_: Request, path: Path) -> Response:
    """Send the whole history as JSON lines."""
    return LinesResponse(export_visits(path), JSON_LINES)


async def import_(request: Request, path: Path) -> Response:
    """Take in a history that was exported."""
    lines = (await read_body(request, _MOST_IMPORT_BYTES)).split(b"\n")
    return make_response(KeptVisits(await run_in_threadpool(import_visits, path, lines)))


def _for_owner(
    handler: Callable[[Request, Path], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that is called with the history of the user who paired the browser."""

    async def answer(request: Request) -> Response:
        browser = find_browser(request)
        if browser is None:
            return refuse_stranger()
        histories = get_reading(request).histories
        if histories is None:
            return make_response({"error": f"{OFF[0].upper()}{OFF[1:]}."}, _NOT_FOUND)
        path = histories.find(request.app.state.authenticator, browser.user, request.headers)
        return await handler(request, path)

    answer.__name__, answer.__doc__ = handler.__name__, handler.__doc__
    return answer


ROUTES = (
    Route("/api/navigate/visits", _for_owner(keep), methods=["POST"]),
    Route("/api/navigate/history", _for_owner(search)),
    Route("/api/navigate/trail", _for_owner(send_trail)),
    Route("/api/navigate/history/forget", _for_owner(forget), methods=["POST"]),
    Route("/api/navigate/history/export", _for_owner(export)),
    Route("/api/navigate/history/import", _for_owner(import_), methods=["POST"]),
)
