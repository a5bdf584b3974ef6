"""Asks for addresses of the web that files link to, with the manners of the crawl; answers are kept for a time."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.task.task import Task
from gossamer.link_check import site_tasks
from gossamer.link_check.ask_own_hosts import ask_own_hosts
from gossamer.link_check.ask_targets import FragmentCollector
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.checked_site import CrawlRunner
from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.facts.page_facts import PageFacts
from gossamer.link_check.target_outcomes import Outcomes, TargetOutcome
from gossamer.net import url as urls
from gossamer.store.batch import Store

_MOST_ROUNDS = 4
"""A crawl gives up a long chain of redirects; so often it is gone on with."""


class WebAnswers(msgspec.Struct, frozen=True):
    """What came of asking for addresses of the web."""

    outcomes: dict[int, TargetOutcome]
    """By page id."""
    urls: dict[int, str]
    """The addresses that redirects lead to."""
    facts: dict[int, PageFacts]
    """The fragments of the pages that are linked to with one."""


AskUrls = Callable[[Sequence[str], Collection[str]], WebAnswers]
"""Asks for addresses of the web; the second ones of them are linked to with a fragment."""


class UrlAsker:
    """Asks for a list of addresses: by HEAD, and by GET where that is answered badly; whole pages where fragments are linked to."""

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
        self._outcomes = self._load()

    def ask(self, addresses: Sequence[str], anchored: Collection[str]) -> WebAnswers:
        """Ask for those addresses that were not answered lately; return what is known of all."""
        self._outcomes = self._load()
        whole = [url for url in anchored if self._is_due(urls.page_id(url)) or self._lacks_fragments(url)]
        plain = [url for url in addresses if url not in anchored and self._is_due(urls.page_id(url))]
        self._ask_whole(whole)
        self._ask_briefly(plain)
        for _ in range(_MOST_ROUNDS):
            ends = self._list_open_ends(addresses)
            if not ends:
                break
            self._ask_whole(ends)
        return self._collect(addresses, anchored)

    def _ask_whole(self, addresses: Sequence[str]) -> None:
        """Fetch whole pages and keep their fragments."""
        tasks = site_tasks.make_asking_tasks(self._task, addresses, self._options, head=False, whole=True)
        for task in tasks:
            task.page_classifier(FragmentCollector(self._facts))
        self._carry_out(tasks)

    def _ask_briefly(self, addresses: Sequence[str]) -> None:
        """Ask by HEAD, the user's own hosts many at once; then by GET where HEAD was answered badly."""
        due = self._ask_quickly(addresses)
        for head in (True, False):
            self._carry_out(site_tasks.make_asking_tasks(self._task, due, self._options, head))
            due = [url for url in due if site_tasks.needs_second_look(urls.page_id(url), self._outcomes)]

    def _ask_quickly(self, addresses: Sequence[str]) -> list[str]:
        """Ask the user's own hosts; return the addresses that are left for a crawl."""
        own = [url for url in addresses if site_tasks.is_own(urls.host(url), self._options)]
        if not own:
            return list(addresses)
        answers = ask_own_hosts(own, site_tasks.adapt_manners(self._task, own, self._options), time.time)
        self._facts.write_answers(answers)
        done = {one.page for one in answers}
        self._outcomes = self._load()
        return [url for url in addresses if urls.page_id(url) not in done]

    def _carry_out(self, tasks: Sequence[Task]) -> None:
        if tasks:
            self._run(tasks, [])
            self._outcomes = self._load()

    def _is_due(self, page: int) -> bool:
        return site_tasks.is_due(page, self._outcomes, self._options.external_age_s, self._now_s)

    def _lacks_fragments(self, url: str) -> bool:
        """Say whether only the existence of a page was asked for earlier, and not which fragments it has."""
        found = self._outcomes.find(urls.page_id(url))
        return found.state == "ok" and self._facts.facts(found.final) is None

    def _list_open_ends(self, addresses: Iterable[str]) -> list[str]:
        """Return the addresses that redirects lead to and that were not asked for."""
        found = [self._outcomes.find(urls.page_id(url)) for url in addresses]
        ends = {one.final for one in found if one.state == "unasked" and one.hops and one.final}
        return sorted(self._store.urls(ends).values())

    def _collect(self, addresses: Sequence[str], anchored: Collection[str]) -> WebAnswers:
        outcomes = {page: self._outcomes.find(page) for page in map(urls.page_id, addresses)}
        finals = {outcomes[urls.page_id(url)].final for url in anchored}
        known = {page: self._facts.facts(page) for page in finals}
        return WebAnswers(
            outcomes,
            self._store.urls({one.final for one in outcomes.values()} - {0}),
            {page: facts for page, facts in known.items() if facts is not None},
        )

    def _load(self) -> Outcomes:
        return Outcomes(self._store, self._options.accept, self._facts.answers())
