"""The map of themes, the page of one theme, and where the links of answers lead."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.context.themes.theme_map import measure_radius
from gossamer.context.themes.theme_records import Theme, Themes
from gossamer.context.themes.web_themes import (
    choose_theme,
    find_in_theme,
    group_answer_links,
    have_themes,
    load_state,
    load_themes,
)
from gossamer.errors import BadInput
from gossamer.ui.page_context import get_context

_MOST_CHARACTERS = 500
_SIDE = 1000
"""The width and the height of the map, in its own units."""
_LINES = 2
_WIDEST_NAME = 24
_LETTER, _LINE = 18, 36
"""How wide a letter and how high a line of a name is on a phone, where names are largest."""
_NOT_THERE = 404


class MapCircle(msgspec.Struct, frozen=True):
    """A theme on the map."""

    theme: Theme
    x: float
    y: float
    radius: float
    name: str
    """The name as it is drawn; its number where it would cover the name of a larger theme, and "" where both would."""
    name_x: float
    """The middle of the name, which must not leave the map."""


class MapLine(msgspec.Struct, frozen=True):
    """A line between two similar themes."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float


def show_themes(request: Request) -> Response:
    """Show the map of themes and a list of them."""
    context = get_context(request)
    found = load_themes(context.folder) if have_themes(context.folder) else None
    circles, lines = _draw(found) if found is not None else ([], [])
    return context.render_page(
        request, "context/themes.html", found=found, circles=circles, lines=lines, side=_SIDE
    )


def show_theme(request: Request) -> Response:
    """Show one theme, and the answers of a query within it."""
    context = get_context(request)
    found = load_themes(context.folder)
    try:
        theme = choose_theme(found, request.path_params["number"])
    except BadInput as error:
        return context.render_page(
            request, "sentence.html", _NOT_THERE, title="No such theme", sentence=str(error)
        )
    query = request.query_params.get("q", "")[:_MOST_CHARACTERS]
    answers = None
    if query.strip():
        with context.borrow_web() as web:
            answers = find_in_theme(web.store, load_state(web.folder), theme, web.pages_found(query))
    names = {one.number: one for one in found.themes}
    near = [names[one.number] for one in theme.neighbours if one.number in names]
    return context.render_page(
        request, "context/theme.html", theme=theme, near=near, query=query, answers=answers, whole=found
    )


def show_links(request: Request) -> Response:
    """Show where the links of the best answers to a query lead, grouped."""
    context = get_context(request)
    query = request.query_params.get("q", "")[:_MOST_CHARACTERS]
    with context.borrow_web() as web:
        found = group_answer_links(web.folder, web.store, query, web.pages_found)
    return context.render_page(request, "context/themes_links.html", found=found, query=query)


def _draw(found: Themes) -> tuple[list[MapCircle], list[MapLine]]:
    """Return the circles and the lines of the map; the largest themes are drawn first."""
    largest = max((theme.size for theme in found.themes), default=1)
    circles: list[MapCircle] = []
    drawn: list[tuple[float, float, float]] = []
    for theme in found.themes:
        radius = _SIDE * measure_radius(theme.size, largest, len(found.themes))
        x, y = round(_SIDE * theme.x), round(_SIDE * theme.y)
        name, middle = _choose_name(theme, x, y, drawn)
        circles.append(MapCircle(theme, x, y, round(radius, 1), name, middle))
    at = {circle.theme.number: circle for circle in circles}
    pairs = {
        (min(circle.theme.number, near.number), max(circle.theme.number, near.number)): near.likeness
        for circle in circles
        for near in circle.theme.neighbours[:_LINES]
        if near.number in at
    }
    lines = [
        MapLine(at[one].x, at[one].y, at[two].x, at[two].y, round(1 + 5 * likeness, 1))
        for (one, two), likeness in sorted(pairs.items())
    ]
    return circles, lines


def _choose_name(
    theme: Theme, x: float, y: float, drawn: list[tuple[float, float, float]]
) -> tuple[str, float]:
    """Return what is written on a circle, and where its middle is; `drawn` has the places of the names so far."""
    for name in (_shorten(theme.name), str(theme.number)):
        half = len(name) * _LETTER / 2
        middle = min(max(x, half + _LETTER), _SIDE - half - _LETTER)
        if not any(abs(middle - at) < half + wide and abs(y - height) < _LINE for at, height, wide in drawn):
            drawn.append((middle, y, half))
            return name, middle
    return "", x


def _shorten(name: str) -> str:
    return name if len(name) <= _WIDEST_NAME else f"{name[: _WIDEST_NAME - 1].rstrip()}…"


ROUTES = (
    Route("/themes", show_themes),
    Route("/themes/{number:str}", show_theme),
    Route("/links", show_links),
)
