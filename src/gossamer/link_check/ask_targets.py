"""Asks for everything that the pages of a site refer to and that its crawl did not fetch."""

import time
from collections.abc import Iterator

import numpy as np

from gossamer.crawl.read_page import Reading
from gossamer.link_check import site_tasks
from gossamer.link_check.ask_own_hosts import ask_own_hosts
from gossamer.link_check.checked_site import CheckedSite, CrawlRunner
from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.facts.page_facts import PageFacts, ReadFacts, pack_fragments
from gossamer.link_check.id_columns import Ids, contains
from gossamer.link_check.read_links import ANCHORED, PAGE, STYLE
from gossamer.net import url as urls
from gossamer.net.html.references import read_references

_STYLE_ROUNDS = 3
_ASKED_AT_ONCE = 5_000
"""So many addresses are asked for by one task: more would be in memory at the same time."""
_SCRIPTED = "user-content-"
"""Code hosts put this before the ids of headings that users wrote; a script leads fragments without it there."""


def ask_targets(site: CheckedSite, run: CrawlRunner) -> None:
    """Ask for all targets that are due: by HEAD, or whole if their fragments are linked to, and again where HEAD failed."""
    for _ in range(_STYLE_ROUNDS if site.options.requisites else 0):
        if not _fetch_style_sheets(site, run):
            break
    due = _list_due(site)
    if not len(due):
        return
    site.web.say(f"Asking for {len(due):,} addresses that are not pages of the site.")
    anchored = contains(site.survey.find_used(ANCHORED), due)
    _ask(site, run, due[~anchored], head=True)
    if anchored.any():
        _ask(site, run, due[anchored], head=False, collect=True)
    answers = site.outcomes.find_all(due)
    _ask(site, run, due[answers.have("broken", "unknown") & ~anchored], head=False)


def _fetch_style_sheets(site: CheckedSite, run: CrawlRunner) -> bool:
    """Fetch the style sheets of the site that were not fetched yet; say whether there were any."""
    styles = site.survey.find_used(STYLE)
    unknown = styles[site.outcomes.find_all(styles).when_s == 0].tolist()
    wanted = [url for url in site.facts.urls(unknown).values() if site.is_near(url)]
    if wanted:
        run([site_tasks.make_reading_task(site.spec, wanted, site.options)], [])
        site.load_new()
    return bool(wanted)


def _list_due(site: CheckedSite) -> Ids:
    """Return the targets to ask for: not pages of the site, and not answered lately."""
    wanted = site.survey.targets if site.options.requisites else site.survey.find_used(PAGE)
    finals = site.outcomes.find_all(wanted).finals
    ends = np.unique(np.where(finals != 0, finals, wanted))
    ends = ends[~contains(site.pages, ends)]
    found = site.outcomes.find_all(ends)
    is_old = site.now_s - found.when_s > site.options.external_age_s
    was_asked_now = found.when_s >= site.now_s
    due = ends[(is_old | ~found.have("ok", "robots-refused")) & ~was_asked_now]
    if site.options.external:
        return due
    near = [page for known in _name(site, due) for page, url in known.items() if site.is_near(url)]
    return np.array(near, np.int64)


def _name(site: CheckedSite, pages: Ids) -> Iterator[dict[int, str]]:
    """Yield the URLs of pages, some thousand at a time."""
    for at in range(0, len(pages), _ASKED_AT_ONCE):
        yield site.facts.urls(pages[at : at + _ASKED_AT_ONCE].tolist())


def _ask(site: CheckedSite, run: CrawlRunner, pages: Ids, head: bool, collect: bool = False) -> None:
    for known in _name(site, pages):
        left = _ask_quickly(site, known) if head else known
        tasks = site_tasks.make_asking_tasks(
            site.spec, list(left.values()), site.options, head, whole=collect
        )
        for task in tasks if collect else ():
            task.page_classifier(FragmentCollector(site.facts))
        if tasks:
            run(tasks, [])
    if collect:
        site.load_new()  # fragments of pages of other hosts
    elif len(pages):
        site.load_outcomes()


def _ask_quickly(site: CheckedSite, known: dict[int, str]) -> dict[int, str]:
    """Ask the user's own hosts for many addresses at once; return the addresses that are left for a crawl."""
    own = [url for url in known.values() if site_tasks.is_own(urls.host(url), site.options)]
    if not own:
        return known
    task = site_tasks.adapt_manners(site.spec, own, site.options)
    answers = ask_own_hosts(own, task, time.time)
    site.facts.write_answers(answers)
    done = {one.page for one in answers}
    return {page: url for page, url in known.items() if page not in done}


class FragmentCollector:
    """Keeps the fragments of pages of other hosts; what they refer to is not ours to check."""

    def __init__(self, facts: FactsFile) -> None:
        self._facts = facts

    def __call__(self, reading: Reading) -> None:
        """Keep what fragments a page has that was asked for; none if it is no HTML."""
        own = PageFacts()
        if reading.document is not None and reading.page.kind == "html":
            found = read_references(reading.document.source)
            names = [
                *found.targets,
                *(one.removeprefix(_SCRIPTED) for one in found.targets if one.startswith(_SCRIPTED)),
            ]
            own = PageFacts(ids=pack_fragments(names), is_html=True, title=found.title)
        self._facts.write([(reading.page.id, reading.page.digest, ReadFacts(own, {}))])
