"""Checks a site: crawl it or visit again what may have changed, ask for all other targets, and judge every link."""

import hashlib
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np

from gossamer.config import TaskSpec
from gossamer.crawl.read_page import Reading
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
from gossamer.link_check import judge_pages, site_tasks
from gossamer.link_check.ask_own_hosts import ask_own_hosts
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.facts.page_facts import (
    KIND_NUMBERS,
    PageFacts,
    ReadFacts,
    pack_places,
    read_html_facts,
    unpack_place,
)
from gossamer.link_check.facts.refresh_facts import FactsReader, read_body, refresh_facts
from gossamer.link_check.judge_links import (
    BadLink,
    count_addresses,
    find_orphans,
    judge_links,
    read_table,
    select_links,
)
from gossamer.link_check.last_result import RESULT_NOTE, decode_result
from gossamer.link_check.problem import ERRORS, CheckResult, Problem
from gossamer.link_check.target_outcomes import Outcomes, TargetOutcome
from gossamer.net import url as urls
from gossamer.net.encoding import as_utf8
from gossamer.net.html.references import read_references
from gossamer.records import Link, Page
from gossamer.store.batch import Store, TaskNote
from gossamer.store.opening.open_archive import open_reader

_KEY = "key"
_STYLE_ROUNDS = 3
_MOST_SOURCES = 20
"""So many of the pages with the same broken link are visited again first."""
_REDIRECT_PROBLEMS = ("permanent-redirect", "redirect-chain", "redirect-loop")
_OK = 200
_STYLE_KINDS = [KIND_NUMBERS["stylesheet"], KIND_NUMBERS["css-import"]]
_ANCHOR_KINDS = [KIND_NUMBERS["anchor"], KIND_NUMBERS["area"]]
_PAGE_KINDS = [
    KIND_NUMBERS[name]
    for name in (
        "anchor",
        "area",
        "frame",
        "iframe",
        "form",
        "feed",
        "canonical",
        "alternate",
        "link",
        "refresh",
        "sitemap",
    )
]


class CrawlRunner(Protocol):
    """Runs tasks of a web until they have ended."""

    def __call__(
        self, new: Sequence[Task], again: Sequence[TaskNote], beside: FactsReader | None = None
    ) -> None:
        """Run new tasks, and stored ones again; with `beside`, another process reads the pages meanwhile."""
        ...


class CheckedWeb(msgspec.Struct, frozen=True):
    """The web that a check reads and, unless `run` is None, crawls."""

    store: Store
    folder: Path
    run: CrawlRunner | None = None
    say: Callable[[str], None] = lambda _: None


def check_site(web: CheckedWeb, site: TaskSpec | None, options: CheckOptions, now_s: float) -> CheckResult:
    """Check the links of a site, or of all pages of a web if no site is given."""
    with FactsFile(web.folder) as facts:
        before = decode_result(facts.note(RESULT_NOTE))
        if web.run is not None and site is not None:
            _visit_site(web, web.run, site, options, now_s, before)
        key = _make_key(web.store, site, options)
        if before is not None and facts.note(_KEY) == key:
            return before
        if site is not None:
            _require_answer(web.store, site)
        refresh_facts(web.store, web.folder, facts)
        check = _Check(web, facts, site, options, now_s)
        if web.run is not None:
            check.ask_targets(web.run)
        result = check.judge()
        facts.set_note(RESULT_NOTE, msgspec.msgpack.encode(result))
        facts.set_note(_KEY, _make_key(web.store, site, options))
        return result


def _make_key(store: Store, site: TaskSpec | None, options: CheckOptions) -> bytes:
    """Return what a result depends on: what was visited, and what was asked for."""
    asked = msgspec.msgpack.encode((store.last_visit(), site, msgspec.to_builtins(options)))
    return hashlib.sha256(asked).digest()


