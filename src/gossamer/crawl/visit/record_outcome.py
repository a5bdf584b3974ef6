"""How a request ends: what is kept of it, what follows from it, and how long its host is left in peace.

Everything here happens at once, without waiting for anything: the filling is never seen half done.
"""

from collections import Counter

import msgspec

from gossamer.crawl.events import PageVisited, TrapFound
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.schedule_links import Candidates
from gossamer.crawl.visit.cached_pages import CacheHit
from gossamer.crawl.visit.judge_page import Judged, is_kept
from gossamer.crawl.visit.pending_batch import Kept
from gossamer.crawl.visit.shard_context import Parts
from gossamer.crawl.visit.shorter_path import Nearer
from gossamer.errors import BadUrl
from gossamer.net import url as urls
from gossamer.records import (
    Exchange,
    Failed,
    Fetched,
    Link,
    NotModified,
    Outcome,
    Redirected,
    Refused,
    Request,
    Visit,
    VisitResult,
)

MOST_HOPS = 8
"""Redirects in a row that are followed; Chromium gives up after 20, RFC 1945 recommended 5."""

# Failures after which the server is left alone for a while; other answers above 400 are answers.
_SERVER_TROUBLE = {"429", "500", "502", "503", "504"}
# What a wrong Content-Length leaves on a connection is taken for the next answer, which is then no HTTP: "protocol".
_PASSING = {"dns", "connect", "timeout", "reset", "protocol"}
_RESULTS: dict[type, VisitResult] = {
    Fetched: "fetched",
    NotModified: "not modified",
    Redirected: "redirected",
    Refused: "refused",
    Failed: "failed",
    CacheHit: "cache hit",
    Nearer: "cache hit",
}

Ending = Outcome | CacheHit | Nearer


def keep(request: Request, outcome: Ending, parts: Parts, judged: Judged | None = None) -> None:
    """Write down how a request ended, with everything that came of it."""
    running = parts.task(request)
    if request.type == "revisit":
        judged = _learnt(request, outcome, parts, judged)
    digest = 0
    match outcome:
        case Fetched(exchange) if judged is not None:
            _keep_page(running, request, exchange, judged, parts)
            result, digest = "downloaded", judged.reading.page.text_digest
        case CacheHit() if judged is not None:
            _schedule_links(running, request, judged, parts, keep_links=False)
            result = "cache hits"
        case Nearer():
            _follow_nearer(running, request, outcome, parts)
            result = "cache hits"
        case Redirected(location=location):
            _follow_redirect(running, request, location, parts)
            result = "redirected"
        case Refused(cause):
            result = f"refused:{cause}"
        case Failed(cause, detail):
            result = f"failed:{detail if cause == 'status' else cause}"
        case _:
            result = "not modified"
    _end(running, request, outcome, result, parts, digest)


def _learnt(request: Request, outcome: Ending, parts: Parts, judged: Judged | None) -> Judged | None:
    """Note what a visit to a page shows that the web has; the page keeps its place in the web."""
    if isinstance(outcome, CacheHit | Nearer):
        return judged
    reading = judged.reading if judged is not None else None
    page = reading.page if reading is not None else None
    text = reading.document.text if reading is not None and reading.document is not None else ""
    learnt = parts.revisits.learn(request, outcome, page, text, parts.filling.batch, parts.clock())
    if learnt.changed:
        parts.task(request).tally.noted("changed")
    if judged is None or learnt.page is None:
        return judged
    return Judged(msgspec.structs.replace(judged.reading, page=learnt.page), judged.found)


def worth_another_try(request: Request, failure: Failed, parts: Parts) -> bool:
    """Say whether a failure may pass."""
    passing = failure.cause in _PASSING or failure.detail in _SERVER_TROUBLE
    return passing and request.attempt + 1 < parts.task(request).spec.politeness.tries


def retry(request: Request, failure: Failed, parts: Parts) -> None:
    """Let a failed request wait for its next try."""
    now_s = parts.clock()
    again = msgspec.structs.replace(request, attempt=request.attempt + 1)
    parts.task(request).under_way -= 1
    parts.filling.batch.retried.append(again)
    _note_visit(request, failure, now_s, parts)
    parts.frontier.record_failure(again, now_s, failure.retry_after_s, done=False)
    parts.touched.add(request.host)
    parts.note_pause(request, parts.frontier.least_pause_s(request))
    parts.give_up_if_dead(request)


def _keep_page(
    running: RunningTask, request: Request, exchange: Exchange, judged: Judged, parts: Parts
) -> None:
    batch, page = parts.filling.batch, judged.reading.page
    if is_kept(running, page):
        parts.archive(Kept(request, exchange, len(batch.visits), page_at=len(batch.pages)))
        batch.pages.append(page)
    known = len(batch.known)
    _schedule_links(running, request, judged, parts, running.spec.keeping.links)
    if running.spec.filters.traps and page.kind == "html":
        brought = (url for _, url in batch.known[known:])
        parts.traps.record_page(request.url, page.simhash, request.id, request.parent, brought)
        _report_traps(running, parts)


