"""A fetcher in a process that another program has placed on this machine: it crawls in a thread, and reports when it is asked."""

import os
import socket
import threading
import time
from collections import deque
from contextlib import closing

import msgspec

from gossamer.cluster.fetcher import Fetcher
from gossamer.cluster.joined_crawl import make_fetcher_name
from gossamer.cluster.ray_messages import CrawlEvent, FetcherReport
from gossamer.crawl.events import Notice, TaskEnded
from gossamer.errors import BadInput, GossamerError
from gossamer.store.opening.web_archive import WebArchive
from gossamer.store.opening.web_location import find_database, resolve_web

PATIENCE_S = 60.0
"""A fetcher that was not asked for this long leaves: the program that placed it is gone, or cut off."""
_MOST_EVENTS = 10_000
"""Between two reports; of more, the oldest are left out. They are for displays only."""


class PlacedFetcher:
    """Crawls its part of a web from the moment it is made."""

    def __init__(self, web: str, connections: int, lease_s: float, patience_s: float = PATIENCE_S) -> None:
        self._web = web
        self._connections = connections
        self._lease_s = lease_s
        self._patience_s = patience_s
        self._machine = socket.gethostname()
        self._name = make_fetcher_name(self._machine)
        self._events: deque[CrawlEvent] = deque(maxlen=_MOST_EVENTS)
        self._fetcher: Fetcher | None = None
        self._failure = ""
        self._why = ""
        """Why it is to leave; "" while it is not."""
        self._lock = threading.Lock()
        self._asked_s = time.monotonic()
        self._left = threading.Event()
        threading.Thread(target=self._run, name="fetcher", daemon=True).start()
        threading.Thread(target=self._leave_if_forgotten, name="patience", daemon=True).start()

    def has_left(self) -> bool:
        """Say whether it has written its visits and left."""
        return self._left.is_set()

    def report(self) -> bytes:
        """Return a `FetcherReport`, in MessagePack: what has happened since the last one."""
        self._asked_s = time.monotonic()
        has_left = self.has_left()  # first: no event comes after it
        events = [self._events.popleft() for _ in range(len(self._events))]
        return msgspec.msgpack.encode(
            FetcherReport(self._name, self._machine, os.getpid(), events, has_left, self._failure)
        )

    def leave(self, why: str) -> bytes:
        """Finish the visits under way, write them, and leave; return the last report."""
        self._stop(why)
        self._left.wait()
        return self.report()

    def _stop(self, why: str) -> None:
        with self._lock:
            self._why = why
            if self._fetcher is not None:
                self._fetcher.stop(why)

    def _run(self) -> None:
        try:
            self._crawl()
        except GossamerError as error:
            self._failure = str(error)
        except Exception as error:  # noqa: BLE001 - reported by the program that placed this fetcher
            self._failure = f"{type(error).__name__}: {error}"
        finally:
            self._left.set()

    def _crawl(self) -> None:
        folder = resolve_web(self._web)
        address = find_database(folder)
        if address is None:
            raise BadInput(f"{self._web} is not the address of a database")
        with closing(WebArchive(address, folder, self._name, self._say)) as archive:
            fetcher = Fetcher(
                address,
                folder,
                self._name,
                self._machine,
                self._connections,
                archive.open_writer,
                self._watch,
                lease_s=self._lease_s,
                check_archive=archive.check,
            )
            with self._lock:
                self._fetcher = fetcher
                if self._why:
                    fetcher.stop(self._why)
            fetcher.run()

    def _watch(self, event: CrawlEvent) -> None:
        if not isinstance(event, TaskEnded):  # told by the crawl that placed the fetchers
            self._events.append(event)

    def _say(self, text: str) -> None:
        self._watch(Notice(time.time(), text))

    def _leave_if_forgotten(self) -> None:
        while not self._left.wait(self._patience_s / 10):
            if time.monotonic() - self._asked_s > self._patience_s:
                self._failure = "the program that placed it was silent"
                self._stop(self._failure)
                return
