"""The page of questions: a box for a question, and the passages that answer it."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.broker.ask_webs import ask_webs
from gossamer.broker.broker import Broker
from gossamer.context.passages.passage_records import LONGEST_QUESTION, Passages
from gossamer.errors import BadInput, NoIndex
from gossamer.ui.page_context import PageContext, get_context


def show_passages(request: Request) -> Response:
    """Show the passages that answer a question; without one, the box alone."""
    context = get_context(request)
    asked = {name: request.query_params.get(name, "").strip() for name in ("q", "language", "site")}
    found: Passages | None = None
    problem = ""
    if asked["q"]:
        try:
            found = find_passages(context, asked["q"], language=asked["language"], site=asked["site"])
        except NoIndex:
            raise
        except BadInput as error:
            problem = f"{str(error)[:1].upper()}{str(error)[1:]}."
    return context.render_page(
        request, "ask.html", asked=asked, found=found, problem=problem, most=LONGEST_QUESTION
    )


def find_passages(context: PageContext, question: str, **options: Any) -> Passages:
    """Return the passages of the web, or of several webs, that answer a question; the options are those of `Web.ask`."""
    with context.borrow_searcher() as searcher:
        if isinstance(searcher, Broker):
            return ask_webs(searcher, question, **options)
        return searcher.ask(question, **options)


ROUTES = (Route("/ask", show_passages),)
