"""What happens while a person reads, as programs hear of it: pages visited, cards asked for, pages of their topics kept by a crawl."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from gossamer.navigate.link_marks import list_relevant
from gossamer.store.batch import Store

_MOST_AT_ONCE = 1_000


class ReadingEvent(msgspec.Struct, frozen=True):
    """Something that happened."""

    event: Literal["visit", "card", "page"]
    """`visit`: the reader opened a page. `card`: a card was asked for. `page`: a crawl kept a page that is relevant to a topic."""
    url: str
    title: str
    when_s: float
    topics: tuple[str, ...] = ()
    """Those to which the page is relevant."""


class KeptPageFollower:
    """Finds the pages that a crawl has kept since the last look."""

    def __init__(self, store: Store) -> None:
        self._after = store.last_visit()

    def look(self, store: Store) -> list[ReadingEvent]:
        """Return the new pages that classifiers found relevant to a topic, in order of arrival.

        Cost: a look-up of the new pages, however large the web is.
        """
        newest, found = store.last_visit(), list[ReadingEvent]()
        if newest <= self._after:
            return []
        for task in store.tasks():
            at = self._after
            while at < newest:
                ids, at = store.visited_pages(task.number, at, newest, _MOST_AT_ONCE)
                found += _list_events(store, ids)
        self._after = newest
        return sorted(found, key=lambda one: one.when_s)


def _list_events(store: Store, ids: list[int]) -> list[ReadingEvent]:
    pages = store.pages_by_id(ids).values()
    relevant: Mapping[int, tuple[str, ...]] = {page.id: tuple(list_relevant(page.marks)) for page in pages}
    return [
        ReadingEvent("page", page.url, page.title, page.fetched_s, relevant[page.id])
        for page in pages
        if relevant[page.id]
    ]
