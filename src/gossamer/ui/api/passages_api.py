"""The API of cited passages: pieces of pages that answer a question, with their sources."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.context.passages.passage_records import FEWEST_WORDS, MOST_PASSAGES, MOST_WORDS
from gossamer.ui.api.json_io import make_response, read_parameters
from gossamer.ui.api.search_records import ApiParameters
from gossamer.ui.context.ask_page import find_passages
from gossamer.ui.page_context import get_context


class AskParameters(ApiParameters, frozen=True, kw_only=True):
    """A question, and which passages are wanted."""

    q: Annotated[str, Meta(description="The question.")]
    passages: Annotated[int, Meta(ge=1, le=MOST_PASSAGES, description="How many passages.")] = 5
    words: Annotated[
        int, Meta(ge=FEWEST_WORDS, le=MOST_WORDS, description="The most words of a passage.")
    ] = 120
    language: Annotated[str, Meta(description="Only pages in this language, such as de.")] = ""
    site: Annotated[str, Meta(description="Only pages of this site or domain.")] = ""


def send_passages(request: Request) -> Response:
    """Cite the passages that answer a question."""
    given = read_parameters(request.query_params, AskParameters)
    options: dict[str, Any] = msgspec.structs.asdict(given)
    return make_response(find_passages(get_context(request), options.pop("q"), **options))


ROUTES = (Route("/api/passages", send_passages),)
