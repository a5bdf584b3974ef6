"""Pages that people submit: they go to a crawl that is running, or wait for the next run of their task."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from gossamer.config import TaskSpec
from gossamer.crawl.control.mailbox import Mailbox, Submit, carry_out_at_rest, is_running, spec_of
from gossamer.crawl.control.start_tasks import start_pages
from gossamer.store.batch import Store, TaskNote
from gossamer.store.lock import Lock


def crawling(notes: Iterable[TaskNote]) -> list[TaskNote]:
    """Return the tasks that have start pages: what was imported has none, and no crawl can go on with it."""
    specs = [(note, spec_of(note)) for note in notes]
    return [note for note, spec in specs if spec.seeds or spec.seed_files or spec.sitemaps]


def submission(note: TaskNote, urls: Sequence[str]) -> Submit:
    """Return the order that gives a task further start pages; refuse what is none."""
    return Submit(note.number, tuple(start_pages(TaskSpec(seeds=tuple(urls)))))


def submit(store: Store, folder: Path, order: Submit) -> bool:
    """Give a task further start pages; say whether a crawl is running that fetches them soon."""
    if is_running(folder):
        Mailbox(folder).tell(order)
        return True
    with Lock(folder):
        carry_out_at_rest(store, folder, order)
    return False
