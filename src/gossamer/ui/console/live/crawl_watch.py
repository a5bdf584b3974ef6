"""Read the status of a crawl once a second for all who look at it: ten viewers cost the crawl as much as one."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
from starlette.requests import Request

from gossamer.crawl.status.read_status import list_hosts, read_status
from gossamer.crawl.status.status_records import CrawlStatus, HostStatus
from gossamer.errors import GossamerError
from gossamer.ui.connections.event_response import TooManyViewers
from gossamer.ui.page_context import PageContext
from gossamer.web import Web

HOSTS_SHOWN = 20
_EVERY_S = 1.0
_LOOK_EVERY_S = 0.2
"""The states of tasks are looked at more often: they change seldom, and a person who has stopped a task waits for it."""
# Reading the status, and reading the hosts, each take at most a twentieth of the time of one processor.
_SHARE_OF_TIME = 0.05
_MOST_VIEWERS = 200
_FAILED = "the status of the crawl cannot be read; the server's log has the details"
_log = logging.getLogger(__name__)


class CrawlSnapshot(msgspec.Struct, frozen=True):
    """What is known of the crawls of a web at one moment."""

    status: CrawlStatus
    hosts: dict[int, list[HostStatus]]
    """By task, 0 for all: the hosts with the longest queues."""

    def get_hosts(self, task: int) -> list[HostStatus]:
        """Return the hosts of a task with the longest queues; 0 for all tasks."""
        return self.hosts.get(task, [])


class LiveMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is sent to viewers."""

    head: str = ""
    """The HTML of the headline."""
    html: str = ""
    """The HTML of the tables."""
    point: dict[str, float] = {}
    """The newest point of each curve."""
    trouble: str = ""
    """Why there is no status, in one sentence."""


class Viewer:
    """One who looks: holds the newest message until it is taken."""

    def __init__(self, task: int) -> None:
        self.task = task
        self._loop = asyncio.get_running_loop()
        self._came = asyncio.Event()
        self._message: bytes | None = None

    def give(self, message: bytes) -> None:
        """Replace the message; any thread may call it."""

        def put() -> None:
            self._message = message
            self._came.set()

        with suppress(RuntimeError):  # the loop is closed: the viewer has gone
            self._loop.call_soon_threadsafe(put)

    async def take(self, timeout_s: float) -> bytes | None:
        """Wait for the next message; return None if none comes in time."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._came.wait(), timeout_s)
        self._came.clear()
        message, self._message = self._message, None
        return message


class SnapshotReader:
    """Reads snapshots of one web, and keeps for a while what takes long to read."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last: tuple[float, CrawlSnapshot] | None = None
        self._hosts: dict[int, tuple[float, list[HostStatus]]] = {}
        """By task: until when they are kept, and the hosts."""
        self.rest_s = _EVERY_S
        """How long to wait until the next snapshot is due."""

    def read(self, web: Web, task: int, most_age_s: float = 0.0) -> CrawlSnapshot:
        """Return a snapshot with the hosts of a task that is at most this old; read a new one if there is none."""
        with self._lock:
            if self._last is not None:
                read_s, snapshot = self._last
                if self._clock() - read_s <= most_age_s and task in snapshot.hosts:
                    return snapshot
            began_s = self._clock()
            status = read_status(web.store, web.folder, time.time(), with_depths=False)
            self.rest_s = max(_EVERY_S, (self._clock() - began_s) / _SHARE_OF_TIME)
            wanted = {task, *(one for one in self._hosts if self._hosts[one][0] > began_s)}
            hosts = {one: self._read_hosts(web, one) for one in wanted}
            snapshot = CrawlSnapshot(status, hosts)
            self._last = self._clock(), snapshot
            return snapshot

    def has_new_states(self, web: Web) -> bool:
        """Say whether a task has another state than in the last snapshot, which then is no longer shared."""
        states = [(note.number, note.state, note.reason) for note in web.store.tasks()]
        with self._lock:
            if self._last is None:
                return False
            notes = [one.note for one in self._last[1].status.tasks]
            if sorted(states) == sorted((note.number, note.state, note.reason) for note in notes):
                return False
            self._last = None
            return True

    def _read_hosts(self, web: Web, task: int) -> list[HostStatus]:
        began_s = self._clock()
        until_s, hosts = self._hosts.get(task, (0.0, []))
        if began_s < until_s:
            return hosts
        hosts = list_hosts(web.store, web.folder, time.time(), "waiting", HOSTS_SHOWN, task or None)
        ended_s = self._clock()
        kept_s = (ended_s - began_s) / _SHARE_OF_TIME
        self._hosts[task] = (ended_s + (kept_s if kept_s > _EVERY_S else 0.0), hosts)
        return hosts


