"""Judge a page: classifiers mark it and its links, filters decide which links are followed. Returns values only."""

import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec

from gossamer.crawl.host_shards import host_of
from gossamer.crawl.read_page import Reading
from gossamer.crawl.rule_names import (
    CONTENT_SEEN,
    IN_LANGUAGE,
    LANGUAGE,
    NOFOLLOW_PAGE,
    NOT_FOLLOWED,
    SITEMAPS,
)
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.schedule_links import Candidates
from gossamer.crawl.task.task_functions import PLUGIN_FAILED, call_function
from gossamer.crawl.visit.mark_relevance import mark_relevance, refuse_off_topic
from gossamer.crawl.visit.mark_topics import mark_topics
from gossamer.net import url as urls
from gossamer.net.html.link_columns import PageLinks
from gossamer.records import Decision, Link, Page, Request


class JudgedPage(msgspec.Struct, frozen=True):
    """A page with its marks, the links that are followed, and the decisions that cannot be derived from the rules."""

    reading: Reading
    found: Candidates
    decisions: Sequence[Decision] = ()
    has_new_text: bool = False
    """Whether the page was checked for a text seen before, and its text is new."""


async def judge(
    request: Request, reading: Reading, task: RunningTask, clock: Callable[[], float]
) -> JudgedPage:
    """Let classifiers mark the page and its links, and filters decide which links are followed."""
    if request.type == "requisite":
        return judge_requisite(reading)
    reading = task.languages.recognise(reading)
    failed: list[str] = []
    marked = mark_topics(mark_relevance(request, reading, task), task.topics)
    reading = await _classify(marked, task, failed)
    page, decisions = reading.page, list[Decision]()
    found = task.scheduler.find_candidates(reading.links, request.depth + 1)
    is_foreign = task.languages.is_foreign(page)
    # Start pages lead to the wanted language, whatever their own is: their links are always followed.
    rule, new_text = (
        (LANGUAGE, False) if is_foreign and request.depth else await _find_page_rule(task, reading, failed)
    )
    rule = rule or refuse_off_topic(request, task)
    excess = ""
    if page.kind == "sitemap":
        excess = task.sitemaps.count_file(request, reading.lists_sitemaps, reading.sitemap_bytes)
        rule = rule or (SITEMAPS if excess else "")
    if rule or is_foreign:
        detail = f"{NOT_FOLLOWED}: {excess}" if rule == SITEMAPS else _explain(rule, page)
        decisions.append(Decision(request.id, task.number, clock(), rule or LANGUAGE, detail))
    if rule:
        filtered = found.filtered + Counter({rule: len(found.at)})
        found = msgspec.structs.replace(found, at=[], filtered=filtered)
    elif task.judges_links:
        found = await filter_links(task, page, found, decisions, clock(), failed)
    return JudgedPage(_mark_failures(reading, failed), found, decisions, new_text)


def _mark_failures(reading: Reading, failed: Sequence[str]) -> Reading:
    """Mark a page at which plug-ins raised errors: it is kept, and what they would have said is missing."""
    if not failed:
        return reading
    marks = reading.page.marks | {PLUGIN_FAILED: "; ".join(dict.fromkeys(failed))}
    return msgspec.structs.replace(reading, page=msgspec.structs.replace(reading.page, marks=marks))


def judge_requisite(reading: Reading) -> JudgedPage:
    """Keep what another page needs to be shown, whatever it is; its links are not followed, and it is not searched for."""
    page = msgspec.structs.replace(reading.page, index=False)
    nothing = Candidates(PageLinks.from_links(()), {}, [], Counter())
    return JudgedPage(msgspec.structs.replace(reading, page=page), nothing)


async def notify_listeners(judged: JudgedPage, task: RunningTask) -> None:
    """Call the task's listeners with a page that was kept."""
    if task.functions.listeners and is_kept(task, judged.reading.page):
        for listener in task.functions.listeners:
            await call_function(listener, (judged.reading.page,), None, task.plugin_failures, [])


