"""Continue a task: in the crawl that runs, by fetchers that stand by, or in a process that is started for it."""

import time
from pathlib import Path
from typing import Literal

from gossamer.crawl.control.command_mailbox import Continue, read_spec
from gossamer.crawl.control.reach_crawl import is_crawled
from gossamer.crawl.control.send_order import tell_crawl
from gossamer.crawl.control.start_tasks import start_tasks
from gossamer.crawl.steer.start_process import list_starts, start_process
from gossamer.store.batch import Store, TaskNote
from gossamer.store.opening.open_archive import DATABASE

Continued = Literal["done", "told", "started"]
"""`done`: a crawl works on the task; `told`: a crawl was told, and has not answered yet; `started`: a process starts."""

_STARTING_S = 10.0
_POLL_S = 0.1


def continue_task(store: Store, folder: Path, note: TaskNote, wait_s: float) -> Continued:
    """Continue a task that was stopped, paused or left, or that has finished and was changed since."""
    _await_start(store, folder)
    done = tell_crawl(store, folder, Continue(note.number), _is_running, wait_s)
    if done is not None:
        return "done" if done else "told"
    if _has_fetchers(store, folder):
        start_tasks(store, [(note, read_spec(note))], [], time.time(), others_run=True)
        return "done"
    start_process(folder, note.number, time.time())
    return "started"


def _is_running(note: TaskNote) -> bool:
    return note.state == "running"


def _await_start(store: Store, folder: Path) -> None:
    """Wait while a process that was started a moment ago takes the lock: two of them would refuse each other."""
    until_s = time.monotonic() + _STARTING_S
    while time.monotonic() < until_s and not is_crawled(store, folder):
        new = [one for one in list_starts(folder) if one.alive and time.time() - one.when_s < _STARTING_S]
        if not new:
            return
        time.sleep(_POLL_S)


def _has_fetchers(store: Store, folder: Path) -> bool:
    if not (folder / DATABASE).exists():
        return False
    from gossamer.store.postgres.postgres_store import PostgresStore

    return isinstance(store, PostgresStore) and store.has_fetchers()
