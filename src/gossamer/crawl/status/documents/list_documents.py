"""List the documents behind each count of a task: what was checked, queued, seen, filtered, kept, failed, refused, waits.

No list takes longer than a fraction of a second: what is not found by then is left to the next page.
"""

from functools import partial
from pathlib import Path

from gossamer.crawl.status.documents.checked_links import list_checked
from gossamer.crawl.status.documents.document_list import DocumentList, list_in_turn
from gossamer.crawl.status.documents.ended_requests import RESULTS, list_ended, list_failures
from gossamer.crawl.status.documents.filtered_documents import list_filtered
from gossamer.crawl.status.documents.requests_left import list_under_way, list_waiting
from gossamer.crawl.task_counts import REQUISITES, sum_prefix
from gossamer.errors import BadInput
from gossamer.store.batch import Store, TaskNote

_GROUPS = {
    "queued": tuple(RESULTS),
    "loaded": ("downloaded", REQUISITES, "not modified"),
    "not loaded": ("redirected", "failed", "refused"),
}
"""Counts that are sums of others."""
_QUEUED = "waiting requests first, with those under way, then those that have ended, by result"


def list_documents(
    store: Store, folder: Path, task: int, count_name: str, after: int = 0, most: int = 100
) -> DocumentList:
    """Return up to `most` documents behind a count of a task, after the `next_after` of the page before."""
    note = next((note for note in store.tasks() if note.number == task), None)
    if note is None:
        raise BadInput(f"the web has no task {task}")
    kind, _, cause = count_name.partition(":")
    match kind:
        case "checked" | "seen" if not cause:
            return list_checked(store, note, after, most, seen_only=kind == "seen")
        case _ if count_name in _GROUPS:
            return _list_group(store, note, kind, after, most)
        case "waiting":
            return list_waiting(store, task, cause, after, most)
        case "under way":
            return list_under_way(store, folder, task, cause)
        case "filtered":
            return list_filtered(store, note, cause, after, most)
        case "failures" if cause:
            return list_failures(store, task, cause, after, most)
        case _ if kind in RESULTS:
            return list_ended(store, note, kind, cause, after, most)
    raise BadInput(
        f"there is no list of documents for {count_name!r}: ask for checked, queued, seen, filtered, failed, refused:CAUSE, …"
    )


def _list_group(store: Store, note: TaskNote, group: str, after: int, most: int) -> DocumentList:
    """List requests of a task with several results, one result after the other; those of `queued` that wait come first."""
    parts = [partial(_list_ended, store, note, kind) for kind in _GROUPS[group]]
    if group == "queued":
        parts.insert(0, partial(list_waiting, store, note.number, ""))
    return list_in_turn(parts, after, most, _QUEUED if group == "queued" else "")


def _list_ended(store: Store, note: TaskNote, kind: str, after: int, most: int) -> DocumentList:
    if not note.counts.get(kind) and not sum_prefix(note.counts, f"{kind}:"):
        return DocumentList()  # without a search for what is not there
    return list_ended(store, note, kind, "", after, most)
