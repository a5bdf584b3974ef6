"""List the links that a task did not follow, by rule: judged again, since most such decisions are not stored.

Rules about URLs alone judge the known URLs of a web again, if it has one task and no depth limit. Otherwise the links are
needed: those of the task's pages are judged again, newest pages first. What cannot be derived is
stored as a decision: own filters, whole pages, hosts.
"""

from collections.abc import Iterable

import numpy as np

from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.seen_keys import task_mark
from gossamer.crawl.status.document_list import DocumentList, TimeBudget, add_urls
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.errors import GossamerError
from gossamer.frontier.spider_traps import Trap, TrapDetector
from gossamer.records import Link, PageLink
from gossamer.store.batch import Store, TaskNote

_URL_RULES = ("scope", "include", "exclude", "include_hosts", "exclude_hosts")
_LINK_RULES = ("depth", "nofollow")
_LEARNT_RULES = ("trap", "per_host")
_URLS_AT_FIRST, _URLS_AT_ONCE = 500, 5_000
_PAGES_AT_ONCE, _DECISIONS_AT_ONCE = 20, 20_000
_JUDGED_AGAIN = (
    "judged again by the present rules; a URL is listed once, and counted as often as it was found"
)


def list_filtered(store: Store, note: TaskNote, rule: str, after: int, most: int) -> DocumentList:
    """Return links that a rule refused, as far as that is stored or can be derived."""
    judge = _LinkJudge(store, note, rule)
    needs_links = len(store.tasks()) > 1 or read_spec(note).limits.depth >= 0
    if rule in _LINK_RULES or (rule in _URL_RULES and needs_links):
        return _walk_pages(store, note, judge, after, most)
    if rule in (*_URL_RULES, *_LEARNT_RULES):
        return _walk_known(store, judge, after, most)
    return _list_decisions(store, note, rule, after, most)


class _LinkJudge:
    """The rules of a task, as they are now, asked whether one of them refuses a link."""

    def __init__(self, store: Store, note: TaskNote, rule: str) -> None:
        spec = read_spec(note)
        try:
            seeds = list_start_pages(spec)
        except GossamerError:
            seeds = [url for url in spec.seeds if "://" in url]
        self.rule = rule
        self.task = note.number
        self._store = store
        self._rules = ScopeRules(spec, seeds)
        self._traps = TrapDetector() if rule == "trap" else None
        if self._traps is not None:
            for decision in store.decisions_by_rule("trap"):
                reason, _, pattern = decision.detail.partition(": ")
                self._traps.restore(Trap(reason, pattern))
        spent = store.pages_by_host(note.number) if rule == "per_host" else {}
        self._full = {host for host, pages in spent.items() if 0 < spec.limits.per_host <= pages}

    def refuses(self, link: Link, depth: int) -> bool:
        """Say whether the rule is the one that refuses a link."""
        host = host_of(link.url)
        found = self._rules.decide(link, host, depth)
        if found == FOLLOW and host in self._full:
            found = "per_host"
        if found == FOLLOW and self._traps is not None and self._traps.judge(link.url):
            found = "trap"
        return found == self.rule

    def drop_scheduled(self, found: dict[int, str]) -> dict[int, str]:
        """Return pages without those that the task scheduled: by another path, or by other rules."""
        if not found:
            return found
        wanted = np.sort(np.fromiter(found, np.int64, len(found)) ^ np.int64(task_mark(self.task)))
        scheduled: set[int] = set()
        for _, packed in self._store.seen_keys():
            keys = np.frombuffer(packed, np.int64)
            at = np.searchsorted(wanted, keys)
            at[at == len(wanted)] = 0
            scheduled.update((keys[wanted[at] == keys] ^ np.int64(task_mark(self.task))).tolist())
        return {page_id: url for page_id, url in found.items() if page_id not in scheduled}


def _walk_known(store: Store, judge: _LinkJudge, after: int, most: int) -> DocumentList:
    """Judge the known URLs again, in the order in which the store has them."""
    budget = TimeBudget()
    found: dict[int, str] = {}
    read = max(most, _URLS_AT_FIRST)
    while len(found) < most and not budget.is_spent:
        pages = store.some_known_urls(after, read)
        for place, page_id, url in pages:
            after = place
            if judge.refuses(Link(url), 0):
                found[page_id] = url
                if len(found) == most:
                    break
        else:
            if len(pages) < read:
                after = 0
                break
        read = min(2 * read, _URLS_AT_ONCE)
    return DocumentList(_describe_urls(judge.drop_scheduled(found)), after, _JUDGED_AGAIN)


def _walk_pages(store: Store, note: TaskNote, judge: _LinkJudge, after: int, most: int) -> DocumentList:
    """Judge the links of the task's pages again, newest pages first."""
    budget = TimeBudget()
    found: dict[int, str] = {}
    details: dict[int, str] = {}
    while True:
        visits, oldest = store.task_visits(note.number, "fetched", after, _PAGES_AT_ONCE)
        pages = store.pages_by_id({visit.page for _, visit in visits})
        links = {page_id: store.links_from(page_id) for page_id in pages}
        names = store.urls({link.target for those in links.values() for link in those})
        for page_id, those in links.items():
            page = pages[page_id]
            for link in those:
                url = names.get(link.target, "")
                if url and judge.refuses(_rebuild(link, url), page.depth + (link.type != "redirect")):
                    found.setdefault(link.target, url)
                    details.setdefault(link.target, f"found on {page.url}")
        after = oldest
        # The links of a page stay together, so that a list may be a little longer than was asked for.
        if len(found) >= most or not oldest or budget.is_spent:
            break
    return DocumentList(_describe_urls(judge.drop_scheduled(found), details), after, _JUDGED_AGAIN)


def _rebuild(link: PageLink, url: str) -> Link:
    return Link(url, link.type, link.text, "nofollow" if link.nofollow else "")


def _describe_urls(found: dict[int, str], details: dict[int, str] | None = None) -> Iterable[CountedDocument]:
    told = details or {}
    return (CountedDocument(url, page_id, 0.0, 0, told.get(page_id, "")) for page_id, url in found.items())


def _list_decisions(store: Store, note: TaskNote, rule: str, after: int, most: int) -> DocumentList:
    """List stored decisions; one about a page stands for all links of the page."""
    budget = TimeBudget()
    found: list[CountedDocument] = []
    while True:
        decisions, oldest = store.task_decisions(note.number, rule, after, _DECISIONS_AT_ONCE)
        for number, one in decisions:
            found.append(CountedDocument("", one.page, one.when_s, 0, one.detail))
            if len(found) == most:
                return _name_decided(store, found, number if number > 1 else 0)
        if not oldest or budget.is_spent:
            return _name_decided(store, found, oldest)
        after = oldest


def _name_decided(store: Store, found: list[CountedDocument], following: int) -> DocumentList:
    remark = "a decision about a page stands for all of its links"
    return DocumentList(add_urls(store, found), following, remark)
