"""The page of one day of reading, drawn as a graph: which page led to which."""

import math
from datetime import datetime
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadInput
from gossamer.navigate.history.read_time import read_time
from gossamer.navigate.history.session_graph import SessionGraph, SessionPage, read_session
from gossamer.ui.access.visitor import get_user
from gossamer.ui.navigate.histories import OFF
from gossamer.ui.navigate.reading_parts import get_reading
from gossamer.ui.page_context import get_context

_WRONG_USE = 400
_WIDTH, _ROW, _STEP, _EDGE = 720, 26, 18, 12
_DEEPEST = 15
"""Deeper pages are drawn below each other."""
_MOST_CHARACTERS = 60


class _Node(NamedTuple):
    """A page as it is drawn."""

    x: int
    y: int
    radius: float
    """Grows with the time for which it was read."""
    line: str
    others: tuple[str, ...]
    url: str
    name: str
    facts: str


def show_session(request: Request) -> Response:
    """Show the pages that were read on a day."""
    context, histories = get_context(request), get_reading(request).histories
    day = request.query_params.get("day", "").strip()[:30] or f"{datetime.now():%Y-%m-%d}"
    graph, off, wrong = SessionGraph((), True), "" if histories is not None else OFF, ""
    if histories is not None:
        try:
            path = histories.find(request.app.state.authenticator, get_user(request).name, request.headers)
            graph = read_session(path, read_time(day), read_time(day, is_end=True))
        except BadInput as error:
            wrong = str(error)
    nodes = [_place(graph, at) for at in range(len(graph.pages))]
    return context.render_page(
        request,
        "navigate/session.html",
        _WRONG_USE if off or wrong else 200,
        off=off,
        wrong=wrong,
        day=day,
        nodes=nodes,
        is_whole=graph.is_whole,
        width=_WIDTH,
        height=_ROW * len(nodes) + _EDGE,
    )


def _place(graph: SessionGraph, at: int) -> _Node:
    page = graph.pages[at]
    x, y = _find_point(graph, at)
    facts = f"{datetime.fromtimestamp(page.opened_s):%H:%M}"
    if page.seconds >= 1:
        facts += f" · {page.seconds:.0f} s" if page.seconds < 60 else f" · {page.seconds / 60:.0f} min"
    if page.visits > 1:
        facts += f" · {page.visits} visits"
    line = ""
    if page.parent >= 0:
        left, top = _find_point(graph, page.parent)
        line = f"M{left} {top}V{y}H{x}"
    others = tuple(_draw_arc(_find_point(graph, one), (x, y)) for one in page.others)
    return _Node(x, y, 3 + min(5.0, math.sqrt(page.seconds / 60)), line, others, page.url, _name(page), facts)


def _find_point(graph: SessionGraph, at: int) -> tuple[int, int]:
    return _EDGE + _STEP * min(graph.pages[at].depth, _DEEPEST), _EDGE + _ROW * at


def _draw_arc(begin: tuple[int, int], end: tuple[int, int]) -> str:
    bend = _WIDTH - 150
    return f"M{begin[0]} {begin[1]}C{bend} {begin[1]} {bend} {end[1]} {end[0]} {end[1]}"


def _name(page: SessionPage) -> str:
    name = " ".join(page.title.split()) or page.url
    return name if len(name) <= _MOST_CHARACTERS else f"{name[: _MOST_CHARACTERS - 1]}…"


ROUTES = (Route("/history/session", show_session),)
