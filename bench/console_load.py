"""Measure what viewers of the console cost a crawl, what its live page weighs, and how soon a large web shows it.

A crawl of the lab runs in a process of its own: once as fast as it can, so that the processor is the limit, and once with pauses, so
that waiting is. Stretches of some seconds with ten viewers, which follow the events of the live page as browsers do, and without them
alternate in the order without, with, with, without, so that a steady drift of the machine cancels out. Each such round gives one
ratio; the result is the median of the ratios, with its interval by the bootstrap. The processor time that the crawl itself needs for a page
is compared in the same way: it does not depend on what else the machine does, as far as caches allow.
Then a web that knows a million URLs of ten thousand hosts is served, and its live page is asked for, in turn with the help page.

    python bench/console_load.py [--json] [--rounds 12]
"""

import json
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import msgspec

import grown_web
from command_line import run_benchmark
from gossamer.errors import BadInput
from serve_load import read_cpu_s, run_child

VIEWERS = 10
ROUNDS, STRETCH_S, SETTLE_S = 12, 3.0, 0.5
WATCHED = (False, True, True, False)
LAB_PAGES, LAB_HOSTS = 2_000_000, 400
CRAWLS = {"busy": ("--delay", "0", "--adaptive", "0"), "pausing": ("--delay", "2", "--adaptive", "0")}
"""The options of the crawls by what bounds them: the processor, or pauses (400 hosts, 200 pages a second at most)."""
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


def compare_crawl(folder: Path, kind: str, rounds: int) -> dict[str, float]:
    """Return pages a second and processor time for each page with ten viewers, against none."""
    options = ("--pages", str(LAB_PAGES), "--hosts", str(LAB_HOSTS))
    with run_child(*CLI, "lab", "serve", *options, "--json") as lab:
        assert lab.stdout is not None
        start = json.loads(lab.stdout.readline())["seeds"][0]
        web = folder / f"{kind}.web"
        crawled = (start, "--web", str(web), "--scope", "any", *CRAWLS[kind], "--json")
        with run_child(*CLI, "crawl", *crawled, "--allow-private", "127.0.0.0/8") as crawl:
            progress = CrawlProgress(crawl)
            while len(progress.points) < 8:
                time.sleep(0.5)
            with serve_web(web) as (server, port):
                return _alternate(progress, kind, rounds, (crawl.pid, server, port)) | weigh_page(port)


def _alternate(
    progress: CrawlProgress, kind: str, rounds: int, places: tuple[int, int, int]
) -> dict[str, float]:
    crawl, server, port = places
    pages, costs, served = [], [], []
    for number in range(rounds):
        found: dict[bool, list[Stretch]] = {False: [], True: []}
        for watched in WATCHED:
            with follow_events(port) if watched else nullcontext():
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
def follow_events(port: int) -> Iterator[None]:
    """Follow the events of the live page with ten connections during the block."""
    viewers = [socket.create_connection(("127.0.0.1", port)) for _ in range(VIEWERS)]

    def follow(connection: socket.socket) -> None:
        with suppress(OSError):  # closed when the stretch is over
            while connection.recv(1 << 20):
                pass

    for connection in viewers:
        connection.sendall(b"GET /console/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        threading.Thread(target=follow, args=(connection,), daemon=True).start()
    try:
        yield
    finally:
        for connection in viewers:
            connection.shutdown(socket.SHUT_RDWR)
            connection.close()


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
    """Watch both crawls, then look at a large web."""
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else ROUNDS
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in CRAWLS:
            found |= compare_crawl(Path(folder), kind, rounds)
        return found | measure_large(Path(folder))


if __name__ == "__main__":
    sys.exit(run_benchmark("console_load", measure, "--json" in sys.argv[1:]))
