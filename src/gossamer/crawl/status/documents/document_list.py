"""A page of the list of documents behind a count, and how long it may take to make one."""

import time
from collections.abc import Callable, Iterable, Sequence

from gossamer.crawl.status.status_records import CountedDocument
from gossamer.store.batch import Store

BUDGET_S = 0.15
"""How long the search for one page of a list may take; then it is cut, and goes on with the next page."""


class DocumentList(list[CountedDocument]):
    """Documents behind a count; to read on, ask again with `next_after` as `after`."""

    def __init__(self, found: Iterable[CountedDocument] = (), next_after: int = 0, remark: str = "") -> None:
        super().__init__(found)
        self.next_after = next_after
        """From where to go on; 0 at the end. A list may be empty and still have more."""
        self.remark = remark
        """What the list leaves out or adds, in one sentence."""


class TimeBudget:
    """The time that is left for one page of a list."""

    def __init__(self, budget_s: float = BUDGET_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until_s = clock() + budget_s

    @property
    def is_spent(self) -> bool:
        """Whether the list is to be cut."""
        return self._clock() >= self._until_s


_MOST_PARTS = 64
"""A place in a list of lists is one number: the place in a list, times this, plus the number of the list."""

ReadPart = Callable[[int, int], DocumentList]
"""Returns up to so many documents of a list after a place."""


def list_in_turn(parts: Sequence[ReadPart], after: int, most: int, remark: str = "") -> DocumentList:
    """Return a page of several lists, one after the other."""
    budget = TimeBudget()
    inner, at = divmod(after, _MOST_PARTS)
    found: list[CountedDocument] = []
    remarks = [remark] if remark else []
    while at < len(parts) and len(found) < most and not budget.is_spent:
        some = parts[at](inner, most - len(found))
        found += some
        if some.remark and some.remark not in remarks:
            remarks.append(some.remark)
        inner = some.next_after
        at += not inner
    following = inner * _MOST_PARTS + at if at < len(parts) else 0
    return DocumentList(found, following, "; ".join(remarks))


def add_urls(store: Store, found: list[CountedDocument]) -> list[CountedDocument]:
    """Return documents with their URLs, looked up together."""
    names = store.urls({one.page for one in found if not one.url})
    return [
        one
        if one.url
        else CountedDocument(names.get(one.page, ""), one.page, one.when_s, one.status, one.detail)
        for one in found
    ]
