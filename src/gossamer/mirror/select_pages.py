"""Select the pages of a web that a mirror holds: those that one task fetched, or those that a scope allows."""

from collections.abc import Callable, Container
from typing import Literal

from gossamer.mirror.recent_pages import RecentPages
from gossamer.mirror.write_mirror import MirrorSource, PageReader
from gossamer.records import Page, Visit
from gossamer.store.batch import Store

_SUCCESS = range(200, 300)
_GONE = ("404", "410")
_REACHED = ("fetched", "not modified", "cache hit")


def select_of_task(
    store: Store,
    archive: PageReader,
    task: int,
    mirrored: Container[str],
    recent: RecentPages | None = None,
) -> MirrorSource:
    """Return what a task fetched, and what it could not fetch this time but the mirror has.

    A page whose server was away is not gone: only 404 and 410 are, and pages that nothing leads to any more.
    """
    pages = _list_pages(store)
    ends: dict[int, Literal["reached", "gone", "away"]] = {}
    for visit in store.all_visits():
        if visit.task == task and (end := _judge_visit(visit)) is not None:
            ends[visit.page] = end
    wanted = {
        page_id: page
        for page_id, page in pages.items()
        if ends.get(page_id) == "reached" or (ends.get(page_id) == "away" and page.url in mirrored)
    }
    return MirrorSource(wanted, list(wanted), dict(store.redirects()), archive, recent)


def select_in_scope(store: Store, archive: PageReader, is_wanted: Callable[[Page], bool]) -> MirrorSource:
    """Return the pages of a web that are wanted; what they need to be shown comes with them."""
    pages = _list_pages(store)
    wanted = [page_id for page_id, page in pages.items() if page.index and is_wanted(page)]
    return MirrorSource(pages, wanted, dict(store.redirects()), archive)


def _list_pages(store: Store) -> dict[int, Page]:
    """Return the pages that are whole files: answered with success, and archived."""
    return {page.id: page for page in store.pages() if page.status in _SUCCESS and page.warc}


def _judge_visit(visit: Visit) -> Literal["reached", "gone", "away"] | None:
    if visit.result in _REACHED:
        return "reached"
    if visit.result == "robots":
        return None
    return "gone" if visit.result != "failed" or visit.detail in _GONE else "away"