def _schedule_links(
    running: RunningTask, request: Request, judged: Judged, parts: Parts, keep_links: bool
) -> None:
    batch, found = parts.filling.batch, judged.found
    known = len(batch.known)
    running.finder.hear(request, found, batch, keep_links)
    if request.type == "revisit":  # of which only those links are followed that the web never heard of
        new = {page_id for page_id, _ in batch.known[known:]}
        at = [place for place in found.at if found.id_at(place) in new]
        found = msgspec.structs.replace(found, at=at)
    parts.add(running.finder.schedule(request, request.depth + 1, found, batch))


def _report_traps(running: RunningTask, parts: Parts) -> None:
    for trap in parts.traps.take_new_traps():
        # Under its pattern: so everybody of the family finds it.
        parts.decided(urls.page_id(trap.pattern), running, "trap", f"{trap.reason}: {trap.pattern}")
        parts.watch(TrapFound(parts.clock(), running.name, trap.reason, trap.pattern))


def _follow_nearer(running: RunningTask, request: Request, again: Nearer, parts: Parts) -> None:
    batch, page = parts.filling.batch, again.page
    if page is not None and page.task == request.task and page.depth > request.depth:
        batch.pages.append(msgspec.structs.replace(page, depth=request.depth))
    parts.add(running.finder.schedule(request, again.depth, again.found, batch, again.hops))


def _follow_redirect(running: RunningTask, request: Request, location: str, parts: Parts) -> None:
    try:
        link = Link(urls.canonical(location, request.url), "redirect")
    except BadUrl as error:
        parts.decided(request.id, running, "bad redirect", str(error))
        return
    finder, batch = running.finder, parts.filling.batch
    found = finder.candidates([link], request.depth)
    if request.hops >= MOST_HOPS and found.at:
        found = Candidates(found.links, found.ids, [], Counter({"redirects": 1}))
        parts.decided(found.id_at(0), running, "redirects", f"{request.hops} in a row")
    finder.hear(request, found, batch, running.spec.keeping.links)
    parts.add(finder.schedule(request, request.depth, found, batch, request.hops + 1))


def _end(
    running: RunningTask, request: Request, outcome: Ending, result: str, parts: Parts, digest: int
) -> None:
    now_s = parts.clock()
    visit = _note_visit(request, outcome, now_s, parts, digest)
    running.under_way -= 1
    running.tally.finished(result, visit.body_bytes)
    parts.filling.batch.finished.append(request)
    parts.unwritten.add(request.id)
    running.finder.done(request.id, parts.filling.batch)
    if running.guide is not None:
        parts.learn(running, request, visit.result in ("fetched", "cache hit", "failed"))
    _pause_host(request, outcome, now_s, parts)
    if result == "downloaded" and running.spec.limits.per_host:
        _spend_budget(running, request.host, parts)
    parts.watch(
        PageVisited(
            now_s,
            running.name,
            request.url,
            visit.result,
            visit.status,
            visit.cause,
            visit.body_bytes,
            visit.took_s,
            request.depth,
        )
    )


def _pause_host(request: Request, outcome: Ending, now_s: float, parts: Parts) -> None:
    match outcome:
        case Refused() | CacheHit() | Nearer():
            parts.frontier.skip(request)
        case Failed(cause, detail, retry_after_s) if cause != "status" or detail in _SERVER_TROUBLE:
            parts.frontier.record_failure(request, now_s, retry_after_s)
            parts.touched.add(request.host)
            parts.give_up_if_dead(request)
        case _:
            pace = parts.frontier.pace(request.host)
            if pace is not None and pace.failures:
                parts.touched.add(request.host)  # the web may still think that it fails
            parts.frontier.record_answer(request, now_s)
    parts.note_pause(request, parts.frontier.least_pause_s(request))


def _spend_budget(running: RunningTask, host: str, parts: Parts) -> None:
    running.host_pages[host] += 1
    parts.filling.batch.spent.append((running.number, host, running.host_pages[host]))
    if running.host_pages[host] >= running.spec.limits.per_host:
        parts.give_up(host, running.number, "per_host")


def _note_visit(request: Request, outcome: Ending, now_s: float, parts: Parts, digest: int = 0) -> Visit:
    """Write down one attempt; an answer that is no page is archived as well."""
    exchange: Exchange | None = getattr(outcome, "exchange", None)
    if exchange is not None and not isinstance(outcome, Fetched):
        parts.archive(Kept(request, exchange, len(parts.filling.batch.visits)))
    visit = Visit(
        request.id,
        request.task,
        now_s,
        _RESULTS[type(outcome)],
        exchange.status if exchange else 0,
        getattr(outcome, "cause", ""),
        getattr(outcome, "detail", "") or getattr(outcome, "location", ""),
        exchange.took_s if exchange else 0.0,
        len(exchange.body) if exchange else 0,
        exchange.address if exchange else "",
        digest,
    )
    parts.filling.batch.visits.append(visit)
    return visit
