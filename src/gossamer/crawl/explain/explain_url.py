"""Every decision about one URL: found where, scheduled or not and by which rule, visited when, kept or not.

Most links are refused by rules that depend on nothing but the task and the link: nobody keeps that, the same rules are
asked once more here. What they cannot know was kept by the crawl: own filters, traps, hosts that were given up.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from gossamer.config import TaskSpec, from_json
from gossamer.crawl.control.page_depths import PageDepths
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.explain.explain_priority import priority_parts
from gossamer.crawl.rule_names import LANGUAGE
from gossamer.crawl.seen_keys import agent_line, host_of, task_mark
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.errors import GossamerError
from gossamer.frontier.spider_traps import find_family, find_shape_trap
from gossamer.net import robots
from gossamer.net import url as urls
from gossamer.records import Decision, HostNote, Link, LinkType, Page, PageLink, Request, Visit
from gossamer.store.batch import Store, TaskNote

LINKS_LOOKED_AT = 200
LINKS_SHOWN = 20
_PLACES_LOOKED_AT = 10_000

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
    """Which depth the URL has by this link, if that is known."""


class Waiting(msgspec.Struct, frozen=True):
    """How a request waits."""

    priority: float
    place: int
    """Among the requests of its task at its host, from 1; 0 if more than ten thousand go before it."""
    tries_so_far: int
    host_ready_s: float
    """Not to be asked before this time."""
    parts: dict[str, float] = {}
    """What the priority is made of, where links are weighed."""


class InTask(msgspec.Struct, frozen=True):
    """What became of the URL in one task, and why."""

    task: str
    number: int
    state: str
    reason: str
    verdict: Verdict
    rule: str = ""
    """The rule or the cause that decided."""
    detail: str = ""
    start_page: bool = False
    scheduled: bool = False
    robots_allow: bool | None = None
    """Whether the robots.txt that the web has of the host lets the task's agent in; None if it has none."""
    tries: int = 0
    waiting: Waiting | None = None
    visits: list[Visit] = []
    decisions: list[Decision] = []
    found_on: list[FoundOn] = []


class Explanation(msgspec.Struct, frozen=True):
    """Everything that the web knows about one URL."""

    url: str
    """In canonical form."""
    asked: str
    known: bool
    links: int
    """How many links lead to it, as far as they were looked at."""
    page: Page | None
    same_as: str
    """The first page with the same bytes, if that is another one."""
    redirected_from: list[str]
    host: HostNote | None
    tasks: list[InTask]


def explain(store: Store, asked: str, folder: Path | None = None) -> Explanation:
    """Tell all about a URL; raises BadUrl if no page can have it. `folder` is that of the web, where its models are."""
    return _Inquiry(store, asked, folder).explanation()


