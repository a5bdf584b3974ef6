"""Record how a visit ended: what is kept of it, what follows from it, and how long its host is left alone.

Visits write here and nowhere else. Recording never waits for anything, so the pending batch is never seen half filled.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from gossamer.crawl.events import PageVisited, TrapFound
from gossamer.crawl.read_page import make_requisite
from gossamer.crawl.render.rendering import Rendering
from gossamer.crawl.rule_names import REQUISITE, WITHDRAWN
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.schedule_links import Candidates
from gossamer.crawl.task_counts import REQUISITES, REQUISITES_FINISHED, UNCHANGED
from gossamer.crawl.visit.cached_pages import CacheHit, UnchangedCopy
from gossamer.crawl.visit.describe_step import describe_step
from gossamer.crawl.visit.fetch_page import (
    AwaitingWrite,
    BrowserElsewhere,
    Ending,
    HeadFetched,
    Postponed,
    QuietHost,
    RobotsAsked,
)
from gossamer.crawl.visit.follow_shorter_path import ShorterPath
from gossamer.crawl.visit.host_turns import AddressBusy
from gossamer.crawl.visit.judge_page import JudgedPage, is_kept
from gossamer.crawl.visit.mark_topics import report_topics
from gossamer.crawl.visit.pending_batch import LINK_BYTES, ArchiveEntry, count_body_bytes, make_visit
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.crawl.visit.worth_retrying import SERVER_TROUBLE, is_worth_retrying
from gossamer.errors import BadUrl
from gossamer.fetch.http.response_head import parse_retry_after
from gossamer.fetch.robots_cache import RobotsAnswer
from gossamer.fetch.socket_shortage import Shortage
from gossamer.net import url as urls
from gossamer.net.html.link_columns import PageLinks
from gossamer.records import (
    Exchange,
    Failed,
    Fetched,
    Link,
    NotModified,
    Redirected,
    Refused,
    Request,
    Visit,
    VisitResult,
)
from gossamer.store import page_pictures

MOST_HOPS = 8
"""Redirects in a row that are followed; Chromium gives up after 20, RFC 1945 recommended 5."""

# How long a request waits for a page that was visited and is not written yet.
_UNWRITTEN_WAIT_S = 0.1
# Hosts change hands within a lease; requests that still wait then are no longer this shard's.
_BROWSER_WAIT_S = 2.0
_OK = 200
_UNANSWERED = {"timeout", "connect", "reset"}
_RESULTS: dict[type, VisitResult] = {
    Fetched: "fetched",
    NotModified: "not modified",
    UnchangedCopy: "not modified",
    Redirected: "redirected",
    Refused: "refused",
    Failed: "failed",
    CacheHit: "cache hit",
    ShorterPath: "cache hit",
}


def record(
    request: Request,
    outcome: Ending | Postponed,
    shard: ShardContext,
    judged: JudgedPage | None = None,
    rendering: Rendering | None = None,
) -> None:
    """Record what came of a visit: the request is finished, tried again, or goes back to wait."""
    if shard.is_verbose:
        shard.watch(describe_step(request, outcome, shard.task_of(request).name, shard.clock()))
    match outcome:
        case AwaitingWrite():
            shard.frontier.postpone(request, shard.clock() + _UNWRITTEN_WAIT_S)
        case AddressBusy(None):
            shard.frontier.put_back(request)
        case AddressBusy(ready_s=float(ready_s)):
            shard.frontier.postpone_address(request, ready_s)
        case RobotsAsked(answer):
            _record_robots(request, answer, shard)
        case Shortage():
            _wait_out(request, outcome, shard)
        case QuietHost(until_s):
            shard.frontier.postpone(request, until_s)
        case BrowserElsewhere(was_asked=False):
            shard.frontier.postpone(request, shard.clock() + _BROWSER_WAIT_S)
        case HeadFetched() | BrowserElsewhere():
            shard.frontier.record_answer(request, shard.clock(), done=False)
        case Failed() if is_worth_retrying(request, outcome, shard.task_of(request).spec.politeness):
            _retry(request, outcome, shard)
        case (
            Fetched()
            | NotModified()
            | UnchangedCopy()
            | Redirected()
            | Refused()
            | Failed()
            | CacheHit()
            | ShorterPath()
        ):
            _finish(request, outcome, shard, judged, rendering)


# The request goes back to wait


def give_back(request: Request, shard: ShardContext) -> None:
    """Let a request wait on whose visit was cancelled since its task was stopped; its host has its pause all the same."""
    shard.frontier.record_cancelled(request, shard.clock())
    shard.touched.add(request.host)  # the pause must outlive this process
    shard.pending.urgent = True


def _retry(request: Request, failure: Failed, shard: ShardContext) -> None:
    """Queue a failed request for its next try."""
    now_s = shard.clock()
    again = msgspec.structs.replace(request, attempt=request.attempt + 1)
    shard.pending.batch.retried.append(again)
    _record_visit(request, failure, now_s, shard)
    shard.frontier.record_failure(again, now_s, failure.retry_after_s, done=False)
    shard.touched.add(request.host)
    shard.save_long_pause(request, shard.frontier.least_pause_s(request))
    shard.give_up_if_dead(request)


def _record_robots(request: Request, answer: RobotsAnswer, shard: ShardContext) -> None:
    """Record a robots.txt and start the pause after it; the request still waits."""
    now_s, task = shard.clock(), shard.task_of(request)
    shard.frontier.set_crawl_delay(request.host, answer.delay_s(task.agent))
    shard.touched.add(request.host)
    _record_robots_exchanges(request, answer.exchanges, now_s, shard)
    if answer.unreachable:
        again = msgspec.structs.replace(request, attempt=request.attempt + 1)
        shard.pending.batch.retried.append(again)
        shard.frontier.record_failure(again, now_s, _read_retry_after(answer, now_s), done=False)
        shard.give_up_if_dead(request)
    else:
        shard.frontier.record_answer(request, now_s, done=False)
    shard.save_long_pause(request, task.spec.politeness.delay_s)


def _record_robots_exchanges(
    request: Request, exchanges: Sequence[Exchange], now_s: float, shard: ShardContext
) -> None:
    """Record each exchange that a robots.txt took as a visit."""
    batch = shard.pending.batch
    shard.task_of(request).scheduler.record_urls([exchange.url for exchange in exchanges], batch)
    via, steps = request.url, "P"
    for exchange in exchanges:
        _archive(ArchiveEntry(request, exchange, len(batch.visits), via=via, beyond=steps), shard)
        batch.visits.append(make_visit(urls.page_id(exchange.url), request.task, now_s, "robots", exchange))
        via, steps = exchange.url, steps + "R"


def _wait_out(request: Request, shortage: Shortage, shard: ShardContext) -> None:
    """Let a request wait that this machine could not send or serve; that is no visit, and its host is not to blame."""
    until_s = shard.wait_out(shortage.what)
    if not shortage.exchanges and not shortage.sent:
        shard.frontier.postpone(request, until_s)
        return
    now_s = shard.clock()
    _record_robots_exchanges(request, shortage.exchanges, now_s, shard)
    shard.frontier.record_answer(request, now_s, done=False)
    shard.save_long_pause(request, shard.task_of(request).spec.politeness.delay_s)


def _read_retry_after(answer: RobotsAnswer, now_s: float) -> float | None:
    """Return the Retry-After of a server whose robots.txt could not be had, if it sent one."""
    headers = dict(answer.exchanges[-1].headers) if answer.exchanges else {}
    value = headers.get("retry-after", "")
    return parse_retry_after(value, now_s, headers.get("date", "")) if value else None


# The request is finished


def _finish(
    request: Request,
    outcome: Ending,
    shard: ShardContext,
    judged: JudgedPage | None,
    rendering: Rendering | None = None,
) -> None:
    """Record the page and its links, the visit and the counts; start the host's pause."""
    task, now_s = shard.task_of(request), shard.clock()
    if request.type == "revisit" and not isinstance(outcome, CacheHit | UnchangedCopy | ShorterPath):
        judged = shard.revisits.learn(request, outcome, judged, task, shard.pending.batch, now_s)
    result, digest = _record_page(task, request, outcome, shard, judged, rendering)
    if request.type == "requisite":
        result = REQUISITES if result == "downloaded" else result
        task.tally.count(REQUISITES_FINISHED)
    visit = _record_visit(request, outcome, now_s, shard, digest)
    task.tally.count_result(result, visit.body_bytes)
    shard.pending.batch.finished.append(request)
    shard.unwritten.add(request.id)
    if visit.cause == WITHDRAWN:
        task.passed_over[request.id] = True
    elif request.type != "requisite":
        task.scheduler.record_done(request.id, shard.pending.batch)
    if task.guide is not None and request.type != "requisite":
        task.guide.end_visit(request, visit.result in ("fetched", "cache hit", "failed"))
        due = task.guide.is_due()
        if moves := task.guide.reweigh_waiting() if due else task.guide.reweigh_linked():
            shard.move_requests(moves)
    _pause_host(request, outcome, now_s, shard)
    if result == "downloaded" and task.spec.limits.per_host:
        _spend_budget(task, request.host, shard)
    shard.watch(
        PageVisited(
            now_s,
            task=task.name,
            url=request.url,
            result=visit.result,
            status=visit.status,
            cause=visit.cause,
            body_bytes=visit.body_bytes,
            took_s=visit.took_s,
            depth=request.depth,
            host=request.host,
            request=request.number,
        )
    )


