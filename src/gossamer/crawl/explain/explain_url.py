"""Explain every decision about one URL: found where, scheduled or not and by which rule, visited when, kept or not.

Most links are refused by rules that depend only on the task and the link. These decisions are not stored: the same rules
are asked again here. Decisions that cannot be derived are stored: own filters, traps, hosts that were given up.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.config import TaskSpec, from_json
from gossamer.crawl.control.page_depths import PageDepths
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.control.submitted_pages import list_untaken
from gossamer.crawl.explain.explain_manners import explain_manners
from gossamer.crawl.explain.explain_priority import explain_priority
from gossamer.crawl.explain.typed_schemes import find_typed_rules
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.rule_names import FORGOTTEN, LANGUAGE, REQUISITE
from gossamer.crawl.seen_keys import KNOWN_URL, task_mark
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.errors import GossamerError
from gossamer.fetch.user_agent_header import format_user_agent
from gossamer.frontier.spider_traps import find_family, find_shape_trap
from gossamer.net import robots
from gossamer.net import url as urls
from gossamer.records import Decision, HostNote, Link, LinkType, Page, PageLink, Request, Visit
from gossamer.store.batch import Store, TaskNote
from gossamer.store.reading_attempts import count_kills
from gossamer.store.tombstones import DROPPED, Tombstone, find_tombstone

MOST_LINKS_READ = 200
LINKS_SHOWN = 20
_MOST_PLACES = 10_000
_FEW_KEYS = 8

Verdict = Literal[
    "fetched", "not modified", "cache hit", "redirected", "refused", "failed",
    "not kept", "waiting", "given up", "not followed", "not found", "under way", "robots",
]  # fmt: skip


class FoundOn(msgspec.Struct, frozen=True):
    """A link that leads to the URL."""

    url: str
    type: LinkType
    text: str
    nofollow: bool
    depth: int | None
    """The depth of the URL by this link, if it can be derived."""


class Waiting(msgspec.Struct, frozen=True):
    """The state of a waiting request."""

    priority: float
    place: int
    """Its place among the requests of its task at its host, from 1; 0 if more than ten thousand go before it."""
    tries_so_far: int
    host_ready_s: float
    """The host is not asked before this time."""
    parts: dict[str, float] = {}
    """The terms of the priority, for orders that weigh links."""
    manners: list[str] = []
    """What holds back the requests of the task now: quiet hours, bandwidth, the number of connections."""


class InTask(msgspec.Struct, frozen=True):
    """What one task decided about the URL, and why."""

    task: str
    number: int
    state: str
    reason: str
    verdict: Verdict
    rule: str = ""
    """The rule or cause of the decision."""
    detail: str = ""
    start_page: bool = False
    scheduled: bool = False
    robots_allow: bool | None = None
    """Whether the stored robots.txt of the host allows the URL for the task's agent; None if there is none."""
    tries: int = 0
    waiting: Waiting | None = None
    visits: list[Visit] = []
    decisions: list[Decision] = []
    found_on: list[FoundOn] = []
    """The first links to the URL on pages that the task has read; at most 20."""
    found_links: int = 0
    """How many such links there are among those that were read."""
    more_links: bool = False
    """Whether there may be more: links to the URL that were not read."""
    requisite_of: str = ""
    """The first page that needs the URL to be shown, if the task fetches requisites."""


class Explanation(msgspec.Struct, frozen=True):
    """Everything that the web knows about one URL."""

    url: str
    """In canonical form."""
    asked: str
    known: bool
    links: int
    """How many links lead to it, in all."""
    page: Page | None
    same_as: str
    """The first page with the same bytes, if that is another one."""
    redirected_from: list[str]
    host: HostNote | None
    tasks: list[InTask]
    reader_kills: int = 0
    """How often reading the page has killed the program."""
    forgotten: Tombstone | None = None
    """When it was forgotten, if it was."""
    dropped: Tombstone | None = None
    """When it was dropped to save room, if it was, and why it was chosen."""


def explain(store: Store, asked: str, folder: Path | None = None) -> Explanation:
    """Explain a URL; raise BadUrl if no page can have it. `folder` is the web's directory, with its models."""
    return _UrlInquiry(store, asked, folder).explain()


