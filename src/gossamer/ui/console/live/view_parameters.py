"""Parameters that several pages of the console share."""

import msgspec
from starlette.requests import Request

from gossamer.errors import BadInput
from gossamer.ui.console.live.crawl_watch import Subject

_MOST_DIGITS = 9
MOST_CHARACTERS = 4_000
"""How much of a parameter is read."""


def read_task(request: Request) -> int:
    """Return the number of the task that a page is about; 0 for all."""
    given = request.query_params.get("task", "").strip()
    if not given:
        return 0
    if not (given.isascii() and given.isdecimal()) or len(given) > _MOST_DIGITS:
        raise BadInput("a task is named by its number; choose one on the live page")
    return int(given)


def read_subject(request: Request) -> Subject:
    """Return what a page shows whose viewer wants its news."""
    page = request.query_params.get("page", "live")
    try:
        return msgspec.convert({"task": read_task(request), "page": page}, Subject)
    except msgspec.ValidationError:
        raise BadInput("events are those of the page live, tasks or task") from None