def _record_page(
    task: RunningTask,
    request: Request,
    outcome: Ending,
    shard: ShardContext,
    judged: JudgedPage | None,
    rendering: Rendering | None,
) -> tuple[str, int]:
    """Record what the outcome brought; return the name of its count, and the digest of the page's text."""
    match outcome:
        case Fetched(exchange) if judged is not None:
            _keep_page(task, request, exchange, judged, shard, rendering)
            return "downloaded", judged.reading.page.text_digest
        case CacheHit() | UnchangedCopy() if judged is not None:
            _schedule_requisites(task, request, judged.reading.requisites, shard)
            if request.type != "requisite":
                _schedule_links(task, request, judged, shard, keep_links=False)
            if isinstance(outcome, CacheHit):
                return "cache hits", 0
            task.tally.count(UNCHANGED)
            return "downloaded", 0  # it was asked for, and counts for the limits of the task
        case ShorterPath():
            _schedule_again(task, request, outcome, shard)
            return "cache hits", 0
        case Redirected(location=location):
            _follow_redirect(task, request, location, shard)
            return "redirected", 0
        case Refused(cause):
            return f"refused:{cause}", 0
        case Failed(cause, detail):
            return f"failed:{detail if cause == 'status' else cause}", 0
        case _:
            return "not modified", 0


