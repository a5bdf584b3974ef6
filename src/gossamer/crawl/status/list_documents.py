"""List the documents behind each count of a task: what failed, was refused, was not followed, was kept, waits.

Finished requests are found in the visits, newest first. Links that were not followed are mostly not stored: the same rules
judge them again (`filtered_documents`). No list takes longer than a fraction of a second: what is not found by then is left
to the next page.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from gossamer.config import Politeness
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.rule_names import REQUISITE
from gossamer.crawl.status.document_list import DocumentList, TimeBudget, add_urls
from gossamer.crawl.status.filtered_documents import list_filtered
from gossamer.crawl.status.read_shards import read_shards
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.crawl.task_counts import REQUISITES
from gossamer.crawl.visit.worth_retrying import is_temporary
from gossamer.errors import BadInput
from gossamer.net import url as urls
from gossamer.records import Failed, FailureCause, Visit, VisitResult
from gossamer.store.batch import Store, TaskNote

_RESULTS: dict[str, VisitResult] = {
    "downloaded": "fetched",
    REQUISITES: "fetched",
    "cache hits": "cache hit",
    "redirected": "redirected",
    "not modified": "not modified",
    "failed": "failed",
    "refused": "refused",
}
_LEAST_READ, _MOST_READ = 200, 20_000
_GIVEN_UP = ("dead host", "per_host")
_MOST_OF_HOST = 10_000
"""Requests of one host beyond which a list of waiting ones does not go."""


def list_documents(
    store: Store, folder: Path, task: int, count_name: str, after: int = 0, most: int = 100
) -> DocumentList:
    """Return up to `most` documents behind a count of a task, after the `next_after` of the page before."""
    note = next((note for note in store.tasks() if note.number == task), None)
    if note is None:
        raise BadInput(f"the web has no task {task}")
    kind, _, cause = count_name.partition(":")
    if count_name == "waiting":
        return _list_waiting(store, task, after, most)
    if count_name == "under way":
        return _list_under_way(store, folder, task)
    if kind == "filtered" and cause:
        return list_filtered(store, note, cause, after, most)
    if kind not in _RESULTS:
        raise BadInput(
            f"there is no list of documents for {count_name!r}: ask for failed, refused, filtered:RULE, …"
        )
    found = _list_visits(store, note, kind, cause, after, most)
    if kind == "refused" and not after and (not cause or cause in _GIVEN_UP):
        found[:0] = _list_given_up(store, task, (cause,) if cause else _GIVEN_UP)
    return found


# Finished requests


def _list_visits(store: Store, note: TaskNote, kind: str, cause: str, after: int, most: int) -> DocumentList:
    budget = TimeBudget()
    is_wanted = _make_check(store, note, kind, cause)
    found: list[CountedDocument] = []
    before, read = after, max(_LEAST_READ, most)
    while True:
        visits, oldest = store.task_visits(note.number, _RESULTS[kind], before, read)
        for number, visit in is_wanted(visits):
            found.append(_describe_visit(visit))
            if len(found) == most:
                return DocumentList(add_urls(store, found), number if number > 1 else 0)
        if not oldest or budget.is_spent:
            return DocumentList(add_urls(store, found), oldest)
        before, read = oldest, min(2 * read, _MOST_READ)


Numbered = list[tuple[int, Visit]]


def _make_check(
    store: Store, note: TaskNote, kind: str, cause: str
) -> Callable[[Numbered], Iterator[tuple[int, Visit]]]:
    """Return a function that selects the visits that a count counts."""
    if kind == "failed":
        polite = read_spec(note).politeness
        return lambda visits: _select_failures(store, polite, cause, visits)
    if kind in ("downloaded", REQUISITES) and note.counts.get(REQUISITES):
        return lambda visits: _select_fetched(store, note.number, kind == REQUISITES, visits)
    return lambda visits: (one for one in visits if not cause or one[1].cause == cause)


def _select_failures(
    store: Store, polite: Politeness, cause: str, visits: Numbered
) -> Iterator[tuple[int, Visit]]:
    """Select the visits at which requests failed for good: others were tried again."""
    named = [one for one in visits if not cause or cause in (one[1].cause, _name_failure(one[1]))]
    unsure = {visit.page for _, visit in named if polite.tries > 1 and _is_temporary(visit)}
    known = store.visits_of_pages(unsure) if unsure else {}
    for number, visit in named:
        if (
            visit.page not in unsure
            or not _is_temporary(visit)
            or _is_last_try(visit, known[visit.page], polite)
        ):
            yield number, visit


def _name_failure(visit: Visit) -> str:
    return visit.detail if visit.cause == "status" else visit.cause


def _is_temporary(visit: Visit) -> bool:
    cause: FailureCause = visit.cause  # type: ignore[assignment]  # it is one
    return is_temporary(Failed(cause, visit.detail))


def _is_last_try(visit: Visit, visits: list[Visit], polite: Politeness) -> bool:
    """Say whether the request of a visit had no tries left."""
    tries = 0
    for one in visits:
        if one.task == visit.task and one.result != "robots":
            tries = tries + 1 if one.result == "failed" else 0
            if one == visit:
                return tries > 0 and tries % polite.tries == 0
    return False


def _select_fetched(
    store: Store, task: int, requisites: bool, visits: Numbered
) -> Iterator[tuple[int, Visit]]:
    """Select pages, or what pages need to be shown."""
    for number, visit in visits:
        decisions = store.decisions(visit.page)
        is_requisite = any(one.task == task and one.rule == REQUISITE for one in decisions)
        if is_requisite == requisites:
            yield number, visit


def _describe_visit(visit: Visit) -> CountedDocument:
    detail = ": ".join(word for word in (visit.cause, visit.detail) if word)
    return CountedDocument("", visit.page, visit.when_s, visit.status, detail)


def _list_given_up(store: Store, task: int, rules: tuple[str, ...]) -> list[CountedDocument]:
    """List the hosts whose remaining requests were given up, with their number; the requests themselves are gone."""
    found = [
        decision
        for rule in rules
        for _, decision in store.task_decisions(task, rule, 0, _MOST_READ)[0]
        if decision.detail.endswith("given up")
    ]
    if not found:
        return []
    names = {urls.page_id(host.name): host.name for host in store.hosts_by("name", -1)}
    return [
        CountedDocument(names[one.page], one.page, one.when_s, 0, f"{one.rule}: {one.detail}")
        for one in found
        if one.page in names
    ]


# Requests that are left


def _list_waiting(store: Store, task: int, after: int, most: int) -> DocumentList:
    """List waiting requests, host by host, the best of each first; `after` counts those before them."""
    found: list[CountedDocument] = []
    passed, remark = 0, ""
    for host in store.hosts_by("name", -1, task):
        if len(found) == most:
            break
        skipped = max(0, after - passed)
        passed += host.waiting
        if skipped >= host.waiting:
            continue
        if skipped >= _MOST_OF_HOST:
            after, remark = passed, f"of {host.name}, only the first {_MOST_OF_HOST:,} requests are listed"
            continue
        wanted = skipped + most - len(found)
        for one in store.requests(host.name, task, wanted)[skipped:]:
            detail = f"try {one.attempt + 1}" if one.attempt else ""
            found.append(CountedDocument(one.url, one.id, 0.0, 0, detail))
            after += 1
        else:
            after = max(after, passed) if len(found) < most else after
    else:
        if len(found) < most:
            after = 0
    if not after:
        sent = [one for _, one in store.inbox(0, 1, most=most - len(found)) if one.task == task]
        found += [CountedDocument(one.url, one.id, 0.0, 0, "in an inbox") for one in sent]
    return DocumentList(found, after, remark)


def _list_under_way(store: Store, folder: Path, task: int) -> DocumentList:
    shards = read_shards(store, folder, time.time())
    visits = [one for shard in shards.fresh for one in shard.visits if one.task == task]
    return DocumentList(
        CountedDocument(one.url, urls.page_id(one.url), one.since_s, 0, one.step) for one in visits
    )
