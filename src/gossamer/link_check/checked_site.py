"""What a check knows of a site once it has been crawled: its pages, what they link to, and what came of asking for it."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np

from gossamer.config import TaskSpec
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.crawl.task.task import Task
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.facts.refresh_facts import FactsReader, NewPages, refresh_facts
from gossamer.link_check.id_columns import Ids
from gossamer.link_check.judge_pages import compare_languages
from gossamer.link_check.read_links import LinkSurvey, survey_links
from gossamer.link_check.target_outcomes import Outcomes
from gossamer.net import url as urls
from gossamer.records import Link, Page
from gossamer.store.batch import Store, TaskNote

_OK = 200


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


class CheckedSite:
    """The pages of a site, their links and the outcomes of these, as columns."""

    def __init__(
        self, web: CheckedWeb, facts: FactsFile, site: TaskSpec | None, options: CheckOptions, now_s: float
    ) -> None:
        self.web, self.facts, self.options, self.now_s = web, facts, options, now_s
        self.spec = site or TaskSpec()
        seeds = [urls.canonical(url) for url in self.spec.seeds]
        self.start_pages = [urls.page_id(url) for url in seeds]
        self._rules = ScopeRules(site, seeds) if site is not None else None
        self._hosts = {urls.host(url) for url in self.spec.seeds}
        self._pages, self._html_pages = array("q"), array("q")
        self.wrong_languages: set[int] = set()
        """The pages whose text is not in the language that they declare."""
        self.pages: Ids
        """The pages whose links are checked, sorted."""
        self.outcomes: Outcomes
        self.survey: LinkSurvey
        self.load_outcomes()

    def load(self) -> None:
        """Read all pages, their facts and their links."""
        self.web.store.release_memory()
        self._new_pages = NewPages(self.web.store)
        self._take_in(self.web.store.pages())

    def load_new(self) -> None:
        """Read the pages that were visited since the last look, and survey all links anew."""
        self.load_outcomes()
        self._take_in(self._new_pages.take())

    def load_outcomes(self) -> None:
        """Read anew what came of asking; pages and links stay as they are."""
        self.outcomes = Outcomes(self.web.store, self.options.accept, self.facts.answers())

    @property
    def is_whole_web(self) -> bool:
        """Whether all links of a web are checked, and not only those of a site or to chosen addresses."""
        return self._rules is None and not self.options.include and not self.options.exclude

    @property
    def html_pages(self) -> Ids:
        """The HTML pages whose links are checked, sorted."""
        found: Ids = self.pages[np.isin(self.pages, np.frombuffer(self._html_pages, np.int64))]
        return found

    def count_html_pages(self) -> int:
        """Count the HTML pages whose links are checked."""
        return len(self.html_pages)

    def is_near(self, url: str) -> bool:
        """Say whether an address is on a host of the start pages; on any host if there are none."""
        return self._rules is None or urls.host(url) in self._hosts

    def _take_in(self, pages: Iterable[Page]) -> None:
        refresh_facts(self._collect(pages), self.web.folder, self.facts)
        found = np.unique(np.frombuffer(self._pages, np.int64))
        self.pages = found[~self.outcomes.have_result(found, "failed", "redirected", "refused")]
        self.survey = survey_links(self.facts, self.pages, self.options)

    def _collect(self, pages: Iterable[Page]) -> Iterator[Page]:
        """Note the pages that are checked, and yield all."""
        for page in pages:
            if page.status == _OK and self._is_checked(page):
                self._pages.append(page.id)
                if page.kind == "html":
                    self._html_pages.append(page.id)
                    if compare_languages(page):
                        self.wrong_languages.add(page.id)
            yield page

    def _is_checked(self, page: Page) -> bool:
        return self._rules is None or page.kind == "style" or is_inside(page.url, self._rules)


def is_inside(url: str, rules: ScopeRules) -> bool:
    """Say whether the rules of a task lead to an address."""
    return rules.decide(Link(url), urls.host(url), 0) == FOLLOW