def _keep_page(
    task: RunningTask,
    request: Request,
    exchange: Exchange,
    judged: JudgedPage,
    shard: ShardContext,
    rendering: Rendering | None,
) -> None:
    batch, page = shard.pending.batch, judged.reading.page
    kept = request.type == "requisite" or is_kept(task, page)
    if kept:
        if rendering is not None:
            _keep_loaded(task, request, exchange, rendering, shard)
            exchange = rendering.document
        _archive(ArchiveEntry(request, exchange, len(batch.visits), page_at=len(batch.pages)), shard)
        batch.pages.append(page)
        report_topics(task, request, page, shard)
        _schedule_requisites(task, request, judged.reading.requisites, shard)
    if request.type == "requisite":
        return
    new_urls = _schedule_links(task, request, judged, shard, task.spec.keeping.links)
    if task.spec.filters.traps and page.kind == "html":
        shard.traps.record_page(
            request.url, page.simhash, request.id, request.parent, (url for _, url in new_urls)
        )
        _report_traps(task, shard)


def _keep_loaded(
    task: RunningTask, request: Request, response: Exchange, rendering: Rendering, shard: ShardContext
) -> None:
    """Record what a browser loaded to show a page: the response that it began with, and its requisites."""
    batch = shard.pending.batch
    _archive(ArchiveEntry(request, response, len(batch.visits)), shard)
    found = []
    for loaded in rendering.loaded:
        exchange, page_at = loaded.exchange, None
        if loaded.is_archived:  # by a page that was kept before this one
            continue
        page = make_requisite(request, exchange)
        if page is not None and not task.scheduler.is_done(page.id):
            page_at = len(batch.pages)
            batch.pages.append(page)
            found.append(page.url)
        entry = ArchiveEntry(request, exchange, len(batch.visits), page_at, request.url, "E")
        _archive(entry, shard)
        loaded.is_archived = task.spec.keeping.bodies
    task.scheduler.record_urls(found, batch)
    sizes: tuple[tuple[page_pictures.Size, bytes], ...] = (
        ("small", rendering.thumbnail),
        ("whole", rendering.picture),
    )
    for size, image in sizes:
        if image:
            picture = page_pictures.make_exchange(request.url, size, image, response.began_s)
            note = page_pictures.name_note(request.id, size)
            _archive(ArchiveEntry(request, picture, len(batch.visits), beyond="E", note=note), shard)