class _UrlInquiry:
    """One URL and what the store has of it."""

    def __init__(self, store: Store, asked: str, folder: Path | None) -> None:
        self._store = store
        self._folder = folder
        self._asked = asked
        self._url = urls.canonical(asked, rules=find_typed_rules(store, asked))
        self._id = urls.page_id(self._url)
        self._host_name = host_of(self._url)
        self._host = store.host(self._host_name)
        self._page = store.page(self._id)
        self._links = store.links_to(self._id, MOST_LINKS_READ)
        self._links_in_all = len(self._links)
        if self._links_in_all >= MOST_LINKS_READ:
            self._links_in_all = store.count_links_to(self._id)
        self._readers = {
            link.source: {visit.task for visit in store.visits(link.source)} for link in self._links
        }
        """The tasks that have read each page that links to it."""
        self._names = store.urls(link.source for link in self._links)
        self._visits = store.visits(self._id)
        self._forgotten = find_tombstone(store, self._url)
        self._decisions = store.decisions(self._id)
        self._submitted_to = (
            {task for task, page in list_untaken(self._store, folder) if page == self._url}
            if folder
            else set()
        )

    def explain(self) -> Explanation:
        digest = self._page.digest if self._page else ""
        same = self._store.pages_by_digest([digest]).get(digest) if digest else None
        notes = self._store.tasks()
        scheduled, known = self._find_scheduling_tasks(notes)
        return Explanation(
            self._url,
            self._asked,
            known or self._page is not None,
            self._links_in_all,
            self._page,
            same.url if same and same.id != self._id else "",
            [self._names.get(link.source, "") for link in self._links if link.type == "redirect"],
            msgspec.structs.replace(self._host, robots=None) if self._host else None,
            [self._explain_task(note, note.number in scheduled) for note in notes],
            count_kills(self._folder)[self._id] if self._folder else 0,
            self._forgotten,
            find_tombstone(self._store, self._url, DROPPED),
        )

    # One task

    def _explain_task(self, note: TaskNote, scheduled: bool) -> InTask:
        spec = from_json(note.spec)
        seeds = _read_seeds(spec)
        visits = [visit for visit in self._visits if visit.task == note.number]
        tries = [visit for visit in visits if visit.result != "robots"]
        decisions = [one for one in self._decisions if one.task == note.number]
        request = self._store.request(self._id, note.number, self._host_name)
        found = self._select_links(note.number)
        depths = PageDepths(self._store, note.number, seeds)
        if request is not None:
            verdict, rule, detail = _explain_waiting(note, request)
        elif tries:
            verdict, rule, detail = self._explain_visit(spec, tries[-1], decisions)
        elif scheduled:
            verdict, rule, detail = self._explain_unvisited(note.number)
        elif note.number in self._submitted_to:
            verdict, rule, detail = "waiting", "", "it was submitted, and no crawl has taken it up yet"
        elif visits:
            verdict, rule, detail = "robots", "", "asked for as its host's robots.txt, and not as a page"
        else:
            verdict, rule, detail = self._explain_refusal(note.number, spec, depths, found, decisions)
        return InTask(
            note.name,
            note.number,
            note.state,
            note.reason,
            verdict,
            rule,
            detail,
            self._url in seeds,
            scheduled,
            self._check_robots(spec),
            len(tries),
            self._describe_waiting(spec, request) if request else None,
            visits,
            decisions,
            [self._describe_link(link, depths) for link in found[:LINKS_SHOWN]],
            len(found),
            self._links_in_all > len(self._links),
            next((one.detail for one in decisions if one.rule == REQUISITE), ""),
        )

    def _explain_visit(
        self, spec: TaskSpec, last: Visit, decisions: list[Decision]
    ) -> tuple[Verdict, str, str]:
        foreign = [one for one in decisions if one.rule == LANGUAGE]
        if last.result == "fetched" and foreign:
            wanted = ", ".join(spec.filters.language) or "all languages by now"
            return "not kept", LANGUAGE, f"the task keeps {wanted}: {foreign[-1].detail}"
        kinds = () if any(one.rule == REQUISITE for one in decisions) else spec.filters.kinds
        if last.result == "fetched" and kinds and (self._page is None or self._page.kind not in kinds):
            return "not kept", "kinds", f"the task keeps only {', '.join(spec.filters.kinds)}"
        return last.result, last.cause, last.detail

    def _explain_unvisited(self, task: int) -> tuple[Verdict, str, str]:
        """Explain a URL that was scheduled, does not wait and was never visited: its host was given up, or it is under way."""
        if self._forgotten is not None:
            return "given up", FORGOTTEN, ""
        for decision in self._find_host_decisions(task):
            return "given up", decision.rule, decision.detail
        return "under way", "", "taken, and not written yet"

    def _explain_refusal(
        self,
        task: int,
        spec: TaskSpec,
        depths: PageDepths,
        found: list[PageLink],
        decisions: list[Decision],
    ) -> tuple[Verdict, str, str]:
        if self._forgotten is not None:
            return "not followed", FORGOTTEN, ""
        rules = ScopeRules(spec, _read_seeds(spec))
        if not found and not decisions:
            against = rules.decide(Link(self._url), self._host_name, 0)
            would = (
                "its rules would follow it" if against == FOLLOW else f"its rules would refuse it: {against}"
            )
            met = "the task found no link to it" if spec.keeping.links else "the task keeps no links"
            return "not found", against, f"{met}; {would}"
        if decisions:
            return "not followed", decisions[-1].rule, decisions[-1].detail
        refused = [
            (
                rules.decide(self._rebuild_link(link), self._host_name, depths.find_target_depth(link) or 0),
                link,
            )
            for link in found
        ]
        open_links = [link for rule, link in refused if rule == FOLLOW]
        if not open_links:
            rule, link = refused[0]
            return (
                "not followed",
                rule,
                _describe_rule(rule, spec, self._url, self._host_name, depths.find_target_depth(link)),
            )
        return self._explain_learnt_refusal(task, spec, open_links)

    def _explain_learnt_refusal(
        self, task: int, spec: TaskSpec, links: list[PageLink]
    ) -> tuple[Verdict, str, str]:
        """Explain a refusal that the rules do not: by a trap, its host, or the pages that link to it."""
        if spec.filters.traps:
            if trap := find_shape_trap(self._url):
                return "not followed", "trap", f"{trap.reason}: {trap.pattern}"
            for decision in self._store.decisions(urls.page_id(find_family(self._url))):
                if decision.rule == "trap":
                    return "not followed", "trap", decision.detail
        for decision in self._find_host_decisions(task):
            return "not followed", decision.rule, decision.detail
        for link in links:
            for decision in self._store.decisions(link.source):
                if decision.task == task:
                    return (
                        "not followed",
                        decision.rule,
                        f"{self._names.get(link.source, '')}: {decision.detail}",
                    )
        if any(one.task == task for one in self._store.widenings()):
            return "under way", "", "the rules have been changed since it was found: it will be judged again"
        return "under way", "", "found, and not written yet"

    # What the store knows

    def _find_scheduling_tasks(self, notes: Iterable[TaskNote]) -> tuple[set[int], bool]:
        """Return the tasks that ever scheduled the URL, and whether it is known.

        Cost: a walk over all keys, 10 to 20 ms a million. The list of known URLs would have to be sorted first, which takes a
        second a million.
        """
        marks = {int(np.int64(self._id) ^ task_mark(note.number)): note.number for note in notes}
        wanted = [*marks, self._id ^ KNOWN_URL]
        found: set[int] = set()
        for _, packed in self._store.seen_keys():
            keys = np.frombuffer(packed, np.int64)
            found.update(_find_among(keys, wanted))
        return {marks[key] for key in found if key in marks}, self._id in found

    def _select_links(self, task: int) -> list[PageLink]:
        """Return the links of pages that the task itself has read."""
        return [link for link in self._links if task in self._readers[link.source]]

    def _find_host_decisions(self, task: int) -> list[Decision]:
        found = self._store.decisions(urls.page_id(self._host_name))
        return [decision for decision in found if decision.task == task]

    def _check_robots(self, spec: TaskSpec) -> bool | None:
        if self._host is None or self._host.robots is None or not self._url.startswith(("http", "ftp:")):
            return None  # schemes of plug-ins know no robots.txt
        return robots.parse(self._host.robots).allows(self._url, format_user_agent(spec.politeness))

    def _describe_waiting(self, spec: TaskSpec, request: Request) -> Waiting:
        before = self._store.requests(request.host, request.task, _MOST_PLACES)
        place = next((at for at, one in enumerate(before, 1) if one.number == request.number), 0)
        ready_s = self._host.ready_s if self._host else 0.0
        linking = [link.source for link in self._links]
        parts = explain_priority(self._store, self._folder, spec, request, linking) if self._folder else {}
        manners = explain_manners(spec, request.host, self._folder)
        return Waiting(request.priority, place, request.attempt, ready_s, parts, manners)

    def _describe_link(self, link: PageLink, depths: PageDepths) -> FoundOn:
        name = self._names.get(link.source, "")
        return FoundOn(name, link.type, link.text, link.nofollow, depths.find_target_depth(link))

    def _rebuild_link(self, link: PageLink) -> Link:
        return Link(self._url, link.type, link.text, "nofollow" if link.nofollow else "")


