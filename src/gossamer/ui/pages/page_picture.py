"""Send pictures of pages, as crawls kept them: small ones for answers, and pages in full length."""

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadUrl
from gossamer.net import url as urls
from gossamer.search.links.page_neighbours import find_page
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.page_pictures import Size, find_place, read_picture
from gossamer.ui.page_context import get_context
from gossamer.web import Web

# Pictures that were made by a browser that we started; nothing but an image may be read into them all the same.
PICTURE_HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=300",
}


def send_picture(request: Request) -> Response:
    """Return the picture of a page."""
    size: Size = "whole" if request.query_params.get("size") == "whole" else "small"
    with get_context(request).borrow_web(request.query_params.get("origin", "")) as web:
        image = read_page_picture(web, request.query_params.get("url", ""), size)
    if image is None:
        return Response("There is no picture of this page.", 404, media_type="text/plain")
    return Response(image, headers=PICTURE_HEADERS, media_type="image/webp")


def read_page_picture(web: Web, url: str, size: Size) -> bytes | None:
    """Return the picture of a page as WebP; None if there is none, or its author allows no copies."""
    try:
        page = web.store.page(find_page(web.store, url))
    except BadUrl:
        return None
    if page is None or not page.archive:
        return None
    return read_picture(web.store, open_reader(web.folder / "archive"), page.id, size)


def find_pictured(web: Web, addresses: Iterable[str]) -> set[str]:
    """Return those of some pages of which there is a small picture, and that allow copies."""
    found: dict[str, int] = {}
    for url in addresses:
        try:
            page_id = urls.page_id(urls.canonical(url))
        except BadUrl:
            continue
        if find_place(web.store, page_id, "small") is not None:
            found[url] = page_id
    pages = web.store.pages_by_id(found.values()) if found else {}
    return {url for url, page_id in found.items() if page_id in pages and pages[page_id].archive}


ROUTES = (Route("/picture", send_picture),)
