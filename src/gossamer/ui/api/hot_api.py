"""The JSON API of hot stories: the same as the page shows, for programs."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.context.hot.ask_hot import MOST_STORIES
from gossamer.ui.api.json_io import make_response, read_parameters
from gossamer.ui.api.search_records import ApiParameters
from gossamer.ui.context.hot_page import HotChoice, find_report
from gossamer.ui.page_context import get_context


class HotParameters(ApiParameters, frozen=True, kw_only=True):
    """Which hot stories are asked for."""

    since: Annotated[str, Meta(description="Stories of the last days: 7d or 4w.")] = ""
    until: Annotated[str, Meta(description="The last day, as 2026-05-31.")] = ""
    by: Annotated[Literal["day", "week"], Meta(description="Compare days or weeks.")] = "day"
    site: Annotated[str, Meta(description="Only texts of this site.")] = ""
    language: Annotated[str, Meta(description="Only texts in this language, such as de.")] = ""
    theme: Annotated[str, Meta(description="Only texts of pages of this theme, by its number or name.")] = ""
    most: Annotated[int, Meta(ge=1, le=MOST_STORIES, description="How many stories at most.")] = 10


def tell_hot(request: Request) -> Response:
    """Return the hot stories."""
    parameters = read_parameters(request.query_params, HotParameters)
    options = msgspec.structs.asdict(parameters)
    most = options.pop("most")
    return make_response(find_report(get_context(request), HotChoice(**options), most))


ROUTES = (Route("/api/hot", tell_hot),)
