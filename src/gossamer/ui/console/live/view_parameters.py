"""Parameters that several pages of the console share."""

from starlette.requests import Request

from gossamer.errors import BadInput

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
