"""A task that a shard runs: its rules, counts, limits, and how its pages are requested."""

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.host_shards import WHOLE, Territory
from gossamer.crawl.render.render_choice import RenderChoice
from gossamer.crawl.rule_names import FOCUS
from gossamer.crawl.task.any_language import AnyLanguage
from gossamer.crawl.task.load_topics import load_topics
from gossamer.crawl.task.make_guide import ORDER_ROOM, guide_options, load_guide, notes_prefix
from gossamer.crawl.task.schedule_links import LinkScheduler
from gossamer.crawl.task.schedule_requisites import RequisiteScheduler
from gossamer.crawl.task.scope_rules import ScopeRules
from gossamer.crawl.task.sitemap_budget import SitemapBudget
from gossamer.crawl.task.task import Task
from gossamer.crawl.task.task_functions import PluginFailures, TaskFunctions, guard_order
from gossamer.crawl.task_counts import (
    NOTHING_LEFT,
    REQUISITES_FINISHED,
    REQUISITES_QUEUED,
    Tally,
    format_count,
)
from gossamer.documents.plugin_readers import load_readers
from gossamer.fetch import credential_file
from gossamer.fetch.bandwidth.reception_limits import ReceptionLimits, has_limits
from gossamer.fetch.bandwidth.token_bucket import Cell
from gossamer.fetch.credentials import load_access
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.user_agent_header import find_sender, format_user_agent
from gossamer.frontier.quiet_hours import QuietHours
from gossamer.frontier.seen_set import SeenSet
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.logs.hide_secrets import add_secrets
from gossamer.net import url as urls
from gossamer.order import find_order
from gossamer.records import Request
from gossamer.store.batch import TaskNote, TaskState
from gossamer.store.tombstones import NONE, Tombstones

if TYPE_CHECKING:  # loaded by tasks that have a guide, or that read texts, and by no others
    from gossamer.crawl.task.task_languages import Languages
    from gossamer.order.link_guide import Guide


