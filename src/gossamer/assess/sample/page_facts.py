"""Crawled pages with the facts that samples are drawn by and that `--where` filters by."""

import math
from collections.abc import Callable, Iterator
from functools import cached_property

from gossamer.assess.records import Item
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.documents.readable_pages import is_document
from gossamer.records import Page
from gossamer.search.query.filter_values import parse_language
from gossamer.store.batch import Store

RELEVANCE_MARK = "relevance"
"""The mark that an order by topic sets on pages; `store.links` reads it too."""
_READABLE_KINDS = ("html", "text")
_OK = 200

Relevance = Callable[[Page], float | None]


class CrawledPage:
    """A page with the name and order of its task. Its relevance is computed once, and only on demand."""

    def __init__(self, page: Page, task: str, order: str, relevance: Relevance) -> None:
        self.page = page
        self.task = task
        self.order = order
        self._relevance_of = relevance

    @cached_property
    def relevance(self) -> float | None:
        """The relevance by a classifier, from 0 to 1; None if there is none."""
        return self._relevance_of(self.page)

    @property
    def depth(self) -> int:
        """The number of links from a start page at which it was found."""
        return self.page.depth

    @property
    def host(self) -> str:
        """The host of the page."""
        return self.page.host

    @property
    def language(self) -> str:
        """The detected language of the text, or else the declared one."""
        return self.page.language or parse_language(self.page.declared_language)

    def to_item(self) -> Item:
        """Return the item of a sample for this page."""
        return Item(
            self.page.id,
            depth=self.depth,
            host=self.host,
            language=self.language,
            task=self.task,
            order=self.order,
            relevance=self.relevance,
        )


def read_relevance_mark(page: Page) -> float | None:
    """Return the relevance that a crawl marked a page with; None if there is no valid one."""
    try:
        relevance = float(page.marks.get(RELEVANCE_MARK, "nan"))
    except ValueError:
        return None
    return relevance if math.isfinite(relevance) and 0 <= relevance <= 1 else None


def read_crawled_pages(store: Store, relevance: Relevance = read_relevance_mark) -> Iterator[CrawledPage]:
    """Yield the fetched pages and documents with text and status 200, in order of arrival."""
    named = {note.number: (note.name, read_spec(note).order) for note in store.tasks()}
    for page in store.pages():
        is_text = page.kind in _READABLE_KINDS or (page.words > 0 and is_document(page))
        if is_text and page.status == _OK:
            yield CrawledPage(page, *named.get(page.task, ("", "")), relevance)