def _visit_site(
    web: CheckedWeb,
    run: CrawlRunner,
    site: TaskSpec,
    options: CheckOptions,
    now_s: float,
    before: CheckResult | None,
) -> None:
    """Crawl the site; if it was crawled before, visit only what may have changed and what was in trouble."""
    task = site_tasks.make_site_task(site, options)
    start = [urls.page_id(urls.canonical(url)) for url in site.seeds]
    left = [
        note for note in web.store.tasks() if note.name == task.spec.name and note.state not in ("finished",)
    ]
    if left:
        run([], left, FactsReader(web.folder))
        return
    if before is None or not all(web.store.page(page) is not None for page in start):
        run([task], [], FactsReader(web.folder))
        if others := site_tasks.list_other_sitemaps(web.store, task.spec):
            run([Task(msgspec.structs.replace(task.spec, name="check-sitemaps", sitemaps=tuple(others)))], [])
        return
    wrong = [one for one in before.problems if one.problem in ERRORS]
    samples, repeated = choose_sources(wrong)
    digests = {page.id: page.digest for page in web.store.pages_by_id(samples).values()}
    notes = site_tasks.schedule_changed(web.store, options, now_s, samples)
    rules = ScopeRules(task.spec, task.spec.seeds)
    targets = {one.target for one in wrong if one.problem in ("broken", "unreachable", "redirect-loop")}
    again = [url for url in sorted(targets) if _is_inside(url, rules)]
    new = [site_tasks.make_repeat_task(task.spec, again, options)] if again else []
    if notes or new:
        run(new, notes)
    changed = {page.id for page in web.store.pages_by_id(digests).values() if page.digest != digests[page.id]}
    mended = set().union(*(repeated[sample] for sample in changed & repeated.keys()))
    if mended and (notes := site_tasks.schedule_pages(web.store, mended, now_s)):
        run([], notes)