class RunningTask:
    """One task of a shard. Its `spec` can change while it runs."""

    def __init__(
        self,
        note: TaskNote,
        task: Task,
        seeds: tuple[str, ...],
        seen: SeenSet,
        traps: TrapDetector,
        now_s: float,
        territory: Territory = WHOLE,
        folder: Path | None = None,
        forgotten: Tombstones = NONE,
    ) -> None:
        self.forgotten = forgotten
        """Pages that the web has forgotten: they are not requested."""
        self.number = note.number
        self.name = note.name
        self.task = task
        self.seeds = seeds
        self.withdrawn: set[str] = set()
        """Start pages that were submitted and withdrawn again: they are not requested."""
        self.passed_over: dict[int, bool] = {}
        """By page id: whether its request ended since it was withdrawn, and was not accepted again; only of this run."""
        self.state: TaskState = note.state
        self.reason = note.reason
        self.stopped_s = math.inf
        """When an order stopped or paused it; visits that take longer than a moment after that are cancelled."""
        self.created_s = note.created_s
        self.began_s = now_s
        """When this run of the task began."""
        self._elapsed_s = note.counts.get("elapsed_ms", 0) / 1000
        self._looked_s = now_s
        self.tally = Tally(note.counts)
        self.plugin_failures = PluginFailures(self.tally)
        self.under_way = 0
        self.requisites_under_way = 0
        """How many of the requests under way are for requisites."""
        self.elsewhere: Counter[str] = Counter()
        """What other shards have counted for the task since this run began, as far as it is known."""
        self.claimed = 0
        """Pages that other shards have under way or unwritten; known only for tasks with a page limit."""
        self.host_pages: Counter[str] = Counter()
        """Pages fetched from each host; counted only with a page budget for each host."""
        self.full_hosts: set[str] = set()
        """Hosts whose page budget is spent, or that are dead."""
        self.sitemaps = SitemapBudget(note.number)
        self.end_reported = False
        """Whether its end was reported."""
        self._seen = seen
        self._traps = traps
        self._territory = territory
        self._folder = folder
        self._cell: Cell | None = None
        self._bandwidth_share = 1.0
        self.render_choice = RenderChoice()
        """What it has learnt about pages that need a browser."""
        self.guide: Guide | None = None
        """Weighs its links, if its order looks at more than their depth."""
        self._guide_options: tuple[object, ...] = ()
        self.apply_spec(task.spec)

    def apply_spec(self, spec: TaskSpec) -> None:
        """Apply new options: limits, filters and politeness hold from now on."""
        self.spec = spec
        self.rules = ScopeRules(spec, self.seeds)
        traps = self._traps if spec.filters.traps else None
        self.functions = TaskFunctions(self.task, spec.plugins)
        self.readers = load_readers(spec.plugins.readers)
        """Plug-ins that read documents, by media type."""
        order = guard_order(find_order(spec.order), self.plugin_failures)
        if (options := guide_options(spec)) != self._guide_options:
            before, self._guide_options = self.guide, options
            self.guide = self.task.guide or load_guide(spec, self._folder)
            if before is not None and self.guide is not None:
                self.guide.request_full_note()  # what was learnt for another topic says little about this one
        self.scheduler = LinkScheduler(
            self.number,
            self.rules,
            order,
            self._seen,
            traps,
            self.tally,
            spec.site_rule,
            self.full_hosts,
            self._territory,
            self.guide,
            self.forgotten,
        )
        self.requisites = (
            RequisiteScheduler(self.number, self._seen, self.tally, self._territory, self.forgotten)
            if spec.keeping.requisites
            else None
        )
        """Schedules what its pages need to be shown, if it wants that."""
        self.topics = load_topics(spec.notice, self._folder)
        """The topics that it looks out for, by name."""
        self._reads_texts = spec.keeping.texts or self._needs_texts()
        self.languages = self._make_languages()
        """Recognises the languages of its pages, and knows which are wanted."""
        self.agent = format_user_agent(spec.politeness)
        self.quiet_hours = QuietHours(spec.politeness.quiet_hours)
        self._limit_reception()
        self._load_access()

    def share_bandwidth(self, cell: "Cell | None", share: float) -> None:
        """Share the bandwidth of the task with other shards: by a number that all see, or by a fixed share."""
        self._cell, self._bandwidth_share = cell, share
        if self.reception is not None:
            self._limit_reception()
            self._load_access()

    def _limit_reception(self) -> None:
        self.reception: ReceptionLimits | None = None
        """How fast its bytes may arrive; None if there is no limit."""
        if has_limits(self.spec.politeness):
            share = self._bandwidth_share
            self.reception = ReceptionLimits(self.spec.politeness, self._cell, lambda: share)

    def is_quiet(self, now_s: float) -> bool:
        """Say whether its quiet hours hold for all hosts."""
        return bool(self.quiet_hours) and self.quiet_hours.find_end(now_s) > 0.0

    def _make_languages(self) -> "Languages | AnyLanguage":
        if not self._reads_texts:
            return AnyLanguage()
        from gossamer.crawl.task.task_languages import Languages
        from gossamer.store.model_folder import language_model

        return Languages(self.spec.filters.language, language_model(self._folder) if self._folder else None)

    def _needs_texts(self) -> bool:
        """Say whether an option or a function of the task looks at the texts of pages or links."""
        filters, functions = self.spec.filters, self.functions
        return bool(
            self.guide is not None
            or self.spec.notice
            or filters.language
            or filters.content_seen
            or functions.page_classifiers
            or functions.page_filters
            or functions.link_classifiers
            or functions.link_filters
        )

    def reads_text(self, request: Request) -> bool:
        """Say whether a page is read with its text: for the task, or to find near copies that mark a trap."""
        return self._reads_texts or (self.spec.filters.traps and self._traps.needs_text(request.url))

    def reload_access(self) -> None:
        """Read the passwords again if the credentials file has changed."""
        if self._access_stamp is not None and self._access_stamp != credential_file.get_stamp():
            self._load_access()

    def _load_access(self) -> None:
        """Prepare how pages are fetched, with a password at those origins that it was given for."""
        fetching, folder = self.spec.fetching, self._folder
        self._access_stamp: credential_file.Stamp | None = None
        passwords: dict[str, str] = {}
        if folder is not None and (fetching.auth or "@" in fetching.proxy):
            self._access_stamp = credential_file.get_stamp()
            access = load_access(folder, fetching)
            fetching, passwords = msgspec.structs.replace(fetching, proxy=access.proxy), access.pages
            add_secrets(
                secret for pair in passwords.values() for secret in (pair, pair.partition(":")[2]) if secret
            )
        self._plain_options = FetchOptions(
            fetching,
            self.agent,
            "HEAD" if fetching.head_only else "GET",
            sender=find_sender(self.spec.politeness),
            reception=self.reception,
        )
        self._login_options = {
            origin: msgspec.structs.replace(self._plain_options, auth=pair)
            for origin, pair in passwords.items()
        }

    def take_notes(self) -> dict[tuple[str, str], bytes | None]:
        """Return the notes of what it has learnt and read since the last call, for the store."""
        read = self.sitemaps.take_notes()
        if self.guide is None:
            return read
        notes = self.guide.take_notes(notes_prefix(self.number, self._territory))
        return read | {(ORDER_ROOM, name): note for name, note in notes.items()}

    @property
    def nothing_left(self) -> str:
        """Why a task without requests ends, and which option would let it continue."""
        missed = self.count_of(f"filtered:{FOCUS}")
        if self.guide is None or not missed:
            return NOTHING_LEFT
        wider = (
            "--focus soft"
            if self.spec.focus == "seed"
            else f"--tunnel {self.spec.tunnel + 2} or --focus soft"
        )
        return (
            f"nothing promising is left: {format_count(missed, 'link')} of pages that are not about the topic "
            f"were not followed; {wider} would follow them"
        )

    def load_budgets(self, spent: dict[str, int]) -> None:
        """Load how much of each host's page budget earlier runs have spent."""
        per_host = self.spec.limits.per_host
        if per_host:
            self.host_pages.update(spent)
            self.full_hosts.update(host for host, pages in spent.items() if pages >= per_host)

    def reopen_hosts(self) -> None:
        """Ask hosts again whose page budget was spent and has been raised since."""
        per_host = self.spec.limits.per_host
        left = {host for host, pages in self.host_pages.items() if not per_host or pages < per_host}
        self.full_hosts -= left

    def elapsed_s(self, now_s: float) -> float:
        """Return how long the task has been running, earlier runs included; call it now and then while it runs."""
        if self.state == "running" and not self.is_quiet(now_s):
            self._elapsed_s += max(0.0, now_s - self._looked_s)
        self._looked_s = now_s
        return self._elapsed_s

    def fetch_options(self, request: Request) -> FetchOptions:
        """Return how to fetch the page of this request."""
        if self._login_options:
            return self._login_options.get(urls.origin(request.url), self._plain_options)
        return self._plain_options

    @property
    def judges_links(self) -> bool:
        """Whether links that the rules follow go through the task's own filters or a language check."""
        return bool(self.functions.link_filters or self.spec.filters.language)

    @property
    def full(self) -> bool:
        """Whether the visits under way may already reach the page limit."""
        pages = self.spec.limits.pages
        return bool(pages) and self.count_of("downloaded") + self.claimed + self.pages_under_way >= pages

    @property
    def pages_under_way(self) -> int:
        """How many of the requests under way are for pages."""
        return self.under_way - self.requisites_under_way

    @property
    def requisites_left(self) -> int:
        """How many requisites of the whole task are waiting or under way, as far as this shard knows."""
        return self.count_of(REQUISITES_QUEUED) - self.count_of(REQUISITES_FINISHED)

    def count_of(self, name: str) -> int:
        """Return a count of the whole task, as far as this shard knows it."""
        return self.tally[name] + self.elsewhere[name]

    @property
    def outstanding(self) -> int:
        """How many requests of the whole task are waiting or under way, as far as this shard knows."""
        return self.count_of("queued") - self.count_of("finished")

    def record_other_shards(self, counts: dict[str, int]) -> None:
        """Take the store's counts of the task: what this shard did not write, the others did."""
        own = self.tally.written
        self.elsewhere = Counter({name: times - own[name] for name, times in counts.items()})

    def counts(self, now_s: float) -> dict[str, int]:
        """Return the counts, with the time that the task has taken."""
        return self.tally.as_dict() | {"elapsed_ms": round(self.elapsed_s(now_s) * 1000)}

    def take_counts(self, now_s: float) -> dict[str, int]:
        """Return what is to be added to the counts in the store."""
        return self.tally.take_changes() | {"elapsed_ms": round(self.elapsed_s(now_s) * 1000)}

    def find_reached_limit(self, now_s: float) -> str:
        """Name the limit that ends the task, or return ""."""
        limits = self.spec.limits
        if limits.pages and self.count_of("downloaded") >= limits.pages and not self.requisites_left:
            return format_count(limits.pages, "page")
        if limits.body_bytes and self.count_of("bytes") >= limits.body_bytes:
            return format_count(limits.body_bytes, "byte")
        if limits.time_s and self.elapsed_s(now_s) >= limits.time_s:
            return f"{limits.time_s:g} s"
        if limits.expires_s and now_s >= limits.expires_s:
            return "the task has expired"
        return ""

    def time_left_s(self, now_s: float) -> float:
        """Return how long the task may still run."""
        limits = self.spec.limits
        left_s = limits.time_s - self.elapsed_s(now_s) if limits.time_s else math.inf
        return min(left_s, limits.expires_s - now_s if limits.expires_s else math.inf)

    def to_note(self, now_s: float) -> TaskNote:
        """Return the task as it is stored now."""
        return TaskNote(
            self.number,
            self.name,
            msgspec.json.encode(self.spec),
            self.state,
            self.reason,
            self.created_s,
            0.0 if self.state == "running" else now_s,
            self.counts(now_s),
        )
