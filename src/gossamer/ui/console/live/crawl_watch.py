"""Read the status of a crawl once a second for all who look at it: ten viewers cost the crawl as much as one."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Literal

import msgspec
from starlette.requests import Request

from gossamer.crawl.status.read_status import list_hosts, read_status
from gossamer.crawl.status.status_records import CrawlStatus, HostStatus
from gossamer.errors import GossamerError
from gossamer.store.batch import TaskNote
from gossamer.ui.connections.event_response import TooManyViewers
from gossamer.ui.page_context import PageContext
from gossamer.web import Web

HOSTS_SHOWN = 20
SHARED_S = 0.5
"""What viewers of several pages get within this time comes from one look at the store."""
_EVERY_S = 1.0
_LOOK_EVERY_S = 0.2
"""The states of tasks are looked at more often: they change seldom, and a person who has stopped a task waits for it."""
# Reading the status, and reading the hosts, each take at most a twentieth of the time of one processor.
_SHARE_OF_TIME = 0.05
# Pages that ask once a second shall not get the same twice because they asked a little early.
_SHARE_OF_REST = 0.9
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


class Subject(msgspec.Struct, frozen=True):
    """What a viewer looks at: the live page, the list of tasks, or the page of one task."""

    task: int = 0
    """0 for all tasks."""
    page: Literal["live", "tasks", "task"] = "live"


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

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
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
        self._last: CrawlSnapshot | None = None
        self._last_s = 0.0
        """When it was read."""
        self._hosts: dict[int, tuple[float, list[HostStatus]]] = {}
        """By task: until when they are kept, and the hosts."""
        self.rest_s = _EVERY_S
        """How long to wait until the next snapshot is due."""

    def read(self, web: Web, task: int, most_age_s: float = 0.0) -> CrawlSnapshot:
        """Return a snapshot with the hosts of a task that is at most this old; read a new one if there is none."""
        with self._lock:
            snapshot = self._read_newest(web, most_age_s)
            if task not in snapshot.hosts:
                hosts = {**snapshot.hosts, task: self._read_hosts(web, task)}
                snapshot = self._last = CrawlSnapshot(snapshot.status, hosts)
            return snapshot

    def read_status(self, web: Web, most_age_s: float = 0.0) -> CrawlStatus:
        """Return a status that is at most this old; read a new one if there is none."""
        with self._lock:
            return self._read_newest(web, most_age_s).status

    def read_shared_status(self, web: Web) -> CrawlStatus:
        """Return the status of about the last second; a new one if a task has another state or other options since."""
        self.forget_older(read_states(web))
        return self.read_status(web, _SHARE_OF_REST * self.rest_s)

    def forget_older(self, states: "TaskStates") -> None:
        """Do not share the last snapshot any longer if tasks had other states or options in it."""
        with self._lock:
            if self._last and states != _strip_counts(one.note for one in self._last.status.tasks):
                self._last = None

    def _read_newest(self, web: Web, most_age_s: float) -> CrawlSnapshot:
        began_s = self._clock()
        if self._last is not None and began_s - self._last_s < most_age_s:
            return self._last
        self._last = CrawlSnapshot(read_status(web.store, web.folder, time.time()), {})
        self._last_s = self._clock()
        self.rest_s = max(_EVERY_S, (self._last_s - began_s) / _SHARE_OF_TIME)
        return self._last

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


TaskStates = list[tuple[int, str, str, bytes]]
"""The number, state, reason and options of each task."""
MakeMessage = Callable[[Web, SnapshotReader, Subject], LiveMessage]


class CrawlWatch:
    """Gives the newest status to all viewers; its thread runs while there are any."""

    def __init__(self, open_web: Callable[[], Web], make_message: MakeMessage) -> None:
        """`make_message` renders what the viewers of a page see."""
        self.reader = SnapshotReader()
        self._open_web = open_web
        self._make_message = make_message
        self._lock = threading.Lock()
        self._viewers: set[Viewer] = set()
        self._is_running = False
        self._wake = threading.Event()
        self._shown: TaskStates = []
        """The states of tasks that viewers have seen."""
        self._newest: dict[Subject, tuple[LiveMessage, bytes]] = {}
        """The last message about each subject, and the same as it is sent."""

    @property
    def is_running(self) -> bool:
        """Whether the thread reads for viewers."""
        return self._is_running

    @contextmanager
    def add_viewer(self, subject: Subject) -> Iterator[Viewer]:
        """Give messages to a viewer during the block; raise TooManyViewers if there is no room."""
        viewer = Viewer(subject)
        with self._lock:
            if len(self._viewers) >= _MOST_VIEWERS:
                raise TooManyViewers
            self._viewers.add(viewer)
            if subject in self._newest:
                viewer.give(self._newest[subject][1])
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._watch, name="crawl-watch", daemon=True).start()
            elif subject not in self._newest:
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
            while subjects := self._list_subjects():
                try:
                    web = web or self._open_web()
                    self._shown = read_states(web)
                    for subject in subjects:
                        self._give(subject, self._make_message(web, self.reader, subject))
                except Exception as error:  # noqa: BLE001 - viewers are told, and the next turn tries again
                    self._give_trouble(subjects, error)
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
                # Compared with what viewers have seen: a page that was loaded meanwhile may have read the news already.
                if web is not None and (states := read_states(web)) != self._shown:
                    self.reader.forget_older(states)
                    break
            look_s = max(_LOOK_EVERY_S, (time.monotonic() - began_s) / _SHARE_OF_TIME)
        self._wake.clear()

    def _list_subjects(self) -> set[Subject]:
        """Return what viewers look at; nothing ends the thread."""
        with self._lock:
            if not self._viewers:
                self._is_running = False
                self._newest.clear()
            return {viewer.subject for viewer in self._viewers}

    def _give_trouble(self, subjects: set[Subject], error: Exception) -> None:
        if not isinstance(error, GossamerError):
            _log.error("cannot read the status of the crawl", exc_info=error)
        sentence = str(error) if isinstance(error, GossamerError) else _FAILED
        for subject in subjects:
            self._give(subject, LiveMessage(trouble=sentence))

    def _give(self, subject: Subject, message: LiveMessage) -> None:
        """Give a message to all who look at a subject, unless the page would not change."""
        with self._lock:
            before = self._newest.get(subject, (None, b""))[0]
            if before and before == msgspec.structs.replace(message, point=before.point):
                return
            packed = msgspec.json.encode(message)
            self._newest[subject] = message, packed
            for viewer in self._viewers:
                if viewer.subject == subject:
                    viewer.give(packed)


def read_states(web: Web) -> TaskStates:
    """Read what changes seldom of all tasks."""
    return _strip_counts(web.store.tasks())


def _strip_counts(notes: Iterable[TaskNote]) -> TaskStates:
    return sorted((note.number, note.state, note.reason, note.spec) for note in notes)


def get_watch(request: Request) -> CrawlWatch:
    """Return the watch of the application that handles a request."""
    watch: CrawlWatch = request.app.state.crawl_watch
    return watch


def read_snapshot(request: Request, context: PageContext, task: int) -> CrawlSnapshot:
    """Return a snapshot for a page; several requests within a second share one."""
    with context.borrow_web() as web:
        return get_watch(request).reader.read(web, task, _EVERY_S)


def read_recent_status(request: Request, context: PageContext) -> CrawlStatus:
    """Return a status for programs, without hosts; several requests within a second share one."""
    with context.borrow_web() as web:
        return get_watch(request).reader.read_status(web, _EVERY_S)
