"""Read the links that a task has checked: those of the pages that it has read, page by page, newest first."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec
import numpy as np

from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.page_depths import PageDepths
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.seen_keys import depth_mark
from gossamer.crawl.status.documents.document_list import DocumentList, TimeBudget
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.crawl.task.schedule_links import MOST_LEVELS
from gossamer.errors import GossamerError
from gossamer.records import PageLink, Visit, VisitResult
from gossamer.store.batch import Store, TaskNote

SOURCES: tuple[VisitResult, ...] = ("fetched", "cache hit", "redirected")
"""The results of visits at which links are checked; a redirect is a link to its target."""
_PAGES_AT_ONCE, _MOST_READ = 20, 5_000


class SourcePage(msgspec.Struct, frozen=True):
    """A page that a task has read, with the links of its latest version."""

    visit: int
    """The number of the visit at which it was read."""
    page: int
    """Its page id."""
    url: str
    depth: int
    """How many links it is away from a start page, as far as that can be derived."""
    links: list[tuple[PageLink, str]]
    """In page order, with the URL of each."""


DescribeLinks = Callable[[list[SourcePage]], Iterable[CountedDocument]]
"""Returns what a list has of the links of some pages."""


class TaskLinks:
    """The links that a task has checked."""

    def __init__(self, store: Store, note: TaskNote) -> None:
        self._store = store
        self._task = note.number
        self._deepest = read_spec(note).limits.depth
        self._depths = PageDepths(store, note.number, list_seeds(note))

    def list_links(self, result: VisitResult, describe: DescribeLinks, after: int, most: int) -> DocumentList:
        """List links of the pages that were visited with a result, newest pages first.

        The links of a page stay together, so that a list may be longer than was asked for.
        """
        budget = TimeBudget()
        found: list[CountedDocument] = []
        read = _PAGES_AT_ONCE
        while True:
            visits, oldest = self._store.task_visits(self._task, result, after, read)
            for pages in self._read_pages(visits, most):
                found += describe(pages)
                if len(found) >= most or budget.is_spent:
                    last = pages[-1].visit
                    return DocumentList(found, last if last > 1 else 0)
            if not oldest or budget.is_spent:
                return DocumentList(found, oldest)
            after, read = oldest, min(2 * read, _MOST_READ)

    def _read_pages(self, visits: list[tuple[int, Visit]], links: int) -> Iterator[list[SourcePage]]:
        """Yield pages, so many together as have this many links, at most 20."""
        some: list[SourcePage] = []
        for at in range(0, len(visits), _PAGES_AT_ONCE):
            for page in self._read_some(visits[at : at + _PAGES_AT_ONCE]):
                some.append(page)
                if len(some) == _PAGES_AT_ONCE or sum(len(one.links) for one in some) >= links:
                    yield some
                    some = []
        if some:
            yield some

    def _read_some(self, visits: list[tuple[int, Visit]]) -> Iterator[SourcePage]:
        links = {visit.page: self._store.links_from(visit.page) for _, visit in visits}
        names = self._store.urls({link.target for those in links.values() for link in those} | links.keys())
        depths = self._find_depths(links) if self._deepest >= 0 else {}
        for number, visit in visits:
            yield SourcePage(
                number,
                visit.page,
                names.get(visit.page, ""),
                depths.get(visit.page, 0),
                [(link, names.get(link.target, "")) for link in links[visit.page]],
            )

    def _find_depths(self, page_ids: Collection[int]) -> dict[int, int]:
        """Return the depths of pages for the task; those of redirects, and of pages that another task has fetched, by their keys."""
        pages = self._store.pages_by_id(page_ids)
        found = {one.id: one.depth for one in pages.values() if one.task == self._task}
        others = [one for one in page_ids if one not in found]
        marks = [depth_mark(self._task, depth) for depth in range(min(self._deepest, MOST_LEVELS) + 1)]
        keys = (
            find_keys(self._store, [page_id ^ mark for page_id in others for mark in marks]) if others else ()
        )
        for page_id in others:
            near = [depth for depth, mark in enumerate(marks) if page_id ^ mark in keys]
            found[page_id] = near[0] if near else self._depths.find_depth(page_id) or 0
        return found


def find_keys(store: Store, keys: Sequence[int]) -> set[int]:
    """Return those of these keys that the seen set has. Cost: a scan of it."""
    wanted = np.sort(np.array(keys, np.int64))
    found: set[int] = set()
    for _, packed in store.seen_keys():
        some = np.frombuffer(packed, np.int64)
        at = np.searchsorted(wanted, some)
        at[at == len(wanted)] = 0
        found.update(some[wanted[at] == some].tolist())
    return found


def list_seeds(note: TaskNote) -> list[str]:
    """Return the start pages of a task, as far as they can be read."""
    spec = read_spec(note)
    try:
        return list_start_pages(spec)
    except GossamerError:
        return [url for url in spec.seeds if "://" in url]
