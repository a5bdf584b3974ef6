"""The whole story of one URL as a timeline, for each task, with what would have to change."""

import time

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.explain.describe_url import (
    USUAL_SHARE,
    StoryLine,
    describe_changes,
    describe_index,
    describe_page,
)
from gossamer.crawl.explain.explain_url import Explanation, explain
from gossamer.crawl.explain.task_timeline import TaskStory, tell_task
from gossamer.crawl.steer.command_lines import make_command
from gossamer.errors import BadInput, BadUrl
from gossamer.net import url as urls
from gossamer.net.url.typed_url import complete_url, find_known_url
from gossamer.reports.crawls.stored_patterns import check_patterns_on
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.ui.console.live.view_parameters import MOST_CHARACTERS
from gossamer.ui.page_context import get_context
from gossamer.ui.pages.page_picture import find_pictured
from gossamer.ui.render_template import format_minute
from gossamer.web import Web

_WRONG_USE = 400
_LINK_SCANS = 3
"""The links to the URL, their number, and those to one other page. Where more is looked up, sorting pays."""


_REASONS: dict[str, str] = {
    "no host": "it names no host",
    "scheme": "it must begin with http:// or https://",
    "syntax": "check its spelling",
    "too long": "it is too long",
    "user info": "leave out the user name and the password",
}
"""Why a text is not the address of a page; addresses may have passwords, so that they are not repeated."""


class UrlStory(msgspec.Struct, frozen=True):
    """Everything that the web knows about a URL, in sentences."""

    url: str
    known: bool
    has_copy: bool
    facts: list[StoryLine]
    """What the web has of it now."""
    tasks: list[TaskStory]


def tell_story(web: Web, asked: str, now_s: float) -> UrlStory:
    """Return the story of a URL as a person typed it; raise BadInput if that is not a URL."""
    text = asked.strip()
    if len(text) > MOST_CHARACTERS:
        raise BadInput(f"the address is too long: at most {MOST_CHARACTERS:,} characters are accepted")
    try:
        return _tell(web, explain_typed(web, text), now_s)
    except BadUrl as error:
        why = _REASONS.get(error.reason, error.reason)
        raise BadInput(f"that is not the address of a page: {why}") from None


def explain_typed(web: Web, text: str) -> Explanation:
    """Explain the URL that a typed one means; raise BadUrl if it means none."""
    if isinstance(web.store, SqliteStore):  # a database has its index of links already
        web.store.sorter.allow_link_scans(_LINK_SCANS)
    url = find_known_url(web.store, text) or complete_url(text)
    check_patterns_on(web, url)
    return explain(web.store, url, web.folder)


def _tell(web: Web, found: Explanation, now_s: float) -> UrlStory:
    facts = describe_page(found)
    if found.page:
        presence = web.presence(found.page)
        if presence is not None:
            facts.append(describe_index(presence.verdict, presence.in_links, presence.rank))
        facts += describe_changes(web.outlook(found.page, USUAL_SHARE), now_s, format_minute)
    has_copy = found.page is not None and bool(found.page.warc) and found.page.archive
    return UrlStory(found.url, found.known, has_copy, facts, [tell_task(one, now_s) for one in found.tasks])


async def show_story(request: Request) -> Response:
    """Show the page; in a web of millions of URLs a story takes seconds, so that few are told at once."""
    return await get_context(request).run_costly(_show_story, request)


def _show_story(request: Request) -> Response:
    """Show the form alone without a URL, and one sentence for what is no URL."""
    context = get_context(request)
    asked = request.query_params.get("url", "")
    story, wrong, status = None, "", 200
    pictured = set[str]()
    if asked.strip():
        try:
            with context.borrow_web() as web:
                story = tell_story(web, asked, time.time())
                pictured = find_pictured(web, [story.url])
        except BadInput as error:
            wrong, status = str(error), _WRONG_USE
    return context.render_page(
        request,
        "console/explain.html",
        status,
        asked=urls.split_user_info(asked)[0] if wrong else asked,
        story=story,
        pictured=pictured,
        wrong=wrong,
        command=make_command(context.folder, "explain", story.url) if story else "",
    )


ROUTES = (Route("/console/explain", show_story),)
