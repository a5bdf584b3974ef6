"""How many links pages are away from the start pages of a task, found out afterwards."""

from collections.abc import Iterable

from gossamer.net import url as urls
from gossamer.records import PageLink
from gossamer.store.batch import Store

_MOST_STEPS_BACK = 12
_LINKS_LOOKED_AT = 20


class Depths:
    """How far pages are from the start pages of one task.

    A page knows its depth for the task that fetched it last. For others, and for redirects, which are no pages, it
    follows from what leads there: as long as few tasks share a page that is a step or two.
    """

    def __init__(self, store: Store, task: int, seeds: Iterable[str]) -> None:
        self._store = store
        self._task = task
        self._known: dict[int, int | None] = {urls.page_id(seed): 0 for seed in seeds}

    def by(self, link: PageLink) -> int | None:
        """Return the depth that a link gives to its target, if it can be found out."""
        source = self.of(link.source)
        return None if source is None else source + (link.type != "redirect")

    def of(self, page_id: int) -> int | None:
        """Return the depth of a page, if it can be found out."""
        return self._of(page_id, _MOST_STEPS_BACK)

    def _of(self, page_id: int, steps: int) -> int | None:
        if page_id in self._known:
            return self._known[page_id]
        page = self._store.page(page_id)
        if page is not None and page.task == self._task:
            return page.depth
        self._known[page_id] = None  # nobody goes round in circles
        found = []
        for link in self._store.links_to(page_id, _LINKS_LOOKED_AT) if steps else ():
            source = self._of(link.source, steps - 1)
            if source is not None:
                found.append(source + (link.type != "redirect"))
        self._known[page_id] = min(found, default=None)
        return self._known[page_id]
