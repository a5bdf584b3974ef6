"""Measure what viewers of the console cost a crawl, what its live page weighs, and how soon a large web shows it.

A crawl of the lab runs in a process of its own. Stretches of some seconds with ten viewers and without them alternate in the orders
without, with, with, without and with, without, without, with, so that a steady drift of the machine cancels out. Each such round
gives one ratio; the result is the median of the ratios, with its interval by the bootstrap. The processor time that the crawl itself
needs for a page is compared in the same way: it does not depend on what else the machine does, as far as caches allow.

busy            as fast as the crawl can, so that the processor is the limit; ten browsers have the live page open
one_processor   the same, with crawl and server on one processor: what the server takes is lost to the crawl at once
tasks           the same as busy, with five lists of tasks and five pages of a task open, which follow events
asking          the same, where events do not come: each of the ten pages asks once a second
pausing         a crawl that pauses bound, with ten live pages

Then a web that knows a million URLs of ten thousand hosts is served, and its live page is asked for, in turn with the help page.

    python bench/console_load.py [--json] [--rounds 12] [--only busy one_processor tasks asking pausing large]
"""

import argparse
import http.client
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import msgspec

import grown_web
from command_line import run_benchmark
from gossamer.errors import BadInput
from serve_load import read_cpu_s, run_child

VIEWERS = 10
ROUNDS, STRETCH_S, SETTLE_S = 12, 2.5, 0.5
WATCHED = ((False, True, True, False), (True, False, False, True))
LAB_PAGES, LAB_HOSTS = 2_000_000, 400
CURVES_EVERY_S = 10.0
"""How often the live page asks for the curves."""
DRAWS = 2_000
SILENT_S = 60.0
KNOWN_URLS, PORT, LOOKS = 1_000_000, 8_199, 7
CLI = ("-m", "gossamer.cli.main")


class CrawlProgress:
    """The pages that a crawl has fetched, read from its output while it runs."""

    def __init__(self, crawl: "subprocess.Popen[bytes]") -> None:
        self.points: list[tuple[float, int]] = []
        self._crawl = crawl
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._crawl.stdout is not None
        with suppress(ValueError):  # closed when the measurement is over
            for line in self._crawl.stdout:
                if line.startswith(b'{"event":"progress"'):
                    found = json.loads(line)
                    pages = sum(counts.get("downloaded", 0) for counts in found["counts"].values())
                    self.points.append((found["when_s"], pages))

    def wait_until(self, when_s: float) -> None:
        """Wait for a report of this time; raise BadInput if the crawl has ended or says nothing."""
        while self.points[-1][0] < when_s:
            if self._crawl.poll() is not None or time.time() > when_s + SILENT_S:
                raise BadInput(f"the crawl ended or fell silent after {self.points[-1][1]:,} pages")
            time.sleep(0.1)

    def count_at(self, when_s: float) -> float:
        """Return how many pages there were at a time, between two reports."""
        later = next(at for at, (time_s, _) in enumerate(self.points) if time_s >= when_s)
        (before_s, before), (after_s, after) = self.points[later - 1], self.points[later]
        return before + (after - before) * (when_s - before_s) / (after_s - before_s)


class Stretch(msgspec.Struct, frozen=True):
    """What a crawl did in some seconds."""

    pages_per_s: float
    cpu_s: float
    """Processor time of the crawl for each page."""
    server_cpu: float
    """Processor time of the server, as a part of the time."""


def measure_stretch(progress: CrawlProgress, crawl: int, server: int) -> Stretch:
    """Measure a crawl over some seconds."""
    time.sleep(SETTLE_S)
    began_s, before_s, idle_s = time.time(), read_cpu_s(crawl), read_cpu_s(server)
    time.sleep(STRETCH_S)
    ended_s, used_s, served_s = time.time(), read_cpu_s(crawl) - before_s, read_cpu_s(server) - idle_s
    progress.wait_until(ended_s)
    pages = progress.count_at(ended_s) - progress.count_at(began_s)
    took_s = ended_s - began_s
    return Stretch(pages / took_s, used_s / max(pages, 1.0), served_s / took_s)


@contextmanager
def serve_web(folder: Path) -> Iterator[tuple[int, int]]:
    """Serve a web; yield the number of the process and the port."""
    with run_child(*CLI, "serve", "--json", "--port", "0", "--web", str(folder)) as server:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"]
        yield server.pid, urlsplit(address).port or 0


