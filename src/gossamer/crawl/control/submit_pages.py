"""Submit pages to a task: they go to the running crawl, or wait for the next run."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import Mailbox, Submit, apply_at_rest, is_running, read_spec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.store.batch import Store, TaskNote
from gossamer.store.lock import Lock


def select_crawls(notes: Iterable[TaskNote]) -> list[TaskNote]:
    """Return the tasks that have start pages: imports have none and cannot be resumed."""
    specs = [(note, read_spec(note)) for note in notes]
    return [note for note, spec in specs if spec.seeds or spec.seed_files or spec.sitemaps]


def make_submission(note: TaskNote, urls: Sequence[str]) -> Submit:
    """Return the order that adds start pages to a task; raise BadInput for a page that cannot be fetched."""
    return Submit(note.number, tuple(list_start_pages(TaskSpec(seeds=tuple(urls)))))


def submit(store: Store, folder: Path, order: Submit) -> bool:
    """Add start pages to a task; return whether a running crawl will fetch them soon."""
    if is_running(folder):
        Mailbox(folder).append(order)
        return True
    with Lock(folder):
        apply_at_rest(store, folder, order)
    return False
