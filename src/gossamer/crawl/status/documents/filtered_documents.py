"""List the links that a task did not follow, by rule: judged again, since most such decisions are not stored.

Rules about URLs alone judge the known URLs of a web again, if it has one task and no depth limit. Otherwise the links are
needed: those of the task's pages are judged again, newest pages first. What cannot be derived is
stored as a decision: own filters, whole pages, hosts.
"""

from collections.abc import Collection, Iterable
from functools import partial

from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.seen_keys import task_mark
from gossamer.crawl.status.documents.document_list import (
    DocumentList,
    ReadPart,
    TimeBudget,
    add_urls,
    list_in_turn,
)
from gossamer.crawl.status.documents.task_links import SOURCES, SourcePage, TaskLinks, find_keys, list_seeds
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.frontier.spider_traps import Trap, TrapDetector
from gossamer.records import Link, PageLink, VisitResult
from gossamer.store.batch import Store, TaskNote

_URL_RULES = ("scope", "include", "exclude", "include_hosts", "exclude_hosts")
_LINK_RULES = ("depth", "nofollow")
_LEARNT_RULES = ("trap", "per_host")
JUDGED_RULES = (*_URL_RULES, *_LINK_RULES, *_LEARNT_RULES)
"""The rules by which links can be judged again."""
_URLS_AT_FIRST, _URLS_AT_ONCE = 500, 5_000
_DECISIONS_AT_ONCE = 20_000
_KIND = "filtered:"
JUDGED_AGAIN = (
    "judged again by the present rules; a link is counted as often as it was found, and listed once for each piece of the list, "
    "unless another link led to its page"
)


def list_filtered(store: Store, note: TaskNote, rule: str, after: int, most: int) -> DocumentList:
    """Return links that a rule refused, as far as that is stored or can be derived; those of all rules for ""."""
    rules = [rule] if rule else sorted(_name_rules(note))
    parts: list[ReadPart] = []
    if by_links := [one for one in rules if _needs_links(store, note, one)]:
        judge = LinkJudge(store, note, by_links)
        links = TaskLinks(store, note)
        parts += [partial(_walk_pages, links, judge, result) for result in SOURCES]
    if by_url := [one for one in rules if one in (*_URL_RULES, *_LEARNT_RULES) and one not in by_links]:
        parts.append(partial(_walk_known, store, LinkJudge(store, note, by_url)))
    others = [one for one in rules if one not in (*by_links, *by_url)]
    parts += [partial(_list_decisions, store, note, one) for one in others]
    return list_in_turn(parts, after, most)


def _name_rules(note: TaskNote) -> list[str]:
    return [name.partition(":")[2] for name, times in note.counts.items() if times and name.startswith(_KIND)]


def _needs_links(store: Store, note: TaskNote, rule: str) -> bool:
    """Say whether the links are needed to say what a rule refused: the URLs alone do not tell."""
    if rule in _LINK_RULES:
        return True
    return rule in _URL_RULES and (len(store.tasks()) > 1 or read_spec(note).limits.depth >= 0)


class LinkJudge:
    """The rules of a task, as they are now, asked which of them refuses a link."""

    def __init__(self, store: Store, note: TaskNote, rules: Iterable[str]) -> None:
        spec = read_spec(note)
        self._wanted = frozenset(rules)
        self.task = note.number
        self._store = store
        self._rules = ScopeRules(spec, list_seeds(note))
        self._traps = TrapDetector() if "trap" in self._wanted else None
        if self._traps is not None:
            for decision in store.decisions_by_rule("trap"):
                reason, _, pattern = decision.detail.partition(": ")
                self._traps.restore(Trap(reason, pattern))
        spent = store.pages_by_host(note.number) if "per_host" in self._wanted else {}
        self._full = {host for host, pages in spent.items() if 0 < spec.limits.per_host <= pages}

    def find_rule(self, link: Link, depth: int) -> str:
        """Return the rule that refuses a link, if it is one of those that are asked for; otherwise FOLLOW."""
        host = host_of(link.url)
        found = self._rules.decide(link, host, depth)
        if found == FOLLOW and host in self._full:
            found = "per_host"
        if found == FOLLOW and self._traps is not None and self._traps.judge(link.url):
            found = "trap"
        return found if found in self._wanted else FOLLOW

    def find_scheduled(self, page_ids: Collection[int]) -> set[int]:
        """Return those of these pages that the task has scheduled."""
        if not page_ids:
            return set()
        mark = task_mark(self.task)
        return {key ^ mark for key in find_keys(self._store, [page_id ^ mark for page_id in page_ids])}


def _walk_known(store: Store, judge: LinkJudge, after: int, most: int) -> DocumentList:
    """Judge the known URLs again, in the order in which the store has them."""
    budget = TimeBudget()
    found: list[CountedDocument] = []
    read = max(most, _URLS_AT_FIRST)
    while len(found) < most and not budget.is_spent:
        pages = store.some_known_urls(after, read)
        for place, page_id, url in pages:
            after = place
            if rule := judge.find_rule(Link(url), 0):
                found.append(CountedDocument(url, page_id, 0.0, 0, describe_cause(rule)))
                if len(found) == most:
                    break
        else:
            if len(pages) < read:
                after = 0
                break
        read = min(2 * read, _URLS_AT_ONCE)
    return DocumentList(_drop_scheduled(judge, found), after, JUDGED_AGAIN)


def _walk_pages(
    links: TaskLinks, judge: LinkJudge, result: VisitResult, after: int, most: int
) -> DocumentList:
    """Judge the links of the task's pages again, newest pages first; a URL is listed once on each page of the list."""
    listed: set[int] = set()

    def describe(pages: Iterable[SourcePage]) -> Iterable[CountedDocument]:
        for page, (link, url) in ((one, link) for one in pages for link in one.links):
            if url and link.target not in listed:
                rule = judge.find_rule(rebuild_link(link, url), page.depth + (link.type != "redirect"))
                if rule:
                    listed.add(link.target)
                    detail = f"{describe_cause(rule)}; found on {page.url}"
                    yield CountedDocument(url, link.target, 0.0, 0, detail)

    found = links.list_links(result, describe, after, most)
    return DocumentList(_drop_scheduled(judge, found), found.next_after, JUDGED_AGAIN)


def _drop_scheduled(judge: LinkJudge, found: list[CountedDocument]) -> Iterable[CountedDocument]:
    """Leave out what the task scheduled: by another path, or by other rules."""
    scheduled = judge.find_scheduled({one.page for one in found})
    return (one for one in found if one.page not in scheduled)


def rebuild_link(link: PageLink, url: str) -> Link:
    """Return a link as rules judge it."""
    return Link(url, link.type, link.text, "nofollow" if link.nofollow else "")


def _list_decisions(store: Store, note: TaskNote, rule: str, after: int, most: int) -> DocumentList:
    """List stored decisions; one about a page stands for all links of the page."""
    budget = TimeBudget()
    found: list[CountedDocument] = []
    while True:
        decisions, oldest = store.task_decisions(note.number, rule, after, _DECISIONS_AT_ONCE)
        for number, one in decisions:
            detail = ": ".join(word for word in (describe_cause(rule), one.detail) if word)
            found.append(CountedDocument("", one.page, one.when_s, 0, detail))
            if len(found) == most:
                return _name_decided(store, found, number if number > 1 else 0)
        if not oldest or budget.is_spent:
            return _name_decided(store, found, oldest)
        after = oldest


def _name_decided(store: Store, found: list[CountedDocument], following: int) -> DocumentList:
    remark = "a decision about a page stands for all of its links"
    return DocumentList(add_urls(store, found), following, remark)
