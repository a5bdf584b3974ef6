"""The page of changes: what changed on watched pages, as marked paragraphs, and the same as an Atom feed."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.ui.page_context import get_context
from gossamer.watch.change_log import describe_change, list_changes
from gossamer.watch.report.atom_feed import render_feed
from gossamer.watch.report.change_html import make_title
from gossamer.watch.watch_list import list_watched

_MOST_SHOWN = 50
_MOST_CHARACTERS = 4_000


def show_changes(request: Request) -> Response:
    """Show the newest changes of all watched pages, or those of one page."""
    context = get_context(request)
    url = request.query_params.get("url", "")[:_MOST_CHARACTERS]
    with context.borrow_web() as web:
        changes = list_changes(web.store, url)
        pages = list_watched(web.store)
    return context.render_page(
        request,
        "changes.html",
        url=url,
        changes=changes[:_MOST_SHOWN],
        older=len(changes[_MOST_SHOWN:]),
        pages=[page for page in pages if not url or page.url == url],
        describe_change=describe_change,
        make_title=make_title,
    )


def send_feed(request: Request) -> Response:
    """Send the changes as an Atom feed."""
    context = get_context(request)
    url = request.query_params.get("url", "")[:_MOST_CHARACTERS]
    with context.borrow_web() as web:
        feed = render_feed(list_changes(web.store, url), web.name)
    return Response(feed, media_type="application/atom+xml")


ROUTES = (Route("/changes", show_changes), Route("/changes.atom", send_feed))
