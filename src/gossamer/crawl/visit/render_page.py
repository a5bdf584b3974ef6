"""The step between reading and judging: show a page in a browser, if its task wants that, and read what it shows."""

from contextlib import suppress

import msgspec

from gossamer.crawl.read_page import Reading
from gossamer.crawl.render.render_choice import Choice
from gossamer.crawl.render.rendering import RENDERED, UNRENDERED, Rendering, make_rendering, shorten_mark
from gossamer.crawl.render.shard_browsers import PageOwner
from gossamer.crawl.visit.fetch_page import BrowserElsewhere
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.errors import BadUrl
from gossamer.fetch.browser.rendered_page import NotRendered, RenderedPage
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.net import url as urls
from gossamer.net.html.link_columns import PageLinks
from gossamer.records import Exchange, Link, Request

_OK = 200
_ALWAYS = Choice(True, "--render always")
_AGAIN = Choice(True, "it was rendered at its last visit")


async def render_page(
    request: Request, exchange: Exchange, reading: Reading, shard: ShardContext
) -> tuple[Reading, Rendering | None] | BrowserElsewhere:
    """Return the page as a browser shows it; or as it came, if no browser is wanted, or none could show it.

    If another fetcher has a browser and this one has none, the host goes to that one with all its pages.
    """
    task = shard.task_of(request)
    wish = task.spec.rendering
    if wish.render == "never" or not _can_be_shown(request, exchange, reading):
        return reading, None
    choice = _ALWAYS
    if request.type == "revisit" and shard.revisits.was_rendered(request):
        choice = _AGAIN
    elif wish.render == "auto":
        choice = task.render_choice.choose(reading, exchange.body, wish.render_share)
        if choice.lacks_budget:
            task.tally.count("not rendered")
            shard.browsers.warn_of_share(task.name, wish.render_share)
        if not choice.render:
            return (_mark(reading, UNRENDERED, choice.why) if choice.why else reading), None
    if await shard.browsers.prepare(wish) and shard.hand_over(request.host):
        shard.handed_over.add(request.host)
        return BrowserElsewhere(was_asked=True)
    shown = await show_page(request, exchange, shard)
    if isinstance(shown, NotRendered):
        task.tally.count("not rendered")
        if choice.kind:
            task.render_choice.learn(choice, reading, None)
        return _mark(reading, UNRENDERED, shown.why), None
    rendering = make_rendering(exchange, shown)
    after = _add_wanted(shard.read(request, rendering.document), shown.wanted)
    if choice.kind:
        task.render_choice.learn(choice, reading, after)
    task.tally.count("rendered")
    task.tally.count("loaded by browsers", shown.loaded)
    why = choice.why if shown.ready == "quiet" else f"{choice.why}; it was not quiet in time"
    refused = ", ".join(f"{name} {times}" for name, times in sorted(shown.refused.items()))
    return _mark(after, RENDERED, f"{why}; refused: {refused}" if refused else why), rendering


def _can_be_shown(request: Request, exchange: Exchange, reading: Reading) -> bool:
    return (
        request.type != "requisite"
        and reading.page.kind == "html"
        and exchange.status == _OK
        and request.url.startswith("http")
        and bool(exchange.body)
    )


async def show_page(request: Request, exchange: Exchange, shard: ShardContext) -> RenderedPage | NotRendered:
    """Show a page; what it loads is fetched as its task fetches pages, by its robots rules."""
    task = shard.task_of(request)

    def make_options(url: str) -> FetchOptions:
        return task.fetch_options(msgspec.structs.replace(request, url=url))

    async def may_load(url: str, is_document: bool) -> str:
        most_bytes = task.spec.limits.body_bytes
        if most_bytes and task.count_of("bytes") >= most_bytes:
            return "the task's limit of bytes"
        if not is_document and not task.spec.rendering.render_robots:
            return ""
        return await refuse_by_robots(url, request, shard)

    def count(loaded: Exchange) -> None:
        task.tally.count("bytes", len(loaded.body))

    owner = PageOwner(task.name, task.agent, task.spec.rendering, make_options, may_load, count)
    return await shard.browsers.show(exchange, owner)


async def refuse_by_robots(url: str, request: Request, shard: ShardContext) -> str:
    """Return why the robots.txt of a host refuses what a page wants to load; "" if it does not."""
    task = shard.task_of(request)
    manners = task.spec.politeness
    if not manners.robots:
        return ""
    host = urls.host(url)
    known = shard.find_robots(host, manners.robots_age_s)
    if known is None:
        options = task.fetch_options(msgspec.structs.replace(request, url=url))
        where = await shard.fetcher.locate(host, options.settings)
        if not isinstance(where, HostAddresses):
            return "robots unreachable"
        await shard.robots.fetch(host, url.partition(":")[0], where, options)
        known = shard.robots.find_fresh(host, manners.robots_age_s)
    return (known.check_url(url, task.agent) or "") if known is not None else "robots unreachable"


def _add_wanted(reading: Reading, wanted: tuple[str, ...]) -> Reading:
    """Return the reading with links to where scripts wanted to go: they are redirects, which a crawl follows as such."""
    links = list(reading.links)
    for url in wanted:
        with suppress(BadUrl):
            links.append(Link(urls.canonical(url), "refresh"))
    return msgspec.structs.replace(reading, links=PageLinks.from_links(links)) if wanted else reading


def _mark(reading: Reading, name: str, why: str) -> Reading:
    marks = reading.page.marks | {name: shorten_mark(why)}
    return msgspec.structs.replace(reading, page=msgspec.structs.replace(reading.page, marks=marks))
