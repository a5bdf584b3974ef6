"""What is known of the pages of a web: what samples are drawn by, and what `--where` asks for."""

import math
from collections.abc import Callable, Iterator
from functools import cached_property

from gossamer.assess.records import Item
from gossamer.crawl.control.mailbox import read_spec
from gossamer.records import Page
from gossamer.search.query.filter_values import parse_language
from gossamer.store.batch import Store

RELEVANCE_MARK = "relevance"
"""The mark that a topic's order leaves on pages; so also `store.graph_rows`."""
_READ_KINDS = ("html", "text")
_OK = 200

Relevance = Callable[[Page], float | None]


class Facts:
    """A page with what its task tells of it. Its relevance is asked for once, and only if somebody wants it."""

    def __init__(self, page: Page, task: str, order: str, relevance: Relevance) -> None:
        self.page = page
        self.task = task
        self.order = order
        self._relevance_of = relevance

    @cached_property
    def relevance(self) -> float | None:
        """What a classifier said, from 0 to 1; None if none did."""
        return self._relevance_of(self.page)

    @property
    def depth(self) -> int:
        """How many links away from a start page it was found."""
        return self.page.depth

    @property
    def host(self) -> str:
        """Where it lies."""
        return self.page.host

    @property
    def language(self) -> str:
        """The language of the text if that was recognised, else the one that the page declares."""
        return self.page.language or parse_language(self.page.declared_language)

    def item(self) -> Item:
        """Return what a sample keeps of this page."""
        told = (self.depth, self.host, self.language, self.task, self.order, self.relevance)
        return Item(self.page.id, *told)


def marked_relevance(page: Page) -> float | None:
    """Return the relevance that a crawl has left on a page; None if there is none, or it is none."""
    try:
        told = float(page.marks.get(RELEVANCE_MARK, "nan"))
    except ValueError:
        return None
    return told if math.isfinite(told) and 0 <= told <= 1 else None


def read_pages(store: Store, relevance: Relevance = marked_relevance) -> Iterator[Facts]:
    """Return the pages that were got and can be read, in order of arrival; after an error page nobody is asked."""
    named = {note.number: (note.name, read_spec(note).order) for note in store.tasks()}
    for page in store.pages():
        if page.kind in _READ_KINDS and page.status == _OK:
            yield Facts(page, *named.get(page.task, ("", "")), relevance)
