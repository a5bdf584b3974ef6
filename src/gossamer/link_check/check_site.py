"""Checks a site: crawl it or visit again what may have changed, ask for all other targets, and judge every link."""

import hashlib
from collections.abc import Iterable

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.task.scope_rules import ScopeRules
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
from gossamer.link_check import site_tasks
from gossamer.link_check.ask_targets import ask_targets
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.checked_site import CheckedSite, CheckedWeb, CrawlRunner, is_inside
from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.facts.refresh_facts import FactsReader
from gossamer.link_check.judge_site import judge_site
from gossamer.link_check.last_result import RESULT_NOTE, decode_result
from gossamer.link_check.problem import ERRORS, CheckResult, Problem
from gossamer.link_check.target_outcomes import Outcomes
from gossamer.net import url as urls
from gossamer.store.batch import Store

_KEY = "key"
_MOST_SOURCES = 20
"""So many of the pages with the same broken link are visited again first."""


def check_site(web: CheckedWeb, site: TaskSpec | None, options: CheckOptions, now_s: float) -> CheckResult:
    """Check the links of a site, or of all pages of a web if no site is given."""
    with FactsFile(web.folder) as facts:
        before = decode_result(facts.note(RESULT_NOTE))
        if web.run is not None and site is not None:
            _visit_site(web, web.run, site, options, now_s, before)
        key = _make_key(web.store, site, options)
        if before is not None and facts.note(_KEY) == key:
            return before
        checked = CheckedSite(web, facts, site, options, now_s)
        if site is not None:
            _require_answer(checked.outcomes, site)
        checked.load()
        if web.run is not None:
            ask_targets(checked, web.run)
        result = judge_site(checked)
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
    again = [url for url in sorted(targets) if is_inside(url, rules)]
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


def _require_answer(outcomes: Outcomes, site: TaskSpec) -> None:
    """Raise BadInput if no start page could be had: there is nothing to check then."""
    found = {url: outcomes.find(urls.page_id(urls.canonical(url))) for url in site.seeds}
    if any(one.state in ("ok", "unasked") and one.detail == "" for one in found.values()):
        return
    url, outcome = next(iter(found.items()))
    why = f"status {outcome.status}" if outcome.status else outcome.detail or outcome.state
    raise BadInput(f"{urls.hide_user_info(url)} cannot be checked, since it could not be fetched: {why}")