def is_kept(task: RunningTask, page: Page) -> bool:
    """Say whether a task keeps a page: by its kind and its language."""
    kinds = task.spec.filters.kinds
    return (not kinds or page.kind in kinds) and not task.languages.is_foreign(page)


async def filter_links(
    task: RunningTask,
    page: Page,
    found: Candidates,
    decisions: list[Decision],
    now_s: float,
    failed: list[str],
) -> Candidates:
    """Drop links that lead to another language or that the task's own filters refuse; append why to `decisions`.

    What plug-ins raise is appended to `failed`; their links are followed.
    """
    filtered = Counter(found.filtered)
    at = []
    for place in found.at:
        link = found.links[place]
        if leads_to_other_language(task, link, decisions, now_s):
            filtered[LANGUAGE] += 1
            continue
        marks: dict[str, str] = {}
        for classify in task.functions.link_classifiers:
            marks |= await call_function(classify, (link, page), None, task.plugin_failures, failed) or {}
        rule = await _find_link_rule(task, link, marks, failed)
        if rule:
            filtered[rule] += 1
            decisions.append(Decision(found.id_at(place), task.number, now_s, rule))
        else:
            at.append(place)
    return msgspec.structs.replace(found, at=at, filtered=filtered)


def leads_to_other_language(task: RunningTask, link: Link, decisions: list[Decision], now_s: float) -> bool:
    """Say whether a link probably leads to a language that is not wanted; the first of a host appends the reason."""
    if not task.languages.wanted:
        return False
    host = host_of(link.url)
    reason = task.languages.refuse_link(link, host)
    if reason and task.languages.is_first_refusal(host):
        # Under the host's name, so that every page of the host finds it.
        decisions.append(Decision(urls.page_id(host), task.number, now_s, LANGUAGE, reason))
    return bool(reason)


async def _classify(reading: Reading, task: RunningTask, failed: list[str]) -> Reading:
    if not task.functions.page_classifiers:
        return reading
    marks = dict(reading.page.marks)
    for classify in task.functions.page_classifiers:
        marks |= await call_function(classify, (reading,), None, task.plugin_failures, failed) or {}
    return msgspec.structs.replace(reading, page=msgspec.structs.replace(reading.page, marks=marks))


async def _find_page_rule(task: RunningTask, reading: Reading, failed: list[str]) -> tuple[str, bool]:
    """Name the rule by which no link of this page is followed, or ""; say whether its text was checked and is new."""
    filters = task.spec.filters
    if filters.nofollow and not reading.follow:
        return NOFOLLOW_PAGE, False
    if filters.content_seen and task.scheduler.has_seen_text(reading.page):
        return CONTENT_SEEN, False
    for keep in task.functions.page_filters:
        if not await call_function(keep, (reading,), True, task.plugin_failures, failed):
            return name_of(keep), filters.content_seen
    return "", filters.content_seen


def _explain(rule: str, page: Page) -> str:
    """Say what was decided about a page, and in which language it is if that is the reason."""
    if rule not in ("", LANGUAGE):
        return NOT_FOLLOWED
    return f"{NOT_FOLLOWED}: {IN_LANGUAGE}{page.language}" if rule else f"{IN_LANGUAGE}{page.language}"


async def _find_link_rule(task: RunningTask, link: Link, marks: dict[str, str], failed: list[str]) -> str:
    """Name the first of the task's own filters that refuses a link, or return ""."""
    for keep in task.functions.link_filters:
        given = (link, marks) if _takes_marks(keep) else (link,)
        if not await call_function(keep, given, True, task.plugin_failures, failed):
            return name_of(keep)
    return ""


@cache  # the same few functions for every link of a crawl
def _takes_marks(keep: Callable[..., Any]) -> bool:
    """Say whether a link filter takes the marks of a link beside the link."""
    return len(inspect.signature(keep).parameters) > 1


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a user's function, as rules, counts and notices show it."""
    return getattr(function, "__name__", type(function).__name__)
