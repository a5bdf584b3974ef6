"""Takes saved pages into state, archive and index of a web, as soon as no crawl holds its lock."""

import logging
import threading
from pathlib import Path

from gossamer.crawl.control.command_mailbox import is_running
from gossamer.crawl.from_archive.saved_pages import count_waiting, take_in_saved
from gossamer.errors import GossamerError
from gossamer.store.lock import Lock
from gossamer.store.opening.open_archive import DATABASE
from gossamer.web import Web

_RETRY_S = 5.0


class SavedPageTaker:
    """A thread that runs while saved pages wait."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._wanted = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    @property
    def can_save(self) -> bool:
        """Whether pages can be saved in this web: not in one whose state is in a database."""
        return not (self.folder / DATABASE).exists()

    def start(self) -> None:
        """Take in what waits, in the background."""
        with self._lock:
            self._wanted.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread; what still waits is taken in by the next writer."""
        self._closed.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wanted.wait()
            self._wanted.clear()
            while count_waiting(self.folder) and not self._closed.is_set():
                if is_running(self.folder) or not self._take_in():
                    self._closed.wait(_RETRY_S)

    def _take_in(self) -> bool:
        """Take in what waits, and index it if the web has an index; return whether that was possible."""
        try:
            with Web(self.folder, create=False) as web:
                with Lock(self.folder):
                    take_in_saved(web.store, self.folder)
                if web.index_folder.is_dir():
                    web.index()
        except GossamerError as error:  # such as a crawl that was quicker
            logging.getLogger(__name__).info("saved pages wait: %s", error)
            return False
        except Exception:
            logging.getLogger(__name__).exception(
                "saved pages cannot be taken in; they wait for the next crawl"
            )
            return False
        return True
