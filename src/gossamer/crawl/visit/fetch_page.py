"""The way to a page: refuse it, wait for it, reuse a copy, or fetch it. Each step returns a value; none of them writes."""

from typing import Literal

import msgspec

from gossamer.crawl.render.rendering import stays_as_it_came
from gossamer.crawl.rule_names import FORGOTTEN, SITEMAPS, WITHDRAWN
from gossamer.crawl.visit.cached_pages import CacheHit, UnchangedCopy
from gossamer.crawl.visit.follow_shorter_path import ShorterPath, follow_shorter_path
from gossamer.crawl.visit.host_turns import AddressBusy, RedirectTurns
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.robots_cache import RobotsAnswer
from gossamer.fetch.socket_shortage import Shortage, explain_error, is_shortage
from gossamer.frontier.timed_rule import strip_port
from gossamer.records import Failed, NotModified, Outcome, Page, Refused, Request


class AwaitingWrite(msgspec.Struct, frozen=True):
    """The page was visited and its batch is not written yet: the request waits until it is."""


class RobotsAsked(msgspec.Struct, frozen=True):
    """The host was asked for its robots.txt first: the request waits out the pause."""

    answer: RobotsAnswer


class HeadFetched(msgspec.Struct, frozen=True):
    """Only the head of the page was asked for, and it has changed: the page itself is fetched after the pause."""


class QuietHost(msgspec.Struct, frozen=True):
    """The task's quiet hours for this host hold: the request waits for their end."""

    until_s: float


class BrowserElsewhere(msgspec.Struct, frozen=True):
    """The page needs a browser, which another fetcher has: the request waits until the host is that fetcher's."""

    was_asked: bool
    """Whether the host was asked."""


Postponed = AwaitingWrite | AddressBusy | RobotsAsked | HeadFetched | QuietHost | BrowserElsewhere | Shortage
"""Why a request that was taken goes back to wait."""
Ending = Outcome | CacheHit | UnchangedCopy | ShorterPath
"""How a request that was taken ends."""
DEAD_HOST: Literal["dead host"] = "dead host"


def refuse_request(request: Request, shard: ShardContext) -> Refused | None:
    """Refuse a page that is no longer wanted, by what the crawl has learnt since it was scheduled."""
    task = shard.task_of(request)
    if task.forgotten.covers(request.url):
        return Refused(FORGOTTEN)
    if request.type == "seed" and request.url in task.withdrawn:
        return Refused(WITHDRAWN)
    if request.host in task.full_hosts:
        if shard.frontier.is_dead(request.host):
            return Refused(DEAD_HOST)
        if request.type != "requisite":
            return Refused("per_host")
    if task.spec.filters.traps and shard.traps.judge(request.url) is not None:
        return Refused("trap")
    if request.type == "sitemap" and (excess := task.sitemaps.refuse(request)):
        return Refused(SITEMAPS, excess)
    return None


def wait_for_write(request: Request, shard: ShardContext) -> AwaitingWrite | None:
    """Wait if the page was just visited and the task can reuse it as soon as its batch is written."""
    if request.id not in shard.unwritten:
        return None
    task = shard.task_of(request)
    if request.type == "requisite" or task.spec.fetching.max_age_s or task.scheduler.is_done(request.id):
        return AwaitingWrite()
    return None


def wait_for_quiet_host(request: Request, shard: ShardContext) -> QuietHost | None:
    """Wait if the task leaves this host alone at this hour."""
    quiet = shard.task_of(request).quiet_hours
    if not quiet.has_hosts:
        return None
    now_s = shard.clock()
    until_s = max(quiet.find_end(now_s, request.host), quiet.find_end(now_s, strip_port(request.host)))
    return QuietHost(until_s) if until_s else None


def wait_for_browser(request: Request, shard: ShardContext) -> BrowserElsewhere | None:
    """Wait if the host goes to a fetcher that can show its pages in a browser."""
    if request.host in shard.handed_over and shard.hand_over(request.host):
        return BrowserElsewhere(was_asked=False)
    return None


async def reuse_page(request: Request, shard: ShardContext) -> ShorterPath | CacheHit | Shortage | None:
    """Return what the web already has of the page, if that is enough for the task."""
    try:
        if request.type == "requisite":
            return await find_visited(request, shard)
        return await follow_shorter_path(request, shard) or await find_cached(request, shard)
    except OSError as error:
        if not is_shortage(error):
            raise
        return explain_error(error)


async def find_cached(request: Request, shard: ShardContext) -> CacheHit | None:
    """Return the page from the archive if it is young enough for the task."""
    task = shard.task_of(request)
    if not task.spec.fetching.max_age_s:
        return None
    return await shard.cache.find(request, task.spec, task.agent, shard.clock(), task.reads_text(request))


