"""Keeps the links and visits of a served web sorted for look-ups: a server reads the web only, and would scan what is not sorted."""

import logging
import sqlite3
import threading
from pathlib import Path

from gossamer.errors import GossamerError
from gossamer.store.opening.open_archive import DATABASE
from gossamer.store.opening.open_store import STATE
from gossamer.store.sqlite.sqlite_store import SqliteStore

_PAUSE_S = 30.0
_TABLES = ("link", "visit")


class LookUpSorter:
    """A thread that sorts new rows, in short transactions, so that a crawl of the same web is hardly delayed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to sort; a web in a database has indexes of its own."""
        if not (self._folder / DATABASE).exists():
            self._thread.start()

    def close(self) -> None:
        """Sort no more."""
        self._closed.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                sort_look_ups(self._folder)
            except (GossamerError, sqlite3.Error, OSError) as error:  # a disk that is read only, for example
                logging.getLogger(__name__).info("links are not sorted: %s", error)
            self._closed.wait(_PAUSE_S)


def sort_look_ups(folder: Path) -> None:
    """Sort the new rows of a web."""
    store = SqliteStore(folder / STATE)
    try:
        for table in _TABLES:
            store.sorter.prepare(table)
    finally:
        store.close()