def _schedule_links(
    task: RunningTask, request: Request, judged: JudgedPage, shard: ShardContext, keep_links: bool
) -> Sequence[tuple[int, str]]:
    """Record the links of a page and queue those to follow; return the ids and URLs that are new to the web."""
    batch, found = shard.pending.batch, judged.found
    batch.decisions.extend(judged.decisions)
    if judged.has_new_text:
        task.scheduler.record_text(judged.reading.page, batch)
    new_urls = task.scheduler.record_links(request, found, batch, keep_links)
    shard.hold_bytes(LINK_BYTES * len(found.links))
    if request.type == "revisit":  # a revisit follows only links that are new to the web
        found = found.keep_only({page_id for page_id, _ in new_urls})
    shard.add_requests(task.scheduler.schedule(request, request.depth + 1, found, batch))
    return new_urls


def _schedule_requisites(
    task: RunningTask, request: Request, requisites: Sequence[str], shard: ShardContext
) -> None:
    """Queue what a page needs to be shown, and record which page that is."""
    if task.requisites is None or not requisites:
        return
    batch, sent = shard.pending.batch, len(shard.pending.batch.sent)
    new = task.requisites.schedule(request, requisites, batch)
    others = [one for _, one in batch.sent[sent:]]
    if not new and not others:
        return  # most pages of a site need what others have needed
    task.scheduler.record_urls([one.url for one in (*new, *others)], batch)
    for one in (*new, *others):
        shard.record_decision(one.id, task, REQUISITE, request.url)
    shard.add_requests(new)


def _schedule_again(task: RunningTask, request: Request, again: ShorterPath, shard: ShardContext) -> None:
    """Queue the links of a page that was found by a shorter path, and correct its depth."""
    batch, page = shard.pending.batch, again.page
    batch.decisions.extend(again.decisions)
    if page is not None and page.task == request.task and page.depth > request.depth:
        batch.pages.append(msgspec.structs.replace(page, depth=request.depth))
    shard.add_requests(task.scheduler.schedule(request, again.depth, again.found, batch, again.hops))


