"""Fetchers that Ray places on the nodes of a cluster, or on this machine, and that are placed again whenever Ray was away."""

import os
import re
import threading
import time
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec

import msgspec

from gossamer.cluster.ray_messages import Placement, Reported
from gossamer.cluster.ray_process import RayProcess
from gossamer.crawl.events import Notice, Progress, Watcher
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput, MissingExtra
from gossamer.store.postgres.coordination.leases import LEASE_S

MOST_FETCHERS = 10_000
LONGEST_WAIT_S = 10.0
"""Between two tries to reach a Ray that is away."""
_TRIES = 3
"""Ray gives its processes half a minute to start, which is too short for a very busy machine."""
_SLOW_HEAD = "Starting Ray client server failed"
"""What a head says whose process for this client did not start in that time. Other failures of a cluster stay as they are."""
_ADDRESS = re.compile(r"ray://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?/?")
_CLIENT_PORT = ":10001"
_FUNCTIONS = ("page_classifiers", "link_classifiers", "page_filters", "link_filters", "listeners")


def parse_ray_address(given: str) -> str:
    """Return the address of a Ray cluster, or "" for a Ray of our own: `ray` or `ray://HEAD:10001`."""
    if given == "ray":
        return os.environ.get("RAY_ADDRESS", "")
    found = _ADDRESS.fullmatch(given)
    if found is None:
        raise BadInput(f"{given!r} is not an address of Ray: write ray, or ray://HEAD:10001")
    return f"ray://{found[1]}{found[2] or _CLIENT_PORT}"


class RayCrew:
    """The fetchers of one crawl, placed by Ray."""

    def __init__(
        self, on: str = "ray", fetchers: int = 0, cpus: float = 1.0, lease_s: float = LEASE_S
    ) -> None:
        """Take what `parse_ray_address` takes, and the number of fetchers: 0 for one on each node."""
        self._address = parse_ray_address(on)
        if not 0 <= fetchers <= MOST_FETCHERS:
            raise BadInput(f"Ray places 1 to {MOST_FETCHERS:,} fetchers, not {fetchers}")
        if find_spec("ray") is None:
            raise MissingExtra("ray", "ray")
        self._fetchers = fetchers
        self._cpus = cpus
        self._lease_s = lease_s
        self._child: RayProcess | None = None
        self._hosts: dict[str, dict[str, int]] = {}
        self._placement: Placement | None = None
        self._watch: Watcher = lambda _: None
        self._leaving = threading.Event()
        self._lock = threading.Lock()
        """Of the child: it is replaced while others may tell it to leave."""

    def __enter__(self) -> "RayCrew":
        if self._child is None and not self._leaving.is_set():
            self._child = self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self._close_child()

    def connect(self) -> None:
        """Wait until Ray answers; raise `BadInput` if it does not."""
        for tries_left in reversed(range(_TRIES)):
            assert self._child is not None  # noqa: S101 - it was entered
            failure = self._child.wait_for_ray()
            if not failure:
                return
            if not tries_left or (self._address and _SLOW_HEAD not in failure):
                break
            self._close_child()
            self._child = self._start()
        where = f"the Ray cluster at {self._address}" if self._address else "a Ray on this machine"
        hint = (
            "check the address, and that `ray start --head` runs there in the same version"
            if self._address
            else "`--on processes` crawls without Ray"
        )
        raise BadInput(f"{where} cannot be used: {failure.rstrip('.')}; {hint}")

    def prepare(self, web: str, connections: int, watcher: Watcher) -> None:
        """Set what the fetchers are to crawl."""
        self._placement = Placement(web, connections, self._lease_s)
        self._watch = watcher

    def run(self) -> None:
        """Keep the fetchers running until they are told to leave."""
        pause_s = 0.0
        while not self._leaving.is_set():
            with self._lock:
                child = self._child = self._child or self._start()
            failure = child.wait_for_ray()
            if not failure:
                if pause_s:
                    self._say("Ray is back: it places the fetchers again")
                pause_s = 0.0
                self._pass_on_reports(child)
            if self._leaving.is_set():
                break
            if not pause_s:
                self._say(
                    f"Ray is away ({failure or child.describe_end()}); its fetchers are placed again when it is back, "
                    "and nothing is lost"
                )
            self._close_child()
            pause_s = min(LONGEST_WAIT_S, 2 * pause_s + 1.0)
            self._leaving.wait(pause_s)
        self._close_child()

    def stop(self, why: str) -> None:  # noqa: ARG002 - the process has one reason only
        """Have the fetchers finish their visits and leave; `run` returns when they have."""
        with self._lock:
            self._leaving.set()
            if self._child is not None:
                self._child.leave()

    def end(self) -> None:
        """Drop the fetchers at once; their leases expire."""
        with self._lock:
            self._leaving.set()
            if self._child is not None:
                self._child.kill()

    @property
    def process(self) -> int:
        """The number of the process that talks to Ray; 0 while there is none."""
        child = self._child
        return child.number if child is not None else 0

    def _start(self) -> RayProcess:
        return RayProcess(self._address, self._fetchers, self._cpus)

    def _close_child(self) -> None:
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.close()

    def _pass_on_reports(self, child: RayProcess) -> None:
        assert self._placement is not None  # noqa: S101 - it was prepared
        self._hosts.clear()
        for reported in child.place(self._placement):
            self._pass_on(reported)

    def _pass_on(self, reported: Reported) -> None:
        for event in reported.events:
            if isinstance(event, Progress):
                self._hosts[reported.fetcher] = event.hosts
                hosts: Counter[str] = Counter()
                for each in self._hosts.values():
                    hosts.update(each)
                self._watch(msgspec.structs.replace(event, hosts=dict(hosts)))
            elif isinstance(event, Notice) and reported.fetcher and reported.fetcher not in event.text:
                self._watch(Notice(event.when_s, f"{reported.fetcher}: {event.text}"))
            else:
                self._watch(event)

    def _say(self, text: str) -> None:
        self._watch(Notice(time.time(), text))


def check_ray_tasks(tasks: Sequence[Task]) -> None:
    """Raise `BadInput` if a task has functions: other machines do not have them."""
    for task in tasks:
        if any(getattr(task, name) for name in _FUNCTIONS):
            raise BadInput(
                f"the task {task.spec.name!r} has functions of this program, which fetchers on other machines do not have: "
                "crawl it without Ray"
            )
