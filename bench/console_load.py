"""Measure what viewers of the console cost a crawl, what its live page weighs, and how soon a large web shows it.

One crawl of the lab runs as fast as it can in a process of its own. In every other stretch of some seconds, ten readers follow
the events of its live page, as browsers do; its pages a second are compared, best against best. Then a web that knows a million
URLs of ten thousand hosts is served, and its live page is asked for, in turn with the help page.

    python bench/console_load.py [--json]
"""

import json
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import grown_web
from command_line import run_benchmark
from gossamer.errors import BadInput
from serve_load import read_cpu_s, run_child

VIEWERS = 10
STRETCHES, STRETCH_S, SETTLE_S = 6, 8.0, 2.0
LAB_PAGES, LAB_HOSTS = 2_000_000, 400
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


def measure_stretch(progress: CrawlProgress, pid: int) -> tuple[float, float]:
    """Return the pages a second of a crawl over some seconds, and the processor time for each page."""
    time.sleep(SETTLE_S)
    began_s, before_cpu_s = time.time(), read_cpu_s(pid)
    time.sleep(STRETCH_S)
    ended_s, used_cpu_s = time.time(), read_cpu_s(pid) - before_cpu_s
    progress.wait_until(ended_s)
    pages = progress.count_at(ended_s) - progress.count_at(began_s)
    return pages / STRETCH_S, used_cpu_s / max(pages, 1.0)


@contextmanager
def serve_web(folder: Path) -> Iterator[tuple[str, int]]:
    """Serve a web; yield the address and the port."""
    with run_child(*CLI, "serve", "--json", "--port", "0", "--web", str(folder)) as server:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"]
        yield address, urlsplit(address).port or 0


def compare_crawl(folder: Path) -> dict[str, float]:
    """Return pages a second and processor time for each page with ten viewers, against none."""
    options = ("--pages", str(LAB_PAGES), "--hosts", str(LAB_HOSTS))
    with run_child(*CLI, "lab", "serve", *options, "--json") as lab:
        assert lab.stdout is not None
        start = json.loads(lab.stdout.readline())["seeds"][0]
        web = folder / "crawled.web"
        crawled = (start, "--web", str(web), "--scope", "any", "--delay", "0", "--adaptive", "0", "--json")
        with run_child(*CLI, "crawl", *crawled, "--allow-private", "127.0.0.0/8") as crawl:
            progress = CrawlProgress(crawl)
            while len(progress.points) < 8:
                time.sleep(0.5)
            with serve_web(web) as (_, port):
                return _alternate(progress, crawl.pid, port) | weigh_page(port)


def _alternate(progress: CrawlProgress, pid: int, port: int) -> dict[str, float]:
    rates: dict[bool, list[float]] = {False: [], True: []}
    costs_s: dict[bool, list[float]] = {False: [], True: []}
    received = 0
    for number in range(2 * STRETCHES):
        watched = bool(number % 2)
        if watched:
            with run_child(__file__, "--view", str(port)) as viewers:
                rate, cost_s = measure_stretch(progress, pid)
                viewers.terminate()
                assert viewers.stdout is not None
                received += int(viewers.stdout.read() or 0)
        else:
            rate, cost_s = measure_stretch(progress, pid)
        rates[watched].append(rate)
        costs_s[watched].append(cost_s)
        name = f"{VIEWERS} viewers" if watched else "no viewers"
        print(f"{name:10} {rate:.0f} pages/s, {1000 * cost_s:.2f} ms CPU a page", file=sys.stderr)
    # Stretches of one crawl differ more than two in a row: the pairs show what the best hide.
    pairs = [with_them / alone for with_them, alone in zip(rates[True], rates[False], strict=True)]
    return {
        "console_load.pages_watched_vs_alone": max(rates[True]) / max(rates[False]),
        "console_load.pages_watched_vs_alone_median": statistics.median(pairs),
        "console_load.cpu_watched_vs_alone": min(costs_s[True]) / min(costs_s[False]),
        "console_load.messages_per_viewer_s": received / VIEWERS / STRETCHES / (STRETCH_S + SETTLE_S),
    }


def view_events(port: int) -> None:
    """Follow the events with ten connections until this process is ended; print how many came."""
    came = [0]

    def follow() -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"GET /console/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while part := connection.recv(65_536):
                came[0] += part.count(b"data: {")

    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    for _ in range(VIEWERS):
        threading.Thread(target=follow, daemon=True).start()
    signal.sigwait([signal.SIGTERM])
    print(came[0], flush=True)


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
    """Watch a crawl, then look at a large web."""
    with tempfile.TemporaryDirectory() as folder:
        return compare_crawl(Path(folder)) | measure_large(Path(folder))


if __name__ == "__main__":
    if "--view" in sys.argv:
        view_events(int(sys.argv[-1]))
    else:
        sys.exit(run_benchmark("console_load", measure, "--json" in sys.argv[1:]))
