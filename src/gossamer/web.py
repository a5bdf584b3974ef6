"""Web: opens a collection and hands out its parts."""

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.events import Watcher
from gossamer.crawl.local import Crawl
from gossamer.crawl.task import Task
from gossamer.errors import BadInput
from gossamer.records import Page
from gossamer.store.batch import TaskNote
from gossamer.store.lock import Lock
from gossamer.store.sqlite import SqliteStore

STATE = "state.sqlite"


class Web:
    """One collection: a directory with its state, its archive, and later its index and models."""

    def __init__(self, folder: Path, create: bool = True) -> None:
        self.folder = folder
        if create:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise BadInput(f"no web can be made at {folder}: {error.strerror}") from None
        elif not (folder / STATE).exists():
            raise BadInput(f"there is no web at {folder}; `gossamer crawl URL --web {folder}` makes one")
        self.store = SqliteStore(folder / STATE, create=create)

    def __enter__(self) -> "Web":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the web."""
        self.store.close()

    def tasks(self) -> list[TaskNote]:
        """Return all tasks, the oldest first."""
        return self.store.tasks()

    def run(
        self,
        new: Sequence[Task] = (),
        again: Sequence[TaskNote] = (),
        watcher: Watcher | None = None,
        ready: Callable[[Crawl], None] | None = None,
    ) -> None:
        """Crawl until the tasks have ended: new ones, and some that were left before.

        `ready` is given the crawl before it begins, to stop it by.
        """
        with Lock(self.folder):
            crawl = Crawl(self.store, self.folder, watcher or _unheard)
            for note in again:
                crawl.resume(note, Task(msgspec.json.decode(note.spec, type=TaskSpec)))
            for task in new:
                crawl.add(task)
            if ready is not None:
                ready(crawl)
            asyncio.run(crawl.run())

    def crawl(self, task: Task) -> Iterator[Page]:
        """Crawl, and give each page as it is kept."""
        pages: queue.Queue[Page | BaseException | None] = queue.Queue(maxsize=1000)
        running: list[Crawl] = []
        task.listeners.append(pages.put)

        def work() -> None:
            try:
                self.run([task], ready=running.append)
                pages.put(None)
            except BaseException as error:  # noqa: BLE001 - handed over to whoever iterates
                pages.put(error)

        thread = threading.Thread(target=work, name="gossamer crawl", daemon=True)
        thread.start()
        try:
            while (page := pages.get()) is not None:
                if isinstance(page, BaseException):
                    raise page
                yield page
        finally:
            task.listeners.remove(pages.put)
            for crawl in running:
                crawl.stop("nobody listens any more")
            while thread.is_alive():
                while not pages.empty():
                    pages.get_nowait()
                thread.join(0.05)


def _unheard(event: Any) -> None:
    """Nobody watches."""


def open_web(path: str | Path, create: bool = True) -> Web:
    """Open the web in a directory; make one if there is none, unless told not to."""
    return Web(Path(path), create)
