"""Submit pages to a task, or withdraw them: orders go to the running crawl, or wait for the next run."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import (
    Submit,
    Withdraw,
    apply_at_rest,
    read_spec,
)
from gossamer.crawl.control.reach_crawl import is_crawled, open_mailbox
from gossamer.crawl.control.send_order import send_order
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.control.submitted_pages import list_submitted, note_submitted
from gossamer.errors import BadInput
from gossamer.store.batch import Batch, Store, TaskNote
from gossamer.store.lock import Lock
from gossamer.store.tombstones import check_not_forgotten


def select_crawls(notes: Iterable[TaskNote]) -> list[TaskNote]:
    """Return the tasks that have start pages: imports have none and cannot be resumed."""
    specs = [(note, read_spec(note)) for note in notes]
    return [note for note, spec in specs if spec.seeds or spec.seed_files or spec.sitemaps]


def make_submission(store: Store, note: TaskNote, urls: Sequence[str]) -> Submit:
    """Return the order that adds start pages to a task; raise BadInput for a page that cannot be fetched, or was forgotten."""
    pages = list_start_pages(TaskSpec(seeds=tuple(urls)))
    check_not_forgotten(store, pages)
    return Submit(note.number, tuple(pages))


def submit(store: Store, folder: Path, order: Submit) -> bool:
    """Add start pages to a task; return whether a running crawl will fetch them soon."""
    return send_order(store, folder, order)


def make_withdrawals(store: Store, folder: Path, pages: Sequence[str], task: int = 0) -> list[Withdraw]:
    """Return the orders that take back submitted pages, of one task or of all; raise BadInput where that is too late."""
    wanted = list_start_pages(TaskSpec(seeds=tuple(pages)))
    found = [one for one in list_submitted(store, folder) if task in (0, one.number)]
    orders: dict[int, list[str]] = {}
    for url in wanted:
        states = {one.number: one.state for one in found if one.url == url}
        if not states:
            raise BadInput(f"{url} was not submitted; `gossamer submit --list` shows the pages that were")
        open_tasks = [number for number, state in states.items() if state in ("submitted", "waiting")]
        if not open_tasks:
            raise BadInput(f"{url} can no longer be withdrawn: it is {next(iter(states.values()))}")
        for number in open_tasks:
            orders.setdefault(number, []).append(url)
    return [Withdraw(number, tuple(gone)) for number, gone in orders.items()]


def withdraw(store: Store, folder: Path, order: Withdraw, now_s: float) -> bool:
    """Take back submitted pages; return whether a running crawl does so soon."""
    if is_crawled(store, folder):
        open_mailbox(store, folder).append(order)
        return True
    with Lock(folder):
        withdraw_at_rest(store, folder, order, now_s)
    return False


def withdraw_at_rest(store: Store, folder: Path, order: Withdraw, now_s: float) -> None:
    """Take back pages in a web that is not being crawled; the caller holds its lock."""
    taken = {one.url for one in list_submitted(store, folder) if one.number == order.task and one.when_s}
    apply_at_rest(store, open_mailbox(store, folder), order)
    gone = [url for url in order.urls if url in taken]
    store.commit(Batch(notes=note_submitted(order.task, gone, now_s, withdrawn=True)))