class Scene(msgspec.Struct, frozen=True):
    """A crawl, and what its viewers look at."""

    options: tuple[str, ...]
    watch: Callable[[int], AbstractContextManager[None]]
    """Looks at the server at this port during a block."""
    is_pinned: bool = False
    """Whether crawl and server share one processor."""


def compare_crawl(folder: Path, kind: str, rounds: int) -> dict[str, float]:
    """Return pages a second and processor time for each page with ten viewers, against none."""
    scene = SCENES[kind]
    options = ("--pages", str(LAB_PAGES), "--hosts", str(LAB_HOSTS))
    with run_child(*CLI, "lab", "serve", *options, "--json") as lab:
        assert lab.stdout is not None
        start = json.loads(lab.stdout.readline())["seeds"][0]
        web = folder / f"{kind}.web"
        crawled = (start, "--web", str(web), "--scope", "any", *scene.options, "--json")
        with run_child(*CLI, "crawl", *crawled, "--allow-private", "127.0.0.0/8") as crawl:
            progress = CrawlProgress(crawl)
            while len(progress.points) < 8:
                time.sleep(0.5)
            with serve_web(web) as (server, port):
                weight = weigh_page(port)
                with pin_processes((crawl.pid, server), (lab.pid, os.getpid()), scene.is_pinned):
                    return _alternate(progress, kind, rounds, (crawl.pid, server, port)) | weight


@contextmanager
def pin_processes(first: tuple[int, ...], others: tuple[int, ...], is_pinned: bool) -> Iterator[None]:
    """Run some processes on the first processor and others on the rest during a block, if there are several processors."""
    processors = sorted(os.sched_getaffinity(0))
    if not is_pinned or len(processors) < 2:
        yield
        return
    for process in (*first, *others):
        allowed = processors[:1] if process in first else processors[1:]
        for thread in os.listdir(f"/proc/{process}/task"):
            os.sched_setaffinity(int(thread), allowed)
    yield
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), processors)


def _alternate(
    progress: CrawlProgress, kind: str, rounds: int, places: tuple[int, int, int]
) -> dict[str, float]:
    crawl, server, port = places
    pages, costs, served = [], [], []
    for number in range(rounds):
        found: dict[bool, list[Stretch]] = {False: [], True: []}
        for watched in WATCHED[number % 2]:
            with SCENES[kind].watch(port) if watched else nullcontext():
                found[watched].append(measure_stretch(progress, crawl, server))
        pages.append(_compare(found, "pages_per_s"))
        costs.append(_compare(found, "cpu_s"))
        served.append(statistics.mean(one.server_cpu for one in found[True]))
        print(
            f"{kind} {number + 1}: {statistics.mean(one.pages_per_s for one in found[False]):.0f} pages/s alone, "
            f"x {pages[-1]:.3f} watched, CPU a page x {costs[-1]:.3f}, server {100 * served[-1]:.1f} % of a processor",
            file=sys.stderr,
        )
    result = {f"console_load.{kind}_server_cpu": statistics.median(served)}
    for name, ratios in (("pages", pages), ("cpu", costs)):
        low, high = bootstrap(ratios)
        result |= {
            f"console_load.{kind}_{name}_watched_vs_alone": statistics.median(ratios),
            f"console_load.{kind}_{name}_watched_vs_alone_low": low,
            f"console_load.{kind}_{name}_watched_vs_alone_high": high,
        }
    return result


def _compare(found: dict[bool, list[Stretch]], name: str) -> float:
    watched, alone = (sum(getattr(one, name) for one in found[key]) for key in (True, False))
    return float(watched / alone)


def bootstrap(ratios: list[float]) -> tuple[float, float]:
    """Return the interval of the median of ratios, right in 19 of 20 cases (Efron 1979)."""
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(DRAWS))
    return medians[round(0.025 * DRAWS)], medians[round(0.975 * DRAWS) - 1]


@contextmanager
def open_live_pages(port: int) -> Iterator[None]:
    """Do what ten live pages do during the block: follow the events, and ask for the curves every ten seconds."""
    live = follow_events(port, VIEWERS * ["/console/events"])
    with live, ask_in_turn(port, ["/api/console/history"], CURVES_EVERY_S / VIEWERS):
        yield


