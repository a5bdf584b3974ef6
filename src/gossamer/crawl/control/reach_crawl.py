"""Find out whether a web is being crawled, and how to reach the crawl, wherever its processes are."""

from pathlib import Path

from gossamer.crawl.control.command_mailbox import Mailbox, OrderBox, is_running
from gossamer.crawl.control.stored_mailbox import StoredMailbox
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import DATABASE


def is_crawled(store: Store, folder: Path) -> bool:
    """Say whether a crawl reads the mailbox: then orders go there, otherwise straight into the store."""
    if not (folder / DATABASE).exists():
        return is_running(folder)
    from gossamer.store.postgres.postgres_store import PostgresStore

    has_task = any(note.state == "running" for note in store.tasks())
    return has_task and isinstance(store, PostgresStore) and store.has_fetchers()


def open_mailbox(store: Store, folder: Path) -> OrderBox:
    """Open the mailbox, to append orders or to read all of them."""
    return StoredMailbox(store) if (folder / DATABASE).exists() else Mailbox(folder, 0)