class _Inquiry:
    """One URL and what the store has of it."""

    def __init__(self, store: Store, asked: str, folder: Path | None) -> None:
        self._store = store
        self._folder = folder
        self._asked = asked
        self._url = urls.canonical(asked)
        self._id = urls.page_id(self._url)
        self._host_name = host_of(self._url)
        self._host = store.host(self._host_name)
        self._page = store.page(self._id)
        self._links = store.links_to(self._id, LINKS_LOOKED_AT)
        self._readers = {
            link.source: {visit.task for visit in store.visits(link.source)} for link in self._links
        }
        """Which tasks have read the pages that it was found on."""
        self._names = store.urls(link.source for link in self._links)
        self._visits = store.visits(self._id)
        self._decisions = store.decisions(self._id)

    def explanation(self) -> Explanation:
        digest = self._page.digest if self._page else ""
        same = self._store.pages_by_digest([digest]).get(digest) if digest else None
        notes = self._store.tasks()
        scheduled = self._scheduled(notes)
        return Explanation(
            self._url,
            self._asked,
            self._store.url(self._id) is not None,
            len(self._links),
            self._page,
            same.url if same and same.id != self._id else "",
            [self._names.get(link.source, "") for link in self._links if link.type == "redirect"],
            msgspec.structs.replace(self._host, robots=None) if self._host else None,
            [self._in_task(note, note.number in scheduled) for note in notes],
        )

    # One task

    def _in_task(self, note: TaskNote, scheduled: bool) -> InTask:
        spec = from_json(note.spec)
        seeds = _seeds(spec)
        visits = [visit for visit in self._visits if visit.task == note.number]
        tries = [visit for visit in visits if visit.result != "robots"]
        decisions = [one for one in self._decisions if one.task == note.number]
        request = self._store.request(self._id, note.number)
        found = self._found_by(note.number)
        depths = PageDepths(self._store, note.number, seeds)
        if request is not None:
            verdict, rule, detail = _waits(note, request)
        elif tries:
            verdict, rule, detail = self._visited(spec, tries[-1], decisions)
        elif scheduled:
            verdict, rule, detail = self._given_up(note.number)
        elif visits:
            verdict, rule, detail = "robots", "", "asked for as its host's robots.txt, and not as a page"
        else:
            verdict, rule, detail = self._not_followed(note.number, spec, depths, found, decisions)
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
            self._robots_allow(spec),
            len(tries),
            self._waiting(spec, request) if request else None,
            visits,
            decisions,
            [self._shown(link, depths) for link in found[:LINKS_SHOWN]],
        )

    def _visited(self, spec: TaskSpec, last: Visit, decisions: list[Decision]) -> tuple[Verdict, str, str]:
        foreign = [one for one in decisions if one.rule == LANGUAGE]
        if last.result == "fetched" and foreign:
            wanted = ", ".join(spec.filters.language) or "all languages by now"
            return "not kept", LANGUAGE, f"the task keeps {wanted}: {foreign[-1].detail}"
        kinds = spec.filters.kinds
        if last.result == "fetched" and kinds and (self._page is None or self._page.kind not in kinds):
            return "not kept", "kinds", f"the task keeps only {', '.join(spec.filters.kinds)}"
        return last.result, last.cause, last.detail

    def _given_up(self, task: int) -> tuple[Verdict, str, str]:
        """It was scheduled, does not wait and was never visited: its host was given up, or it is under way."""
        for decision in self._about_host(task):
            return "given up", decision.rule, decision.detail
        return "under way", "", "taken, and not yet written down"

    def _not_followed(
        self,
        task: int,
        spec: TaskSpec,
        depths: PageDepths,
        found: list[PageLink],
        decisions: list[Decision],
    ) -> tuple[Verdict, str, str]:
        rules = ScopeRules(spec, _seeds(spec))
        if not found and not decisions:
            against = rules.decide(Link(self._url), self._host_name, 0)
            would = (
                "its rules would follow it" if against == FOLLOW else f"its rules are against it: {against}"
            )
            met = "the task met no link to it" if spec.keeping.links else "the task keeps no links"
            return "not found", against, f"{met}; {would}"
        if decisions:
            return "not followed", decisions[-1].rule, decisions[-1].detail
        refused = [
            (rules.decide(self._link(link), self._host_name, depths.find_target_depth(link) or 0), link)
            for link in found
        ]
        open_links = [link for rule, link in refused if rule == FOLLOW]
        if not open_links:
            rule, link = refused[0]
            return (
                "not followed",
                rule,
                _said_by(rule, spec, self._url, self._host_name, depths.find_target_depth(link)),
            )
        return self._against_all(task, spec, open_links)

    def _against_all(self, task: int, spec: TaskSpec, links: list[PageLink]) -> tuple[Verdict, str, str]:
        """The rules would follow it: then its family, its host or the pages that it was found on are the reason."""
        if spec.filters.traps:
            if trap := find_shape_trap(self._url):
                return "not followed", "trap", f"{trap.reason}: {trap.pattern}"
            for decision in self._store.decisions(urls.page_id(find_family(self._url))):
                if decision.rule == "trap":
                    return "not followed", "trap", decision.detail
        for decision in self._about_host(task):
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
        return "under way", "", "found, and not yet written down"

    # What is asked on the way

    def _scheduled(self, notes: Iterable[TaskNote]) -> set[int]:
        """Find the tasks for which the URL was ever scheduled. Cost: a walk over all keys, 20 ms a million."""
        marks = {int(np.int64(self._id) ^ task_mark(note.number)): note.number for note in notes}
        wanted = np.array(list(marks), np.int64)
        found: set[int] = set()
        for _, packed in self._store.seen_keys():
            keys = np.frombuffer(packed, np.int64)
            found.update(marks[key] for key in keys[np.isin(keys, wanted)].tolist())
        return found

    def _found_by(self, task: int) -> list[PageLink]:
        """Keep the links of pages that the task itself has read."""
        return [link for link in self._links if task in self._readers[link.source]]

    def _about_host(self, task: int) -> list[Decision]:
        found = self._store.decisions(urls.page_id(self._host_name))
        return [decision for decision in found if decision.task == task]

    def _robots_allow(self, spec: TaskSpec) -> bool | None:
        if self._host is None or self._host.robots is None:
            return None
        return robots.parse(self._host.robots).allows(self._url, agent_line(spec))

    def _waiting(self, spec: TaskSpec, request: Request) -> Waiting:
        before = self._store.requests(request.host, request.task, _PLACES_LOOKED_AT)
        place = next((at for at, one in enumerate(before, 1) if one.number == request.number), 0)
        ready_s = self._host.ready_s if self._host else 0.0
        linking = [link.source for link in self._links]
        parts = priority_parts(self._store, self._folder, spec, request, linking) if self._folder else {}
        return Waiting(request.priority, place, request.attempt, ready_s, parts)

    def _shown(self, link: PageLink, depths: PageDepths) -> FoundOn:
        name = self._names.get(link.source, "")
        return FoundOn(name, link.type, link.text, link.nofollow, depths.find_target_depth(link))

    def _link(self, link: PageLink) -> Link:
        return Link(self._url, link.type, link.text, "nofollow" if link.nofollow else "")


def _said_by(rule: str, spec: TaskSpec, url: str, host: str, depth: int | None) -> str:
    """Say what it is in the task that a rule goes by."""
    where = host if rule.endswith("_hosts") else url
    match rule:
        case "scope":
            return f"the scope is {spec.scope}"
        case "depth":
            return f"depth {depth}, and {spec.limits.depth} is allowed"
        case "exclude" | "exclude_hosts":
            patterns = getattr(spec.filters, rule)
            return next((pattern for pattern in patterns if re.search(pattern, where)), "")
        case "include" | "include_hosts":
            return " or ".join(getattr(spec.filters, rule))
    return ""


def _waits(note: TaskNote, request: Request) -> tuple[Verdict, str, str]:
    detail = f"the task is {note.state}: {note.reason}" if note.state != "running" else ""
    return "waiting", "retry" if request.attempt else "", detail


def _seeds(spec: TaskSpec) -> list[str]:
    """Return the start pages, as far as they can still be read."""
    try:
        return list_start_pages(spec)
    except GossamerError:
        return [url for url in spec.seeds if "://" in url]
