"""Place fetchers with Ray and watch them: a process of its own, since Ray ends the process that loses its head.

Each fetcher is an actor that Ray restarts on any node when its process or its node dies. Messages come on standard input and
go to standard output; what Ray itself prints goes to standard error.
"""

import logging
import math
import os
import shutil
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec
import ray
from ray.exceptions import ActorUnavailableError, RayActorError, RayError

from gossamer.cluster.placed_fetcher import PlacedFetcher
from gossamer.cluster.ray_messages import (
    Answer,
    Connected,
    FetcherReport,
    Placement,
    RayJob,
    Reported,
    Unreachable,
)
from gossamer.crawl.events import Notice
from gossamer.crawl.run.process_messages import frame, read_message

LOOK_S = 0.5
"""How often fetchers are asked for their reports."""
SILENT_S = 30.0
"""A fetcher that has not answered for this long is mentioned."""
LEAVE_S = 60.0
"""How long fetchers may take to finish their visits."""
_LONGEST_PAUSE_S = 30.0
_STEADY_S = 60.0
"""A fetcher that has run for this long has its earlier failures forgiven."""
_STORE_BYTES = 80 << 20
"""Ray's shared memory, which fetchers do not use: little more than the least that Ray takes."""
_KNOCK_S = 10.0
_MOST_NAMES = 5


def connect(job: RayJob) -> int:
    """Connect to Ray, or start one on this machine; return how many fetchers to place."""
    if job.address:
        _knock(job.address)
        ray.init(job.address, log_to_driver=False, logging_level=logging.ERROR)
        return job.fetchers or sum(node["Alive"] for node in _list_nodes())
    fetchers = job.fetchers or os.cpu_count() or 1
    ray.init(
        "local",
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
        num_cpus=max(1, math.ceil(fetchers * job.cpus)),
        object_store_memory=_STORE_BYTES,
        _temp_dir=job.folder,
    )
    return fetchers


def _list_nodes() -> list[dict[str, Any]]:
    list_nodes: Any = ray.nodes  # it has no types
    found: list[dict[str, Any]] = list_nodes()
    return found


def _knock(address: str) -> None:
    """Raise `OSError` if no process listens at an address: Ray would take half a minute to say so."""
    place = urlsplit(address if "//" in address else f"//{address}")
    if place.hostname and place.port:
        socket.create_connection((place.hostname, place.port), _KNOCK_S).close()