def _find_among(keys: NDArray[np.int64], wanted: list[int]) -> list[int]:
    """Return the keys that are wanted."""
    if len(wanted) <= _FEW_KEYS:  # half the time of np.isin, which pays for many
        return [key for key in wanted if (keys == key).any()]
    found: list[int] = keys[np.isin(keys, np.array(wanted, np.int64))].tolist()
    return found


def _describe_rule(rule: str, spec: TaskSpec, url: str, host: str, depth: int | None) -> str:
    """Return the option of the task that a rule depends on."""
    where = host if rule.endswith("_hosts") else url
    match rule:
        case "scope":
            return f"the scope is {spec.scope}"
        case "depth":
            return f"depth {depth}; the limit is {spec.limits.depth}"
        case "exclude" | "exclude_hosts":
            patterns = getattr(spec.filters, rule)
            return next((pattern for pattern in patterns if re.search(pattern, where)), "")
        case "include" | "include_hosts":
            return " or ".join(getattr(spec.filters, rule))
    return ""


def _explain_waiting(note: TaskNote, request: Request) -> tuple[Verdict, str, str]:
    detail = f"the task is {note.state}: {note.reason}" if note.state != "running" else ""
    return "waiting", "retry" if request.attempt else "", detail


def _read_seeds(spec: TaskSpec) -> list[str]:
    """Return the start pages, as far as their files can still be read."""
    try:
        return list_start_pages(spec)
    except GossamerError:
        return [url for url in spec.seeds if "://" in url]
