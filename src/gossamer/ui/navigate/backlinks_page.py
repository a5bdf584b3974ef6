"""The page of backlinks: which pages of the collection link to an address, and the words of their links."""

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadInput
from gossamer.navigate.backlinks import BacklinkOrder, Backlinks, find_backlinks
from gossamer.ui.navigate.reading_parts import get_reading
from gossamer.ui.page_context import get_context
from gossamer.ui.pages.page_picture import find_pictured

_WRONG_USE = 400
_SHOWN, _MOST_CHARACTERS, _MOST_OFFSET = 20, 4_000, 100_000


class _Choice(NamedTuple):
    """Which of the pages are wanted, and in which order."""

    site: str
    topic: str
    order: BacklinkOrder


def show_backlinks(request: Request) -> Response:
    """Show the pages that link to an address, with a form to ask for another."""
    asked = request.query_params
    url, site = asked.get("url", "").strip()[:_MOST_CHARACTERS], asked.get("site", "").strip()[:300]
    topic = asked.get("topic", "").strip()[:200]
    order: BacklinkOrder = "latest" if asked.get("order") == "latest" else "best"
    offset, found, wrong = _read_offset(asked.get("offset", "")), None, ""
    pictured = set[str]()
    if url:
        try:
            found, pictured = _find(request, url, offset, _Choice(site, topic, order))
        except BadInput as error:
            wrong = str(error)
    return get_context(request).render_page(
        request,
        "navigate/backlinks.html",
        _WRONG_USE if wrong else 200,
        url=url,
        site=site,
        topic=topic,
        order=order,
        found=found,
        pictured=pictured,
        wrong=wrong,
        before=max(0, offset - _SHOWN) if offset else None,
        after=offset + _SHOWN if found is not None and offset + _SHOWN < found.found else None,
    )


def _find(request: Request, url: str, offset: int, wanted: _Choice) -> tuple[Backlinks, set[str]]:
    """Find the backlinks, and the pages among them that have a picture."""
    with get_context(request).borrow_web() as web:
        address = url if "://" in url else f"https://{url}"
        found = find_backlinks(
            web, address, offset, _SHOWN, wanted.site, topic=wanted.topic, order=wanted.order
        )
        found = get_reading(request).plugins.add_panel_lines(found)
        return found, find_pictured(web, [found.url, *(one.url for one in found.items)])


def _read_offset(text: str) -> int:
    return min(int(text), _MOST_OFFSET) if text.isascii() and text.isdecimal() and len(text) < 9 else 0


ROUTES = (Route("/backlinks", show_backlinks),)
