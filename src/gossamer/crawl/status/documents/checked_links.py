"""List the links that a task has checked, with what became of each, and those that it had seen before.

The store keeps the links of pages, and which pages a task has scheduled. Of all links to a scheduled page, the one that
was read first has led to it; the task had seen the page at the others. Links that were not scheduled are judged again.
"""

from collections.abc import Collection, Iterable
from functools import partial

from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.status.documents.document_list import DocumentList, list_in_turn
from gossamer.crawl.status.documents.filtered_documents import JUDGED_RULES, LinkJudge, rebuild_link
from gossamer.crawl.status.documents.task_links import SOURCES, SourcePage, TaskLinks, list_seeds
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.net import url as urls
from gossamer.records import PageLink, VisitResult
from gossamer.store.batch import Store, TaskNote

_CHECKED = (
    "the start pages, then the links on the pages that the task has read, newest pages first, each as often as it stands there; "
    "links of sitemaps, submitted pages and older versions of pages are counted, but not listed"
)
_SEEN = (
    "links to pages that the task had scheduled before; a link that a rule refused is among them if another link led to the same "
    "page"
)
_SEEN_BEFORE = "seen before"
_MOST_SOURCES = 20


def list_checked(store: Store, note: TaskNote, after: int, most: int, seen_only: bool) -> DocumentList:
    """Return links that a task has checked, or only those whose pages it had scheduled before."""
    teller = _LinkTeller(store, note, seen_only)
    links = TaskLinks(store, note)
    parts = [partial(_walk_pages, links, teller, result) for result in SOURCES]
    if not seen_only:
        parts.insert(0, partial(_list_start_pages, note))
    return list_in_turn(parts, after, most, _SEEN if seen_only else _CHECKED)


def _list_start_pages(note: TaskNote, after: int, most: int) -> DocumentList:
    seeds = list_seeds(note)
    some = seeds[after : after + most]
    found = [CountedDocument(url, urls.page_id(url), 0.0, 0, "queued; a start page") for url in some]
    return DocumentList(found, after + most if after + most < len(seeds) else 0)


def _walk_pages(
    links: TaskLinks, teller: "_LinkTeller", result: VisitResult, after: int, most: int
) -> DocumentList:
    return links.list_links(result, teller.describe, after, most)


class _LinkTeller:
    """Says what became of the links of pages."""

    def __init__(self, store: Store, note: TaskNote, seen_only: bool) -> None:
        self._store = store
        self._task = note.number
        self._judge = LinkJudge(store, note, JUDGED_RULES)
        self._seen_only = seen_only
        self._first: dict[int, int] = {urls.page_id(url): 0 for url in list_seeds(note)}
        """The page with the link that led to each page; 0 for start pages."""

    def describe(self, pages: Iterable[SourcePage]) -> Iterable[CountedDocument]:
        """Yield the links of pages, or only those to pages that were seen before."""
        scheduled = self._judge.find_scheduled({link.target for page in pages for link, _ in page.links})
        for page in pages:
            done: set[int] = set()
            for link, url in page.links:
                fate = self._find_fate(page, link, url, scheduled, done)
                done.add(link.target)
                if fate == _SEEN_BEFORE or not self._seen_only:
                    yield CountedDocument(url, link.target, 0.0, 0, f"{fate}; found on {page.url}")

    def _find_fate(
        self, page: SourcePage, link: PageLink, url: str, scheduled: Collection[int], done: Collection[int]
    ) -> str:
        """Say what became of a link; `done` has the targets of the links before it on the page."""
        if link.target not in scheduled:
            return self._find_rule(page, link, url)
        is_first = link.target not in done and self._find_first(link.target) == page.page
        return "queued" if is_first else _SEEN_BEFORE

    def _find_rule(self, page: SourcePage, link: PageLink, url: str) -> str:
        rule = url and self._judge.find_rule(rebuild_link(link, url), page.depth + (link.type != "redirect"))
        return describe_cause(rule) if rule else "not followed: its page or a filter decided"

    def _find_first(self, page_id: int) -> int:
        """Return the page with the first link to a page, of those that the task has read."""
        if page_id not in self._first:
            sources = [link.source for link in self._store.links_to(page_id, _MOST_SOURCES)]
            visits = self._store.visits_of_pages(set(sources)) if len(set(sources)) > 1 else {}
            own = [one for one in sources if any(visit.task == self._task for visit in visits.get(one, ()))]
            self._first[page_id] = (own or sources or [-1])[0]
        return self._first[page_id]
