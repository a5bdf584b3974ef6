"""Asks for addresses of the web that files link to, with the manners of the crawl; answers are kept for a time."""

import time
from collections.abc import Callable, Sequence

from gossamer.config import TaskSpec
from gossamer.link_check import site_tasks
from gossamer.link_check.ask_own_hosts import ask_own_hosts
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.checked_site import CrawlRunner
from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.target_outcomes import Outcomes, TargetOutcome
from gossamer.net import url as urls
from gossamer.store.batch import Store


class UrlAsker:
    """Asks for a list of addresses: by HEAD, and by GET where that is answered badly."""

    def __init__(
        self,
        store: Store,
        facts: FactsFile,
        run: CrawlRunner,
        task: TaskSpec,
        options: CheckOptions,
        now_s: float,
    ) -> None:
        self._store, self._facts, self._run = store, facts, run
        self._task, self._options, self._now_s = task, options, now_s

    def ask(self, addresses: Sequence[str]) -> Callable[[str], TargetOutcome]:
        """Ask for those addresses that were not answered lately; return what finds the outcome of each."""
        outcomes = self._load()
        ids = {url: urls.page_id(url) for url in addresses}
        age_s = self._options.external_age_s
        due = [url for url, page in ids.items() if site_tasks.is_due(page, outcomes, age_s, self._now_s)]
        own = [url for url in due if site_tasks.is_own(urls.host(url), self._options)]
        if own:
            answers = ask_own_hosts(own, site_tasks.adapt_manners(self._task, own, self._options), time.time)
            self._facts.write_answers(answers)
            done = {one.page for one in answers}
            due = [url for url in due if ids[url] not in done]
            outcomes = self._load()
        for head in (True, False):
            tasks = site_tasks.make_asking_tasks(self._task, due, self._options, head)
            if tasks:
                self._run(tasks, [])
                outcomes = self._load()
            due = [url for url in due if site_tasks.needs_second_look(ids[url], outcomes)]
        return lambda url: outcomes.find(ids[url])

    def _load(self) -> Outcomes:
        return Outcomes(self._store, self._options.accept, self._facts.answers())
