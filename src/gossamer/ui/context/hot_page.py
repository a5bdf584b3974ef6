"""The page of hot stories with their curves, the same as JSON and as an Atom feed. It shows what was last read of the web."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.context.hot.ask_hot import ask_hot, choose_theme_pages, make_question
from gossamer.context.hot.hot_records import HotReport
from gossamer.context.hot.refresh_texts import ReadableWeb
from gossamer.context.hot.stored_texts import open_texts
from gossamer.context.hot.tell_stories import (
    SOURCE_NAMES,
    describe_curve,
    describe_texts,
    make_title,
    place_points,
    render_story_feed,
)
from gossamer.errors import BadInput
from gossamer.ui.page_context import PageContext, get_context

_WIDTH, _HEIGHT = 160, 36
_MOST_CHARACTERS = 200
PERIODS = (("", "the last day"), ("3d", "3 days"), ("7d", "7 days"), ("4w", "4 weeks"))


class HotChoice(msgspec.Struct, frozen=True):
    """What a visitor chose in the form."""

    since: str = ""
    until: str = ""
    by: str = "day"
    site: str = ""
    language: str = ""
    theme: str = ""


def show_hot(request: Request) -> Response:
    """Show the hot stories, or a sentence that says why there are none."""
    context, choice = get_context(request), _read_choice(request)
    report, problem = None, ""
    try:
        report = find_report(context, choice)
    except BadInput as error:
        problem = str(error)
    return context.render_page(
        request,
        "context/hot.html",
        choice=choice,
        asked={name: value for name, value in msgspec.structs.asdict(choice).items() if value != "day"},
        periods=PERIODS,
        report=report,
        problem=problem,
        sentence=describe_texts(report) if report is not None else "",
        describe_curve=describe_curve,
        make_title=make_title,
        place_points=place_points,
        source_names=SOURCE_NAMES,
        width=_WIDTH,
        height=_HEIGHT,
    )


def send_hot_feed(request: Request) -> Response:
    """Send the hot stories as an Atom feed."""
    context = get_context(request)
    report = find_report(context, _read_choice(request))
    with context.borrow_web() as web:
        name = web.name
    return Response(render_story_feed(report, name), media_type="application/atom+xml")


def find_report(context: PageContext, choice: HotChoice, most: int = 20) -> HotReport:
    """Return the hot stories of the web; raise BadInput if there is nothing to show."""
    typed = msgspec.structs.asdict(choice)
    theme = typed.pop("theme")
    question = make_question(most=most, **typed)
    with context.borrow_web() as web:
        question = choose_theme_pages(question, web.folder, theme)
        texts = open_texts(web.folder)
        if not texts.listed.refreshed_s:
            raise BadInput("the texts of this web have not been read yet: `gossamer hot --web WEB` does so")
        return ask_hot(ReadableWeb(web.store, web.folder), texts, question)


def _read_choice(request: Request) -> HotChoice:
    given = {
        name: request.query_params.get(name, "")[:_MOST_CHARACTERS].strip()
        for name in HotChoice.__struct_fields__
    }
    return HotChoice(**{name: value for name, value in given.items() if value})


ROUTES = (Route("/hot", show_hot), Route("/hot.atom", send_hot_feed))
