"""The page of new pages of a topic, and the same as an Atom feed."""

import time

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.context.topic_news import NewPage, find_new_pages, parse_age, render_topic_feed
from gossamer.errors import BadInput
from gossamer.store.model_folder import topic_model, topic_names
from gossamer.ui.page_context import PageContext, get_context

_AGES = (("1d", "a day"), ("7d", "7 days"), ("4w", "4 weeks"))
_MOST_READ = 2_000
"""A visitor waits: of more new pages, only the latest are read."""
_MOST_SHOWN = 100


def show_topics(request: Request) -> Response:
    """Show the topics of the web, and the new pages of one of them."""
    context = get_context(request)
    topic, since = _read_choice(request)
    found, problem = list[NewPage](), ""
    if topic:
        try:
            found = _find(context, topic, since)
        except BadInput as error:
            problem = str(error)
    return context.render_page(
        request,
        "context/topics.html",
        names=topic_names(context.folder),
        topic=topic,
        since=since,
        ages=_AGES,
        pages=found[:_MOST_SHOWN],
        problem=problem,
    )


def send_topic_feed(request: Request) -> Response:
    """Send the new pages of a topic as an Atom feed."""
    context = get_context(request)
    topic, since = _read_choice(request)
    found = _find(context, topic, since)
    with context.borrow_web() as web:
        name = web.name
    return Response(render_topic_feed(topic, found[:_MOST_SHOWN], name), media_type="application/atom+xml")


def _find(context: PageContext, topic: str, since: str) -> list[NewPage]:
    if topic not in topic_names(context.folder):
        raise BadInput(f"this web has no topic {topic!r}")
    age_s = parse_age(since)
    with context.borrow_web() as web:
        return find_new_pages(web, topic_model(web.folder, topic), time.time() - age_s, most_read=_MOST_READ)


def _read_choice(request: Request) -> tuple[str, str]:
    given = request.query_params
    return given.get("topic", "")[:100], given.get("since", "")[:10] or "7d"


ROUTES = (Route("/topics", show_topics), Route("/topics.atom", send_topic_feed))