def _follow_redirect(task: RunningTask, request: Request, location: str, shard: ShardContext) -> None:
    try:
        rules = urls.find_link_rules(request.url.partition(":")[0], task.spec.fetching.schemes)
        link = Link(urls.canonical(location, request.url, rules=rules), "redirect")
    except BadUrl as error:
        shard.record_decision(request.id, task, "bad redirect", str(error))
        return
    batch, keeping = shard.pending.batch, task.spec.keeping
    keep_links = keeping.links or keeping.requisites  # what is shown later needs to know where a redirect led
    task.sitemaps.follow_redirect(request)
    if request.type == "requisite":
        found = Candidates(PageLinks.from_links([link]), {link.url: urls.page_id(link.url)}, [], Counter())
        task.scheduler.record_links(request, found, batch, keep_links)
        _schedule_requisites(task, request, [link.url], shard)
        return
    found = task.scheduler.find_candidates([link], request.depth)
    if request.hops >= MOST_HOPS and found.at:
        found = Candidates(found.links, found.ids, [], Counter({"redirects": 1}))
        shard.record_decision(found.id_at(0), task, "redirects", f"{request.hops} in a row")
    task.scheduler.record_links(request, found, batch, keep_links)
    shard.add_requests(task.scheduler.schedule(request, request.depth, found, batch, request.hops + 1))


def _report_traps(task: RunningTask, shard: ShardContext) -> None:
    for trap in shard.traps.take_new_traps():
        # Under the pattern, so that every URL of the family finds it.
        shard.record_decision(urls.page_id(trap.pattern), task, "trap", f"{trap.reason}: {trap.pattern}")
        shard.watch(TrapFound(shard.clock(), task.name, trap.reason, trap.pattern))


def _pause_host(request: Request, outcome: Ending, now_s: float, shard: ShardContext) -> None:
    if held_s := getattr(getattr(outcome, "exchange", None), "held_s", 0.0):
        shard.frontier.excuse_wait(request, held_s)  # our own limits are no sign that the server is slow
    match outcome:
        case Refused() | CacheHit() | ShorterPath():
            shard.frontier.skip(request)
        case Failed(cause, detail, retry_after_s) if cause != "status" or detail in SERVER_TROUBLE:
            shard.frontier.record_failure(request, now_s, retry_after_s)
            shard.touched.add(request.host)
            shard.give_up_if_dead(request)
        case _:
            pace = shard.frontier.pace(request.host)
            if pace is not None and pace.failures:
                shard.touched.add(request.host)  # the store may still count its failures
            shard.frontier.record_answer(request, now_s)
    shard.save_long_pause(request, shard.frontier.least_pause_s(request))


def _spend_budget(task: RunningTask, host: str, shard: ShardContext) -> None:
    task.host_pages[host] += 1
    shard.pending.batch.spent.append((task.number, host, task.host_pages[host]))
    if task.host_pages[host] >= task.spec.limits.per_host:
        shard.give_up_host(host, task.number, "per_host")


# What is written for every visit


def _record_visit(
    request: Request, outcome: Ending, now_s: float, shard: ShardContext, digest: int = 0
) -> Visit:
    """Record one attempt; an answer that brought no page is archived as well."""
    exchange: Exchange | None = getattr(outcome, "exchange", None)
    if exchange is not None and not isinstance(outcome, Fetched):
        _archive(ArchiveEntry(request, exchange, len(shard.pending.batch.visits)), shard)
    visit = make_visit(
        request.id,
        request.task,
        now_s,
        _RESULTS[type(outcome)],
        exchange,
        cause=getattr(outcome, "cause", ""),
        detail=getattr(outcome, "detail", "") or getattr(outcome, "location", ""),
        digest=digest,
    )
    shard.pending.batch.visits.append(visit)
    if not isinstance(outcome, Refused | CacheHit | ShorterPath):
        shard.answers += 1
        shard.unanswered += visit.cause in _UNANSWERED
    return visit


def _archive(entry: ArchiveEntry, shard: ShardContext) -> None:
    """Put an exchange into the batch's archive list, if its task keeps bodies and an answer came.

    Without HTTP, only pages are kept: a resource of an archive has no status.
    """
    exchange = entry.exchange
    if (
        exchange.status
        and (exchange.response_head or exchange.status == _OK)
        and shard.task_of(entry.request).spec.keeping.bodies
    ):
        shard.pending.exchanges.append(entry)
        shard.hold_bytes(count_body_bytes(entry.exchange))
