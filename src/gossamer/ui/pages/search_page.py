"""The search page: the search box, the answers, related words, suggestions and help."""

import re
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.broker.broker import Broker
from gossamer.search.answers.answer_records import Answers
from gossamer.ui.page_context import get_context
from gossamer.ui.pages.facet_filters import GroupLink, list_chips, list_facets
from gossamer.ui.pages.page_picture import find_pictured
from gossamer.ui.pages.search_params import LAST_PAGE, SearchRequest, read_request
from gossamer.web import Web

_PAGES_BEFORE = 4
_PAGES_SHOWN = 10
_FEWEST_GROUPED = 10
"""Fewer answers are read at a glance: they need no groups."""
_PAGE_QUERY = re.compile(r'(link|related):"?(\S+?)"?', re.IGNORECASE)
_HEADINGS = {"link": "Pages that link to", "related": "Pages like"}


def show_home(request: Request) -> Response:
    """Show the search box; a query in the address leads to its answers."""
    if read_request(request.query_params).q:
        return RedirectResponse(f"/search?{request.url.query}", 307)
    context = get_context(request)
    with context.borrow_searcher() as searcher:
        if isinstance(searcher, Broker):
            known = searcher.describe_webs()
            pages, webs = sum(one.pages for one in known.values()), [one.title for one in known.values()]
            silent = [source.name for source in searcher.sources if source.name not in known]
        else:
            pages, webs, silent = searcher.pages_indexed(), [], []
    return context.render_page(request, "home.html", pages=pages, webs=webs, silent=silent)


def show_answers(request: Request) -> Response:
    """Show a page of answers."""
    context, search = get_context(request), read_request(request.query_params)
    if not search.q and not search.only:
        return show_home(request)
    with context.borrow_searcher() as web:
        found: Answers = web.search(search.q, page=search.page, years=True, **choose_pages(search, web))
    return render_answers(request, search, found)


def render_answers(
    request: Request, search: SearchRequest, found: Answers, groups: Sequence[GroupLink] | None = None
) -> Response:
    """Render a page of answers, with the groups of all answers if they are known."""
    context = get_context(request)
    examples, pictured = None, set[str]()
    if not found.origins:
        with context.borrow_web() as web:
            pictured = find_pictured(web, [one.url for one in found.answers if one.archive])
    if not found.total:
        with context.borrow_searcher() as web:
            examples = web.example_queries()
    return context.render_page(
        request,
        "search.html",
        search=search,
        found=found,
        facets=list_facets(search, found),
        chips=list_chips(search, found),
        origins={one.name: one for one in found.origins or ()},
        about=_find_subject(search.q),
        examples=examples,
        pictured=pictured,
        pages=_number_pages(search.page, found),
        groups=groups,
        has_groups=groups is None and found.total >= _FEWEST_GROUPED,
    )


def choose_pages(search: SearchRequest, searcher: Web | Broker) -> dict[str, Any]:
    """Return which pages to search: the active filters, and one of several webs if it is chosen."""
    several = isinstance(searcher, Broker) and search.origin
    return {"only": search.only} | ({"origin": search.origin} if several else {})


def _number_pages(page: int, found: Answers) -> range:
    """Return the numbers of the pages of answers around one; none if there is only one page."""
    last = max(found.pages, page + 1 if found.more else 0)
    first = max(1, min(page - _PAGES_BEFORE, last - _PAGES_SHOWN + 1))
    return range(first, min(last, LAST_PAGE, first + _PAGES_SHOWN - 1) + 1) if last > 1 else range(0)


def _find_subject(query: str) -> tuple[str, str] | None:
    """Return a heading and the address for a query that is only `link:URL` or `related:URL`; None for others."""
    match = _PAGE_QUERY.fullmatch(query)
    return (_HEADINGS[match[1].lower()], match[2]) if match else None


def show_related(request: Request) -> Response:
    """Show typical words of the answers, and names of links around them; this reads many pages."""
    context, search = get_context(request), read_request(request.query_params)
    with context.borrow_searcher() as web:
        found = web.search(search.q, size=1, related=True, **choose_pages(search, web))
    return context.render_page(request, "related.html", search=search, found=found)


def suggest(request: Request) -> Response:
    """Return suggestions for what was typed so far, as a fragment of a page."""
    context = get_context(request)
    with context.borrow_searcher() as web:
        found = web.suggestions(request.query_params.get("q", ""))
    return context.render_page(request, "suggestions.html", found=found)


def show_help(request: Request) -> Response:
    """Show the query language with words of this web, and the keys."""
    context = get_context(request)
    with context.borrow_searcher() as web:
        examples = web.example_queries()
    return context.render_page(request, "help.html", examples=examples)


ROUTES = (
    Route("/", show_home),
    Route("/search", show_answers),
    Route("/related", show_related),
    Route("/suggest", suggest),
    Route("/help", show_help),
)
