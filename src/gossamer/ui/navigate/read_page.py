"""The page that shows the kept texts of a sequence one after the other, to be read or printed as one."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadInput
from gossamer.navigate.link_card import read_address
from gossamer.navigate.sites.page_sequence import PagePart, find_sequence
from gossamer.navigate.sites.read_as_one import ReadPart, read_parts
from gossamer.ui.page_context import get_context

_WRONG_USE, _MOST_CHARACTERS = 400, 4_000


def show_sequence(request: Request) -> Response:
    """Show the texts of the sequence to which a page belongs."""
    url, wrong, parts = request.query_params.get("url", "").strip()[:_MOST_CHARACTERS], "", list[ReadPart]()
    if url:
        try:
            parts = _read(request, url)
        except BadInput as error:
            wrong = str(error)
    status = _WRONG_USE if wrong else 200
    return get_context(request).render_page(
        request, "navigate/read.html", status, url=url, parts=parts, wrong=wrong
    )


def _read(request: Request, address: str) -> list[ReadPart]:
    url = read_address(address if "://" in address else f"https://{address}")
    with get_context(request).borrow_web() as web:
        return list(read_parts(web, find_sequence(web, url) or (PagePart(url, url),)))


ROUTES = (Route("/read", show_sequence),)
