"""The documents behind a count of a task, page by page, and the name of the count in words."""

import time

import msgspec

from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.status.read_status import list_documents
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.printable_text import clean_text
from gossamer.reports.crawls.stored_patterns import check_task_patterns
from gossamer.store.batch import TaskNote
from gossamer.web import Web

PER_PAGE = 100
# A list is searched piece by piece; a page waits so long for its first document.
_PAGE_S = 0.5
_KINDS = {"failed": "failed", "refused": "refused", "filtered": "not followed"}
_NAMES = {"cache hits": "from the cache", "seen": "seen before", "filtered": "not followed"}
_HOST_COUNTS = ("waiting", "under way", "failures")
"""Counts of one host: its name follows the colon."""
_JUDGED = ("checked", "seen", "filtered")
"""Lists for which links are judged again."""


class DocumentPage(msgspec.Struct, frozen=True):
    """Some documents behind a count, and from where to go on."""

    task: int
    count: str
    documents: list[CountedDocument]
    next_after: int = 0
    """Ask again with this as `after`; 0 at the end. A page may be empty and have more."""
    remark: str = ""


def read_page(web: Web, task: int, count: str, after: int = 0, most: int = PER_PAGE) -> DocumentPage:
    """Return a page of the documents behind a count of a task; the list is searched until something is found."""
    if count.partition(":")[0] in _JUDGED:
        for note in web.store.tasks():
            if note.number == task:
                check_task_patterns(web, note)
    until_s = time.monotonic() + _PAGE_S
    while True:
        found = list_documents(web.store, web.folder, task, count, after, most)
        after = found.next_after
        if found or not after or time.monotonic() >= until_s:
            return DocumentPage(task, count, list(found), after, found.remark)


def describe_name(count: str) -> str:
    """Return the name of a count as people read it: failed:404 is "failed: the server answered 404"."""
    kind, _, cause = count.partition(":")
    if not cause:
        return _NAMES.get(count, count)
    if kind in _HOST_COUNTS:
        return f"{kind} at {clean_text(cause)}"
    return f"{_KINDS.get(kind, kind)}: {describe_cause(cause)}"


def count_documents(note: TaskNote, count: str) -> int | None:
    """Return how many documents a count has counted; None for what changes all the time."""
    if count.partition(":")[0] in _HOST_COUNTS:
        return None
    if ":" in count or count in note.counts:
        return note.counts.get(count, 0)
    kinds = [times for name, times in note.counts.items() if name.startswith(f"{count}:")]
    return sum(kinds) if count in _KINDS else None