async def find_visited(request: Request, shard: ShardContext) -> CacheHit | None:
    """Return a requisite from the archive if its task has fetched it as a page, or if it is young enough."""
    task, now_s = shard.task_of(request), shard.clock()
    age_s = max(task.spec.fetching.max_age_s, now_s - task.created_s)
    fetching = msgspec.structs.replace(task.spec.fetching, max_age_s=age_s)
    return await shard.cache.find(
        request,
        msgspec.structs.replace(task.spec, fetching=fetching),
        task.agent,
        now_s,
        task.reads_text(request),
    )


async def fetch_page(request: Request, shard: ShardContext) -> Outcome | UnchangedCopy | Postponed:
    """Resolve the host, lock its address, follow its robots.txt, and fetch the page; files need none of this."""
    if is_file(request):
        return await send_request(request, HostAddresses(()), shard)
    where = await locate_host(request, shard)
    if not isinstance(where, HostAddresses):
        return where
    return (
        shard.turns.lock_address(request, where)
        or await ask_robots(request, where, shard)
        or refuse_by_robots(request, shard)
        or await send_request(request, where, shard)
    )


def is_file(request: Request) -> bool:
    """Say whether a request is for a file of this machine."""
    return request.url.startswith("file:")


def has_robots(request: Request) -> bool:
    """Say whether the scheme of a request knows robots.txt; those of plug-ins do not."""
    return request.url.startswith(("http", "ftp:"))


async def locate_host(request: Request, shard: ShardContext) -> HostAddresses | Refused | Failed | Shortage:
    """Find the addresses of the host."""
    return await shard.fetcher.locate(request.host, shard.task_of(request).spec.fetching)


async def ask_robots(
    request: Request, where: HostAddresses, shard: ShardContext
) -> RobotsAsked | Shortage | None:
    """Ask the host for its robots.txt if it is not known, or could not be reached and may be by now."""
    task = shard.task_of(request)
    manners = task.spec.politeness
    if not manners.robots or not has_robots(request):
        return None
    last_try = request.attempt + 1 >= manners.tries
    known = shard.find_robots(request.host, manners.robots_age_s)
    if known is not None and (last_try or not known.unreachable):
        return None
    scheme = request.url.partition(":")[0]
    redirects = RedirectTurns(shard.turns, shard.register_host, request)
    try:
        answer = await shard.robots.fetch(request.host, scheme, where, task.fetch_options(request), redirects)
        return answer if isinstance(answer, Shortage) else RobotsAsked(answer)
    finally:
        redirects.end()


def refuse_by_robots(request: Request, shard: ShardContext) -> Refused | None:
    """Refuse a page that robots.txt does not allow, or whose host did not even give us a robots.txt."""
    task = shard.task_of(request)
    manners = task.spec.politeness
    if not manners.robots or not has_robots(request):
        return None
    known = shard.robots.find_fresh(request.host, manners.robots_age_s)
    cause = known.check_url(request.url, task.agent) if known else "robots unreachable"
    return Refused(cause, known.detail if known and known.unreachable else "") if cause else None


async def send_request(
    request: Request, where: HostAddresses, shard: ShardContext
) -> Outcome | UnchangedCopy | HeadFetched | Shortage:
    """Send the request for the page; a revisit, or a task that wants it, also tells the server which copy we have."""
    task = shard.task_of(request)
    options = task.fetch_options(request)
    if request.type != "revisit":
        if task.spec.fetching.conditional and options.method == "GET":
            return await fetch_if_changed(request, where, options, shard)
        return await shard.fetcher.fetch(request.url, where, options)
    revisits = shard.revisits
    options = revisits.make_conditional(request, options, shard.clock(), task.spec.rendering.render)
    answer = await shard.fetcher.fetch(request.url, where, options)
    if isinstance(answer, Shortage):
        return answer
    outcome = await revisits.compare_head(request, answer)
    return outcome if outcome is not None else HeadFetched()


def find_copy(request: Request, shard: ShardContext) -> Page | None:
    """Return the page as the web has it, if it can have one: the only task of a new web fetches each page once.

    Except that a requisite may be fetched again as a page.
    """
    requisites = shard.task_of(request).requisites
    was_needed = requisites is not None and requisites.has_scheduled(request.id)
    if shard.cache.is_new and len(shard.tasks) == 1 and not was_needed:
        return None
    return shard.cache.find_copy(request)


async def fetch_if_changed(
    request: Request, where: HostAddresses, options: FetchOptions, shard: ShardContext
) -> Outcome | UnchangedCopy | Shortage:
    """Fetch a page unless the server says that our copy is still good; a copy that cannot be read is fetched whole."""
    copy, task = find_copy(request, shard), shard.task_of(request)
    if copy is None or not stays_as_it_came(copy, task.spec.rendering.render):
        return await shard.fetcher.fetch(request.url, where, options)
    condition = msgspec.structs.replace(options, etag=copy.etag, last_modified=copy.last_modified)
    outcome = await shard.fetcher.fetch(request.url, where, condition)
    if not isinstance(outcome, NotModified):
        return outcome
    reading = await shard.cache.read_copy(request, copy, task.spec, task.agent, task.reads_text(request))
    if reading is None:
        return await shard.fetcher.fetch(request.url, where, options)
    return UnchangedCopy(outcome.exchange, reading)
