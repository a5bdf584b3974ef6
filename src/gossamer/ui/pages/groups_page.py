"""Groups of answers: a list of them, and the answers of one group."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.search.answers.answer_records import Answers
from gossamer.search.clusters.cluster_records import GroupedAnswers
from gossamer.ui.page_context import get_context
from gossamer.ui.pages.facet_filters import list_groups
from gossamer.ui.pages.search_page import choose_pages, render_answers, show_home
from gossamer.ui.pages.search_params import REST, SearchRequest, read_request

_ON_PAGE = 10
_GONE = "This group does not exist any more: these are all answers."


def show_groups(request: Request) -> Response:
    """Show the groups of the answers to a query, or the answers of one group; this reads a thousand answers."""
    context, search = get_context(request), read_request(request.query_params)
    if not search.q and not search.only:
        return show_home(request)
    with context.borrow_searcher() as searcher:
        found, grouped = searcher.search_and_group(
            search.q, years=bool(search.group), **choose_pages(search, searcher)
        )
    links = list_groups(search, grouped)
    if not search.group:
        return context.render_page(request, "groups.html", search=search, grouped=grouped, groups=links)
    return render_answers(request, search, _select_answers(search, found, grouped), groups=links)


def _select_answers(search: SearchRequest, found: Answers, grouped: GroupedAnswers) -> Answers:
    """Return a page of the answers of one group; of all answers with a note, if there is no such group."""
    ranks = grouped.rest if search.group == REST else None
    for group in grouped.groups:
        if group.label == search.group:
            ranks = group.ranks
    notes = found.notes if ranks is not None else (*found.notes, _GONE)
    wanted = set(ranks) if ranks is not None else {one.rank for one in found.answers}
    answers = [one for one in found.answers if one.rank in wanted]
    first = (search.page - 1) * _ON_PAGE
    return msgspec.structs.replace(
        found,
        answers=tuple(answers[first : first + _ON_PAGE]),
        page=search.page,
        pages=-(-len(answers) // _ON_PAGE),
        more=len(answers) > first + _ON_PAGE,
        notes=notes,
    )


ROUTES = (Route("/groups", show_groups),)
