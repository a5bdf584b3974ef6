"""List the requests of a task that have ended, newest first: each is found in the visits."""

from collections.abc import Callable, Iterator

from gossamer.config import Politeness
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.rule_names import REQUISITE
from gossamer.crawl.status.documents.document_list import DocumentList, TimeBudget, add_urls
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.crawl.task_counts import REQUISITES
from gossamer.crawl.visit.worth_retrying import is_temporary
from gossamer.net import url as urls
from gossamer.records import Failed, FailureCause, Visit, VisitResult
from gossamer.store.batch import Store, TaskNote

RESULTS: dict[str, VisitResult] = {
    "downloaded": "fetched",
    REQUISITES: "fetched",
    "cache hits": "cache hit",
    "redirected": "redirected",
    "not modified": "not modified",
    "failed": "failed",
    "refused": "refused",
}
"""The counts of requests that have ended, and the results of their visits."""
_LEAST_READ, _MOST_READ = 200, 20_000
_FAILURES = "all failed visits to the host, also those that were tried again; the table of hosts counts those in a row"
_GIVEN_UP = ("dead host", "per_host")


def list_ended(store: Store, note: TaskNote, kind: str, cause: str, after: int, most: int) -> DocumentList:
    """List requests that have ended, by their count, newest first."""
    found = _list_visits(store, note, kind, cause, after, most)
    if kind == "refused" and not after and (not cause or cause in _GIVEN_UP):
        found[:0] = _list_given_up(store, note.number, (cause,) if cause else _GIVEN_UP)
    return found


def list_failures(store: Store, task: int, host: str, after: int, most: int) -> DocumentList:
    """List the failed visits to a host, also those after which the request was tried again."""
    budget = TimeBudget()
    found: list[CountedDocument] = []
    while True:
        visits, oldest = store.task_visits(task, "failed", after, _LEAST_READ)
        names = store.urls({visit.page for _, visit in visits})
        for number, visit in visits:
            if host_of(names.get(visit.page, "")) == host:
                found.append(_describe_visit(visit))
            if len(found) == most:
                return DocumentList(add_urls(store, found), number if number > 1 else 0, _FAILURES)
        if not oldest or budget.is_spent:
            return DocumentList(add_urls(store, found), oldest, _FAILURES)
        after = oldest


def _list_visits(store: Store, note: TaskNote, kind: str, cause: str, after: int, most: int) -> DocumentList:
    budget = TimeBudget()
    is_wanted = _make_check(store, note, kind, cause)
    found: list[CountedDocument] = []
    before, read = after, max(_LEAST_READ, most)
    while True:
        visits, oldest = store.task_visits(note.number, RESULTS[kind], before, read)
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