class CrawlWatch:
    """Gives the newest status to all viewers; its thread runs while there are any."""

    def __init__(
        self, open_web: Callable[[], Web], make_message: Callable[[CrawlSnapshot, int], LiveMessage]
    ) -> None:
        """`make_message` renders a snapshot for the viewers of a task, 0 for all tasks."""
        self.reader = SnapshotReader()
        self._open_web = open_web
        self._make_message = make_message
        self._lock = threading.Lock()
        self._viewers: set[Viewer] = set()
        self._is_running = False
        self._wake = threading.Event()
        self._newest: dict[int, tuple[LiveMessage, bytes]] = {}
        """By task: the last message, and the same as it is sent."""

    @property
    def is_running(self) -> bool:
        """Whether the thread reads for viewers."""
        return self._is_running

    @contextmanager
    def add_viewer(self, task: int) -> Iterator[Viewer]:
        """Give messages to a viewer of a task during the block; raise TooManyViewers if there is no room."""
        viewer = Viewer(task)
        with self._lock:
            if len(self._viewers) >= _MOST_VIEWERS:
                raise TooManyViewers
            self._viewers.add(viewer)
            if task in self._newest:
                viewer.give(self._newest[task][1])
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._watch, name="crawl-watch", daemon=True).start()
            elif task not in self._newest:
                self._wake.set()
        try:
            yield viewer
        finally:
            with self._lock:
                self._viewers.discard(viewer)
                if not self._viewers:
                    self._wake.set()

    def _watch(self) -> None:
        """Read and publish until the last viewer has gone."""
        web: Web | None = None
        try:
            while tasks := self._list_tasks():
                try:
                    web = web or self._open_web()
                    self._give_all(web, tasks)
                except Exception as error:  # noqa: BLE001 - viewers are told, and the next turn tries again
                    self._give_trouble(tasks, error)
                self._rest(web)
        finally:
            if web is not None:
                web.close()

    def _rest(self, web: Web | None) -> None:
        """Wait until a snapshot is due: for a while, or until a viewer comes or goes, or a task has another state."""
        until_s, look_s = time.monotonic() + self.reader.rest_s, _LOOK_EVERY_S
        while (left_s := until_s - time.monotonic()) > 0 and not self._wake.wait(min(left_s, look_s)):
            began_s = time.monotonic()
            with suppress(Exception):  # the next snapshot tells viewers what is wrong
                if web is not None and self.reader.has_new_states(web):
                    break
            look_s = max(_LOOK_EVERY_S, (time.monotonic() - began_s) / _SHARE_OF_TIME)
        self._wake.clear()

    def _list_tasks(self) -> set[int]:
        """Return the tasks that viewers look at; none ends the thread."""
        with self._lock:
            if not self._viewers:
                self._is_running = False
                self._newest.clear()
            return {viewer.task for viewer in self._viewers}

    def _give_all(self, web: Web, tasks: set[int]) -> None:
        for task in tasks:
            snapshot = self.reader.read(web, task, _EVERY_S / 2)
            self._give(task, self._make_message(snapshot, task))

    def _give_trouble(self, tasks: set[int], error: Exception) -> None:
        if not isinstance(error, GossamerError):
            _log.error("cannot read the status of the crawl", exc_info=error)
        sentence = str(error) if isinstance(error, GossamerError) else _FAILED
        for task in tasks:
            self._give(task, LiveMessage(trouble=sentence))

    def _give(self, task: int, message: LiveMessage) -> None:
        """Give a message to all who look at a task, unless the page would not change."""
        with self._lock:
            before = self._newest.get(task, (None, b""))[0]
            if before and before == msgspec.structs.replace(message, point=before.point):
                return
            packed = msgspec.json.encode(message)
            self._newest[task] = message, packed
            for viewer in self._viewers:
                if viewer.task == task:
                    viewer.give(packed)


def get_watch(request: Request) -> CrawlWatch:
    """Return the watch of the application that handles a request."""
    watch: CrawlWatch = request.app.state.crawl_watch
    return watch


def read_snapshot(request: Request, context: PageContext, task: int) -> CrawlSnapshot:
    """Return a snapshot for a page; several requests within a second share one."""
    with context.borrow_web() as web:
        return get_watch(request).reader.read(web, task, _EVERY_S)
