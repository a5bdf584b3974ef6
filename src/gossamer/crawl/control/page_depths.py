"""Derive the depth of pages for a task from the stored links."""

from collections.abc import Iterable

from gossamer.net import url as urls
from gossamer.records import PageLink
from gossamer.store.batch import Store

_MOST_STEPS_BACK = 12
_MOST_LINKS = 20


class PageDepths:
    """The depths of pages for one task: the number of links from a start page.

    A stored page has its depth for the task that fetched it last. For other tasks, and for redirects, which are not
    stored as pages, the depth follows from the pages that link to it: usually a step or two.
    """

    def __init__(self, store: Store, task: int, seeds: Iterable[str]) -> None:
        self._store = store
        self._task = task
        self._known: dict[int, int | None] = {urls.page_id(seed): 0 for seed in seeds}

    def find_target_depth(self, link: PageLink) -> int | None:
        """Return the depth that a link gives to its target, if it can be derived."""
        source = self.find_depth(link.source)
        return None if source is None else source + (link.type != "redirect")

    def find_depth(self, page_id: int) -> int | None:
        """Return the depth of a page, if it can be derived."""
        return self._find_depth(page_id, _MOST_STEPS_BACK)

    def _find_depth(self, page_id: int, steps: int) -> int | None:
        if page_id in self._known:
            return self._known[page_id]
        page = self._store.page(page_id)
        if page is not None and page.task == self._task:
            return page.depth
        self._known[page_id] = None  # do not walk in circles
        found = []
        for link in self._store.links_to(page_id, _MOST_LINKS) if steps else ():
            source = self._find_depth(link.source, steps - 1)
            if source is not None:
                found.append(source + (link.type != "redirect"))
        self._known[page_id] = min(found, default=None)
        return self._known[page_id]