class PlacedActor:
    """One fetcher as it is seen from here: its actor, and what it last said."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._actor: Any = None
        self.question: Any = None
        """The report that was asked for."""
        self.asked_s = 0.0
        self.name = ""
        """"" before its first report."""
        self.machine = ""
        self._process = 0
        self._began_s = 0.0
        self._failures = 0
        self._pause_ends_s = 0.0
        self._is_silent = False
        self._is_leaving = False

    def ask(self, now_s: float) -> None:
        """Ask for a report, unless it was asked, or pauses after a failure."""
        if self.question is not None or now_s < self._pause_ends_s:
            return
        if self._actor is None:
            self._actor = self._make()
        elif self._pause_ends_s:
            ray.kill(self._actor, no_restart=False)
        self._pause_ends_s = 0.0
        self.question, self.asked_s = self._actor.report.remote(), now_s

    def take_answer(self, now_s: float) -> Reported:
        """Return what the fetcher, or Ray, has answered."""
        question, self.question = self.question, None
        try:
            report = msgspec.msgpack.decode(ray.get(question), type=FetcherReport)
        except ActorUnavailableError:
            return Reported(self.name, [])  # Ray restarts it
        except RayActorError as error:
            self._actor = None
            return self._fail(_find_cause(error), now_s)
        return self._take_report(report, now_s)

    def describe_silence(self, now_s: float, cpus: float) -> str:
        """Return a sentence if no answer has come for long; "" if it was said before."""
        if self.question is None or now_s - self.asked_s < SILENT_S or self._is_silent:
            return ""
        self._is_silent = True
        if self.name:
            return f"{self.name} does not answer; Ray restarts it when its process or its machine has died"
        return f"a fetcher waits until Ray has a node with {cpus:g} free processors (--fetcher-cpus)"

    def leave(self, why: str) -> Any:
        """Tell the fetcher to leave; return the question for its last report, or None if it has not begun."""
        if self._actor is None or not self.name or self._pause_ends_s:
            return None
        self._is_leaving = True
        self.question = self._actor.leave.remote(why)
        return self.question

    def _take_report(self, report: FetcherReport, now_s: float) -> Reported:
        events = list(report.events)
        if self._process and report.process != self._process and not self._failures:
            events.append(
                Notice(time.time(), f"{self.name} has died: Ray started {report.name} in its place")
            )
        if report.process != self._process:
            self._began_s = now_s
        elif now_s - self._began_s > _STEADY_S:
            self._failures = 0
        self.name, self.machine, self._process = report.name, report.machine, report.process
        self._is_silent = False
        if report.has_left and not self._is_leaving:
            events += self._fail(report.failure or "it has ended", now_s).events
        return Reported(self.name, events)

    def _fail(self, why: str, now_s: float) -> Reported:
        """Have the fetcher started again after a pause, which grows with each failure."""
        self._failures += 1
        pause_s = min(_LONGEST_PAUSE_S, 2.0 ** (self._failures - 1))
        self._pause_ends_s = now_s + pause_s
        text = f"{self.name or 'a fetcher'}: {why}; it is started again in {pause_s:g} s"
        return Reported(self.name, [Notice(time.time(), text)])


class Fleet:
    """All fetchers of one crawl."""

    def __init__(
        self, job: RayJob, fetchers: int, placement: Placement, send: Callable[[Answer], None]
    ) -> None:
        placed = ray.remote(PlacedFetcher).options(
            max_restarts=-1,
            max_concurrency=4,  # it reports while it leaves
            num_cpus=job.cpus,
            scheduling_strategy="SPREAD",
        )
        arguments = (placement.web, placement.connections, placement.lease_s)
        self._actors = [PlacedActor(lambda: placed.remote(*arguments)) for _ in range(fetchers)]
        self._cpus = job.cpus
        self._send = send
        self._is_complete = False

    def look(self) -> None:
        """Ask all fetchers for reports, and pass on those that come within `LOOK_S`."""
        now_s = time.monotonic()
        for actor in self._actors:
            actor.ask(now_s)
        self._pass_on(LOOK_S)
        for actor in self._actors:
            if said := actor.describe_silence(now_s, self._cpus):
                self._say(said)
        if not self._is_complete and all(actor.name for actor in self._actors):
            self._is_complete = True
            self._say(f"Ray runs {_describe_machines(self._actors)}")

    def leave(self, why: str) -> None:
        """Have all fetchers finish their visits and leave."""
        self._actors = [actor for actor in self._actors if actor.leave(why) is not None]
        deadline_s = time.monotonic() + LEAVE_S
        while self._actors and (left_s := deadline_s - time.monotonic()) > 0:
            self._pass_on(left_s, least=1)
            self._actors = [actor for actor in self._actors if actor.question is not None]

    def _pass_on(self, patience_s: float, least: int = 0) -> None:
        asked = {actor.question: actor for actor in self._actors if actor.question is not None}
        if not asked:
            return
        done, _ = ray.wait(list(asked), num_returns=least or len(asked), timeout=patience_s)
        for question in done:
            reported = asked[question].take_answer(time.monotonic())
            if reported.events:
                self._send(reported)

    def _say(self, text: str) -> None:
        self._send(Reported("", [Notice(time.time(), text)]))


def _describe_machines(actors: list[PlacedActor]) -> str:
    machines = Counter(actor.machine for actor in actors)
    names = [f"{number} on {machine}" for machine, number in machines.most_common(_MOST_NAMES)]
    if len(machines) > _MOST_NAMES:
        names.append(f"others on {len(machines) - _MOST_NAMES} more machines")
    return f"{len(actors)} fetchers: {', '.join(names)}"


def _find_cause(error: Exception) -> str:
    """Return the last line of what Ray says, which is the exception of the fetcher if there was one."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def _run(job: RayJob, send: Callable[[Answer], None]) -> int:
    try:
        fetchers = connect(job)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        send(Unreachable(_find_cause(error)))
        return 1
    send(Connected())
    packed = read_message(0)
    if packed is None:
        return 0
    fleet = Fleet(job, fetchers, msgspec.msgpack.decode(packed, type=Placement), send)
    leaving = threading.Event()
    threading.Thread(target=_wait_for_end, args=(leaving,), daemon=True).start()
    try:
        while not leaving.is_set():
            began_s = time.monotonic()
            fleet.look()
            leaving.wait(max(0.0, LOOK_S + began_s - time.monotonic()))
        fleet.leave("its tasks have ended")
    except ConnectionError:  # its own text is a page long
        send(Unreachable("its head does not answer"))
        return 1
    return 0


def _wait_for_end(ended: threading.Event) -> None:
    while read_message(0) is not None:
        pass
    ended.set()


def main() -> int:
    """Place the fetchers of one crawl; return the exit code."""
    answers = os.dup(1)
    os.dup2(2, 1)
    packed = read_message(0)
    if packed is None:
        return 0
    job = msgspec.msgpack.decode(packed, type=RayJob)

    def send(answer: Answer) -> None:
        message = memoryview(frame(answer))
        with suppress(BrokenPipeError):  # the crawl is gone; its end of our input is closed, too
            while message:
                message = message[os.write(answers, message) :]

    try:
        return _run(job, send)
    finally:
        ray.shutdown()
        if job.folder:
            shutil.rmtree(job.folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
