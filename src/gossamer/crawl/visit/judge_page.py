"""Judging a page: classifiers put marks on it and on its links, filters decide which links are followed."""

import inspect
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from gossamer.crawl.read_page import Reading
from gossamer.crawl.rule_names import CONTENT_SEEN, IN_LANGUAGE, LANGUAGE, NOFOLLOW_PAGE, NOT_FOLLOWED
from gossamer.crawl.seen_keys import host_of
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.schedule_links import Candidates
from gossamer.crawl.task.task import answer
from gossamer.crawl.visit.relevance_marks import guided, out_of_focus
from gossamer.crawl.visit.shard_context import Parts
from gossamer.net import url as urls
from gossamer.records import Link, Page, Request


class Judged(msgspec.Struct, frozen=True):
    """A page with its marks, and what came of its links."""

    reading: Reading
    found: Candidates


async def judge(request: Request, reading: Reading, parts: Parts) -> Judged:
    """Let classifiers mark the page and its links, and filters decide which links are followed."""
    running = parts.task(request)
    reading = await _marked(guided(request, running.languages.recognised(reading), running), running)
    found = running.finder.candidates(reading.links, request.depth + 1)
    is_foreign = _is_foreign(running, reading.page)
    # From a start page in whatever language the way to others must be open.
    rule = LANGUAGE if is_foreign and request.depth else await _page_rule(running, reading, parts)
    rule = rule or out_of_focus(request, running)
    if rule or is_foreign:
        parts.decided(request.id, running, rule or LANGUAGE, _reason(rule, reading.page))
    if rule:
        filtered = found.filtered + Counter({rule: len(found.at)})
        return Judged(reading, msgspec.structs.replace(found, at=[], filtered=filtered))
    if running.judges_links:
        found = await filter_links(running, reading.page, found, parts)
    return Judged(reading, found)


async def tell(request: Request, judged: Judged, parts: Parts) -> None:
    """Tell the task's listeners of a page that was kept."""
    running = parts.task(request)
    if running.task.listeners and is_kept(running, judged.reading.page):
        for listener in running.task.listeners:
            await answer(listener(judged.reading.page))


def is_kept(running: RunningTask, page: Page) -> bool:
    """Say whether a task keeps a page: by its kind and its language."""
    kinds = running.spec.filters.kinds
    return (not kinds or page.kind in kinds) and not _is_foreign(running, page)


async def _marked(reading: Reading, running: RunningTask) -> Reading:
    if not running.task.page_classifiers:
        return reading
    marks = dict(reading.page.marks)
    for classify in running.task.page_classifiers:
        marks |= await answer(classify(reading)) or {}
    return msgspec.structs.replace(reading, page=msgspec.structs.replace(reading.page, marks=marks))


async def _page_rule(running: RunningTask, reading: Reading, parts: Parts) -> str:
    """Name the rule by which no link of this page is followed, or return ""."""
    filters = running.spec.filters
    if filters.nofollow and not reading.follow:
        return NOFOLLOW_PAGE
    if filters.content_seen and running.finder.content_seen(reading.page, parts.filling.batch):
        return CONTENT_SEEN
    for keep in running.task.page_filters:
        if not await answer(keep(reading)):
            return name_of(keep)
    return ""


def _reason(rule: str, page: Page) -> str:
    """Say what was decided about a page, and in which language it is if that is why."""
    if rule not in ("", LANGUAGE):
        return NOT_FOLLOWED
    return f"{NOT_FOLLOWED}: {IN_LANGUAGE}{page.language}" if rule else f"{IN_LANGUAGE}{page.language}"


async def filter_links(running: RunningTask, page: Page, found: Candidates, parts: Parts) -> Candidates:
    """Ask what is known of languages, and the task's own link filters, about each link that the rules would follow."""
    filtered = Counter(found.filtered)
    at = []
    for place in found.at:
        link = found.links[place]
        if leads_elsewhere(running, link, parts):
            filtered[LANGUAGE] += 1
            continue
        marks: dict[str, str] = {}
        for classify in running.task.link_classifiers:
            marks |= await answer(classify(link, page)) or {}
        against = await _refusing(running, link, marks)
        if against:
            filtered[against] += 1
            parts.decided(found.id_at(place), running, against)
        else:
            at.append(place)
    return msgspec.structs.replace(found, at=at, filtered=filtered)


def _is_foreign(running: RunningTask, page: Page) -> bool:
    return running.languages.is_foreign(page)


def leads_elsewhere(running: RunningTask, link: Link, parts: Parts) -> bool:
    """Say whether a link leads to another language most likely; the first of a host tells the reason for all."""
    if not running.languages.wanted:
        return False
    host = host_of(link.url)
    why = running.languages.against(link, host)
    if why and running.languages.is_first_of(host):
        parts.decided(urls.page_id(host), running, LANGUAGE, why)
    return bool(why)


async def _refusing(running: RunningTask, link: Link, marks: dict[str, str]) -> str:
    """Name the first of the task's own filters that is against a link, or return ""."""
    for keep in running.task.link_filters:
        if not await answer(_called(keep, link, marks)):
            return name_of(keep)
    return ""


def _called(keep: Callable[..., Any], link: Link, marks: dict[str, str]) -> Any:
    """Call a link filter with as much as it wants to know: the link, or the link and its marks."""
    return keep(link, marks) if _wants_marks(keep) else keep(link)


@cache  # the same few functions for every link of a crawl
def _wants_marks(keep: Callable[..., Any]) -> bool:
    return len(inspect.signature(keep).parameters) > 1


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a user's function, as rules, counts and notices tell it."""
    return getattr(function, "__name__", type(function).__name__)