def open_task_pages(port: int) -> AbstractContextManager[None]:
    """Do what ten pages of tasks do: half of them show the list, half of them one task."""
    pages = ["/console/events?page=tasks", "/console/events?page=task&task=1"]
    return follow_events(port, VIEWERS // 2 * pages)


def open_asking_pages(port: int) -> AbstractContextManager[None]:
    """Do what ten pages of tasks do where events do not come: each asks once a second for the part that changes."""
    return ask_in_turn(port, ["/console/tasks", "/console/task/facts?number=1"], 1.0 / VIEWERS)


@contextmanager
def ask_in_turn(port: int, paths: list[str], every_s: float) -> Iterator[None]:
    """Ask for each of some pages in turn during the block, over a connection that stays open."""
    is_over = threading.Event()

    def ask() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        number = 0
        while not is_over.wait(every_s):
            connection.request("GET", paths[number % len(paths)])
            connection.getresponse().read()
            number += 1
        connection.close()

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield
    finally:
        is_over.set()
        asking.join()


@contextmanager
def follow_events(port: int, paths: list[str]) -> Iterator[None]:
    """Follow streams of events during the block, each over a connection of its own."""
    viewers = [socket.create_connection(("127.0.0.1", port)) for _ in paths]

    def follow(connection: socket.socket) -> None:
        with suppress(OSError):  # closed when the stretch is over
            while connection.recv(1 << 20):
                pass

    for connection, path in zip(viewers, paths, strict=True):
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        threading.Thread(target=follow, args=(connection,), daemon=True).start()
    try:
        yield
    finally:
        for connection in viewers:
            connection.shutdown(socket.SHUT_RDWR)
            connection.close()


QUICK = ("--delay", "0", "--adaptive", "0")
SCENES = {
    "busy": Scene(QUICK, open_live_pages),
    "one_processor": Scene(QUICK, open_live_pages, is_pinned=True),
    "tasks": Scene(QUICK, open_task_pages),
    "asking": Scene(QUICK, open_asking_pages),
    # 400 hosts, 200 pages a second at most
    "pausing": Scene(("--delay", "2", "--adaptive", "0"), open_live_pages),
}


def weigh_page(port: int) -> dict[str, float]:
    """Return the size of the live page with its styles and scripts, without the library that draws."""
    server = f"http://127.0.0.1:{port}"
    html = urlopen(f"{server}/console/live").read()  # noqa: S310 - our own server
    names = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css)\?[^"]*)"', html.decode())
    wanted = [name for name in dict.fromkeys(names) if "uPlot" not in name]
    size = len(html) + sum(len(urlopen(server + name).read()) for name in wanted)  # noqa: S310 - our own server
    return {"console_load.page_kb": size / 1000}


def measure_large(folder: Path) -> dict[str, float]:
    """Return the time until the live page of a large web begins to arrive, and the same against the help page."""
    web = folder / "large.web"
    grown_web.make_web(web, KNOWN_URLS, PORT, 100)
    waits_s: dict[str, list[float]] = {"/help": [], "/console/live": []}
    with serve_web(web) as (_, port):
        for _ in range(LOOKS):
            for path, waits in waits_s.items():
                waits.append(_time_first_byte(port, path))
                time.sleep(1.2)  # longer than a snapshot is shared
    live_s, help_s = (statistics.median(waits_s[path]) for path in ("/console/live", "/help"))
    return {
        "console_load.first_content_ms": 1000 * live_s,
        "console_load.first_content_vs_help": live_s / help_s,
    }


def _time_first_byte(port: int, path: str) -> float:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        began_s = time.perf_counter()
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        connection.recv(1)
        waited_s = time.perf_counter() - began_s
        while connection.recv(65_536):
            pass
    return waited_s


def measure() -> dict[str, float]:
    """Watch the crawls, then look at a large web."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--json", action="store_true")
    asked.add_argument("--rounds", type=int, default=ROUNDS)
    asked.add_argument("--only", nargs="+", choices=[*SCENES, "large"], default=[*SCENES, "large"])
    given = asked.parse_args()
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in given.only:
            found |= (
                measure_large(Path(folder))
                if kind == "large"
                else compare_crawl(Path(folder), kind, given.rounds)
            )
    return found


if __name__ == "__main__":
    sys.exit(run_benchmark("console_load", measure, "--json" in sys.argv[1:]))
