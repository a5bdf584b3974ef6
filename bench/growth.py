"""What webs of up to ten million known URLs cost beside a small one of the same build (see grown_web.py).

All of them are resumed for the same number of pages, by turns, each time from a fresh copy; the second time no page
of their files is in the system's memory. Ready is when the server gets its first request. The cost of a page is the CPU
used from then to the end; with the start-up, it is shown as well. Memory is the peak.

    python bench/growth.py [--urls N …] [--pages N] [--json]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from crawlers import environment
from gossamer.errors import BadInput
from grown_web import STATE_FILE, TASK_NAME, host_of, make_web, url_of, write_answers
from nginx_site import NginxLog, free_port, nginx
from telling import told
from watched import Cost, run_watched

SMALL = 10_000
SIZES = (100_000, 1_000_000, 10_000_000)
PAGES = 3_000
LONGEST_S = 300.0
ADDRESS = host_of(0, 80).partition(":")[0]


class Resumed(msgspec.Struct, frozen=True):
    """What resuming a web came to."""

    ready_s: float
    cpu_ms: float
    """A page, from the first request on."""
    whole_cpu_ms: float
    """A page, with the start-up."""
    peak_mb: float
    hosts: int
    """That were asked for pages."""


def verb(name: str, web: Path, *told: str) -> list[str]:
    """Return the command line of a verb on a web."""
    return [sys.executable, "-m", "gossamer.cli.main", name, *told, "--web", str(web)]


def resume(made: Path, log: NginxLog, pages: int, cold: bool) -> Resumed:
    """Resume a copy of a web, and find out from the server's log when it was ready and what it fetched."""
    web, output = made.with_name("resumed"), made.with_name("output.txt")
    shutil.copytree(made, web)
    if cold:
        forget(web / STATE_FILE)
    log.forget()
    try:
        cost = run_watched([*verb("resume", web), "--json"], output, environment(), LONGEST_S)
    finally:
        shutil.rmtree(web)
    answers = log.answers()
    fetched = [answer.place for answer in answers if answer.status == 200]
    if cost.exit_code or len(fetched) != pages:
        said = output.read_text("utf-8", "replace")[-2_000:]
        raise BadInput(f"fetched {len(fetched):,} of {pages:,} pages; resume said at last:\n{said}")
    first_s = min(answer.when_s for answer in answers)
    cpu_s = cost.cpu_s - cpu_until(first_s, cost)
    hosts = {place.partition("/")[0] for place in fetched}
    per_page = 1e3 / pages
    return Resumed(first_s - cost.began_s, cpu_s * per_page, cost.cpu_s * per_page, cost.peak_mb, len(hosts))


def cpu_until(when_s: float, cost: Cost) -> float:
    """Return the CPU that a program had used at a moment, as it was last seen before."""
    at = bisect_right(cost.looks, when_s, key=lambda look: look.when_s)
    return cost.looks[at - 1].cpu_s if at else 0.0


def forget(path: Path) -> None:
    """Let the system forget what it holds of a file in memory."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def verbs_s(made: Path, port: int) -> dict[str, float]:
    """Return how long the verbs take that look into a web that nobody is crawling, or tell it something."""
    web = made.with_name("asked")
    shutil.copytree(made, web)
    asked = {
        "tasks": verb("tasks", web),
        "explain_first": verb("explain", web, url_of(1, port)),
        "explain": verb("explain", web, url_of(2, port)),
        "submit": verb("submit", web, f"http://{host_of(1, port)}/submitted.html"),
        "stop": verb("stop", web, TASK_NAME),
    }
    try:
        return {f"grow.{name}_s": _timed(command) for name, command in asked.items()}
    finally:
        shutil.rmtree(web)


def _timed(command: list[str]) -> float:
    began_s = time.perf_counter()
    ended = subprocess.run(command, capture_output=True, check=False, timeout=LONGEST_S)
    if ended.returncode:
        raise BadInput(f"{' '.join(command[2:])} failed: {ended.stderr.decode('utf-8', 'replace')[-500:]}")
    return time.perf_counter() - began_s


def measure(sizes: tuple[int, ...] = SIZES, pages: int = PAGES) -> dict[str, float]:
    """Make all webs, resume them by turns, and ask the largest."""
    with tempfile.TemporaryDirectory(prefix="growth-") as name:
        folder = Path(name)
        port = free_port([ADDRESS])
        made = {urls: folder / f"web-{urls}" for urls in (SMALL, *sizes)}
        for urls, web in made.items():
            print(f"making a web of {urls:,} known URLs …", file=sys.stderr)
            speed = make_web(web, urls, port, pages)
        site = write_answers(folder / "answers", port)
        runs: dict[int, list[Resumed]] = {urls: [] for urls in made}
        with nginx(site, ADDRESS, port, folder / "nginx") as log:
            for cold in (False, True):
                for urls, web in made.items():
                    print(f"resuming {urls:,}{', cold' if cold else ''} …", file=sys.stderr)
                    runs[urls].append(resume(web, log, pages, cold))
        largest = made[max(made)]
        found = {"grow.made_urls_per_s": speed} | verbs_s(largest, port)
        found["grow.state_bytes_per_url"] = (largest / STATE_FILE).stat().st_size / max(made)
    show(runs)
    return figures(runs) | found


def figures(runs: dict[int, list[Resumed]]) -> dict[str, float]:
    """Return what has a floor, and the same for smaller webs."""
    large = runs[max(runs)]
    found = {
        "grow.ready_s": large[0].ready_s,
        "grow.ready_cold_s": large[1].ready_s,
        "grow.peak_mb": max(one.peak_mb for one in large),
        "grow.cost_vs_small": _cost(large) / _cost(runs[SMALL]),
    }
    for urls in sorted(runs)[1:-1]:
        found[f"grow.cost_vs_small_at_{urls}"] = _cost(runs[urls]) / _cost(runs[SMALL])
    return found


def _cost(runs: list[Resumed]) -> float:
    return min(one.cpu_ms for one in runs)


def show(runs: dict[int, list[Resumed]]) -> None:
    """Print all sizes side by side."""
    table = Table(
        "known URLs", "CPU ms a page", "of small", "with start-up", "ready s", "cold", "peak MB", "hosts"
    )
    for urls, (warm, cold) in runs.items():
        best = min((warm, cold), key=lambda one: one.cpu_ms)
        table.add_row(
            f"{urls:,}",
            f"{best.cpu_ms:.2f}",
            f"{best.cpu_ms / _cost(runs[SMALL]):.2f}",
            f"{min(warm.whole_cpu_ms, cold.whole_cpu_ms):.2f}",
            f"{warm.ready_s:.2f}",
            f"{cold.ready_s:.2f}",
            f"{max(warm.peak_mb, cold.peak_mb):.0f}",
            f"{warm.hosts:,}",
        )
    Console(stderr=True).print(table)


def main() -> int:
    """Measure as the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--urls", type=int, nargs="+", default=SIZES, help="known URLs of each large web")
    parser.add_argument("--pages", type=int, default=PAGES, help="pages to fetch of each web")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    return told("growth", lambda: measure(tuple(asked.urls), asked.pages), asked.json)


if __name__ == "__main__":
    sys.exit(main())