def choose_sources(problems: Iterable[Problem]) -> tuple[set[int], dict[int, set[int]]]:
    """Choose the pages to visit again because of their broken links; return also, by page, which others it stands for.

    Where a target stands on many pages, a template repeats it: if none of twenty pages has changed, the others have not either.
    """
    by_target: dict[str, dict[int, None]] = {}
    for one in problems:
        by_target.setdefault(one.target, {})[urls.page_id(one.source)] = None
    samples: set[int] = set()
    others: dict[int, set[int]] = {}
    for sources in map(list, by_target.values()):
        chosen = sources[:: -(-len(sources) // _MOST_SOURCES)]
        samples.update(chosen)
        if len(chosen) < len(sources):
            for page in chosen:
                others.setdefault(page, set()).update(sources)
    for page in others:
        others[page] -= samples
    return samples, others


def _require_answer(store: Store, site: TaskSpec) -> None:
    """Raise BadInput if no start page could be had: there is nothing to check then."""
    outcomes = Outcomes(store)
    found = {url: outcomes.find(urls.page_id(urls.canonical(url))) for url in site.seeds}
    if any(one.state in ("ok", "unasked") and one.detail == "" for one in found.values()):
        return
    url, outcome = next(iter(found.items()))
    why = f"status {outcome.status}" if outcome.status else outcome.detail or outcome.state
    raise BadInput(f"{urls.hide_user_info(url)} cannot be checked, since it could not be fetched: {why}")


def _is_inside(url: str, rules: ScopeRules) -> bool:
    return rules.decide(Link(url), urls.host(url), 0) == FOLLOW


class _Check:
    """One check, once the site has been crawled."""

    def __init__(
        self, web: CheckedWeb, facts: FactsFile, site: TaskSpec | None, options: CheckOptions, now_s: float
    ) -> None:
        self._web, self._facts, self._options, self._now_s = web, facts, options, now_s
        self._site = site or TaskSpec()
        seeds = [urls.canonical(url) for url in self._site.seeds]
        self._start_pages = [urls.page_id(url) for url in seeds]
        self._rules = ScopeRules(site, seeds) if site is not None else None
        self._reader = open_reader(web.folder / "archive")
        self._load()

    def _load(self) -> None:
        """Read pages, outcomes and links anew."""
        self._load_outcomes()
        self._pages: dict[int, Page] = {}
        for page in self._web.store.pages():
            answered = self._outcomes.visit(page.id)
            gone = answered is not None and answered.result in ("failed", "redirected", "refused")
            if page.status == _OK and not gone and self._is_checked(page):
                self._pages[page.id] = page
        table = read_table(self._facts, self._pages)
        self._table = select_links(table, self._facts, self._options)

    def _load_outcomes(self) -> None:
        """Read anew what came of asking; pages and links stay as they are."""
        self._outcomes = Outcomes(self._web.store, self._options.accept, self._facts.answers())

    def _is_checked(self, page: Page) -> bool:
        return self._rules is None or page.kind == "style" or _is_inside(page.url, self._rules)

    # Asking

    def ask_targets(self, run: CrawlRunner) -> None:
        """Ask for everything that the pages refer to and that the crawl did not fetch."""
        for _ in range(_STYLE_ROUNDS if self._options.requisites else 0):
            wanted = self._list_style_sheets()
            if not wanted:
                break
            run([site_tasks.make_reading_task(self._site, wanted, self._options)], [])
            refresh_facts(self._web.store, self._web.folder, self._facts)
            self._load()
        due = self._list_due()
        if not due:
            return
        self._web.say(f"Asking for {len(due):,} addresses that are not pages of the site.")
        anchored = self._list_anchored(due)
        self._ask(run, [page for page in due if page not in anchored], head=True)
        if anchored:
            self._ask(run, list(anchored), head=False, collect=True)
        doubtful = [page for page in due if site_tasks.needs_second_look(page, self._outcomes)]
        self._ask(run, [page for page in doubtful if page not in anchored], head=False)

    def _ask(self, run: CrawlRunner, pages: Sequence[int], head: bool, collect: bool = False) -> None:
        known = self._facts.urls(pages)
        if head:
            known = self._ask_quickly(known)
        tasks = site_tasks.make_asking_tasks(
            self._site, list(known.values()), self._options, head, whole=collect
        )
        for task in tasks if collect else ():
            task.page_classifier(self._collect_fragments)
        if tasks:
            run(tasks, [])
        if collect:
            self._load()  # fragments of pages of other hosts
        elif tasks or head:
            self._load_outcomes()

    def _ask_quickly(self, known: dict[int, str]) -> dict[int, str]:
        """Ask the user's own hosts for many addresses at once; return the addresses that are left for a crawl."""
        own = [url for url in known.values() if site_tasks.is_own(urls.host(url), self._options)]
        if not own:
            return known
        task = site_tasks.adapt_manners(self._site, own, self._options)
        answers = ask_own_hosts(own, task, time.time)
        self._facts.write_answers(answers)
        done = {one.page for one in answers}
        return {page: url for page, url in known.items() if page not in done}

    def _collect_fragments(self, reading: Reading) -> None:
        """Keep the fragments of a page of another host; what it refers to is not ours to check."""
        if reading.document is not None and reading.page.kind == "html":
            found = read_html_facts(
                reading.document.source, reading.page.url, "text/html; charset=utf-8"
            ).facts
            own = PageFacts(ids=found.ids, is_html=True, title=found.title)
            self._facts.write([(reading.page.id, reading.page.digest, ReadFacts(own, {}))])

    def _list_style_sheets(self) -> list[str]:
        """Return the style sheets of the site that were not fetched yet."""
        styles = np.unique(self._table.targets[np.isin(self._table.kinds, _STYLE_KINDS)]).tolist()
        unknown = [page for page in styles if page not in self._outcomes]
        found = self._facts.urls(unknown).values()
        return [url for url in found if self._rules is None or self._is_near(url)]

    def _is_near(self, url: str) -> bool:
        return urls.host(url) in {urls.host(seed) for seed in self._site.seeds}

    def _list_due(self) -> list[int]:
        """Return the targets to ask for: not pages of the site, and not answered lately."""
        table, options = self._table, self._options
        wanted = table.targets
        if not options.requisites:
            wanted = wanted[np.isin(table.kinds, _PAGE_KINDS)]
        ends = {self._outcomes.find(page).final or page for page in np.unique(wanted).tolist()}
        due = [page for page in ends if page not in self._pages and self._is_due(page)]
        if options.external:
            return due
        near = self._facts.urls(due)
        return [page for page in due if page in near and self._is_near(near[page])]

    def _is_due(self, page: int) -> bool:
        visit = self._outcomes.visit(page)
        if visit is not None and visit.when_s >= self._now_s:
            return False  # asked in this check
        return site_tasks.is_due(page, self._outcomes, self._options.external_age_s, self._now_s)

    def _list_anchored(self, due: Sequence[int]) -> set[int]:
        """Return those targets whose fragments are linked to: they have to be fetched whole."""
        table = self._table
        rows = (table.fragments != 0) & np.isin(table.kinds, _ANCHOR_KINDS)
        return set(np.unique(table.targets[rows]).tolist()) & set(due)

    # Judging

    def judge(self) -> CheckResult:
        """Judge every link and every page."""
        problems = [*self._judge_links(), *self._judge_orphans(), *self._judge_pages()]
        kept = [one for one in judge_pages.merge_problems(problems) if one.problem not in self._options.skip]
        return CheckResult(
            kept,
            count_addresses(self._table),
            sum(page.kind == "html" for page in self._pages.values()),
            len(self._table.targets),
            self._now_s,
        )

    def _judge_links(self) -> Iterator[Problem]:
        by_source: dict[int, list[BadLink]] = {}
        for bad in judge_links(self._table, self._outcomes):
            by_source.setdefault(bad.source, []).append(bad)
        for source, found in by_source.items():
            yield from self._describe(self._pages[source], found)

    def _describe(self, page: Page, found: Iterable[BadLink]) -> Iterator[Problem]:
        """Add to the bad links of a page their addresses and places; only fragments have to be looked up in its source."""
        found = list(found)
        written = self._read_addresses(page) if any(one.has_fragment for one in found) else {}
        names = self._name({one.target for one in found} | {one.outcome.final for one in found})
        for one in found:
            target = names.get(one.target, "")
            if one.has_fragment:
                target += "#" + written.get(one.place, "").partition("#")[2]
            place = unpack_place(one.place)
            yield Problem(
                one.problem,
                target,
                page.url,
                one.outcome.first_status if one.problem in _REDIRECT_PROBLEMS else one.outcome.status,
                one.kind,
                place.line if page.kind in ("html", "style") else 0,
                place.column if page.kind in ("html", "style") else 0,
                _explain(one.problem, one.outcome, names, target),
                one.times,
            )

    def _read_addresses(self, page: Page) -> dict[int, str]:
        """Return the addresses in the source of a page by their packed places."""
        source = self._read_source(page)
        found = read_references(source).references
        places = pack_places(source, array("I", [one.start for one in found]))
        return {place: one.url for place, one in zip(places.tolist(), found, strict=True)}

    def _name(self, pages: set[int]) -> dict[int, str]:
        """Return the URLs of some pages: those that pages refer to, and those that redirects lead to."""
        names = self._facts.urls(pages)
        return names | self._web.store.urls(pages - names.keys() - {0})

    def _judge_orphans(self) -> Iterator[Problem]:
        found = find_orphans(self._table, self._outcomes, self._start_pages)
        names = self._facts.urls({page for pair in found for page in pair})
        for page, sitemap in found:
            source = self._pages.get(sitemap)
            where = source.url if source is not None else names.get(sitemap, "")
            yield Problem("orphan", names.get(page, ""), where, _OK, "sitemap")

    def _judge_pages(self) -> Iterator[Problem]:
        titles = judge_pages.TitleTable()
        for number, facts in self._facts.read():
            page = self._pages.get(number)
            if page is None or not facts.is_html:
                continue
            titles.add(page, facts)
            yield from judge_pages.judge_page(page, facts)
            if judge_pages.needs_source(facts):
                yield from judge_pages.judge_source(page, facts, self._read_source(page))
        yield from titles.find_duplicates()

    def _read_source(self, page: Page) -> bytes:
        found = read_body(page, self._reader)
        if found is None:
            return b""
        return as_utf8(*found)[0] if page.kind == "html" else found[0]


def _explain(problem: str, outcome: TargetOutcome, names: dict[int, str], target: str) -> str:
    """Say what is known of a bad target beyond its status."""
    final = names.get(outcome.final, "")
    if problem in _REDIRECT_PROBLEMS or (outcome.hops and final and final != target.partition("#")[0]):
        steps = f" in {outcome.hops} steps" if outcome.hops > 1 else ""
        return f"redirects to {final}{steps}" if final else ""
    return outcome.detail[:200]
