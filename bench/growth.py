"""Compare the cost of webs with up to ten million known URLs with that of a small one (see grown_web.py).

All of them are resumed for the same number of pages, alternately, each time from a fresh copy; the second time their
files are not in the system's cache. A crawl is ready when the server gets its first request. The cost of a page is the
CPU time from then to the end; the cost with start-up is shown as well. Memory is the peak.

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

from command_line import run_benchmark
from crawlers import make_environment
from gossamer.errors import BadInput
from grown_web import STATE_FILE, TASK_NAME, make_host, make_url, make_web, write_answers
from nginx_site import NginxLog, find_free_port, run_nginx
from run_program import Cost, run_measured

SMALL = 10_000
SIZES = (100_000, 1_000_000, 10_000_000)
PAGES = 3_000
LONGEST_S = 300.0
ADDRESS = make_host(0, 80).partition(":")[0]


class Resumed(msgspec.Struct, frozen=True):
    """The cost of resuming a web."""

    ready_s: float
    cpu_ms: float
    """CPU time of a page, from the first request on."""
    whole_cpu_ms: float
    """CPU time of a page, start-up included."""
    peak_mb: float
    hosts: int
    """The number of hosts from which pages were fetched."""


def make_verb_command(name: str, web: Path, *arguments: str) -> list[str]:
    """Return the command line of a verb on a web."""
    return [sys.executable, "-m", "gossamer.cli.main", name, *arguments, "--web", str(web)]


def resume(made: Path, log: NginxLog, pages: int, cold: bool) -> Resumed:
    """Resume a copy of a web, and read from the server's log when it was ready and what it fetched."""
    web, output = made.with_name("resumed"), made.with_name("output.txt")
    shutil.copytree(made, web)
    if cold:
        drop_file_cache(web / STATE_FILE)
    log.clear()
    try:
        cost = run_measured(
            [*make_verb_command("resume", web), "--json"], output, make_environment(), LONGEST_S
        )
    finally:
        shutil.rmtree(web)
    answers = log.answers()
    fetched = [answer.place for answer in answers if answer.status == 200]
    if cost.exit_code or len(fetched) != pages:
        end = output.read_text("utf-8", "replace")[-2_000:]
        raise BadInput(f"fetched {len(fetched):,} of {pages:,} pages; the output of resume ends with:\n{end}")
    first_s = min(answer.when_s for answer in answers)
    cpu_s = cost.cpu_s - find_cpu_s(first_s, cost)
    hosts = {place.partition("/")[0] for place in fetched}
    per_page = 1e3 / pages
    return Resumed(first_s - cost.began_s, cpu_s * per_page, cost.cpu_s * per_page, cost.peak_mb, len(hosts))


def find_cpu_s(when_s: float, cost: Cost) -> float:
    """Return the CPU time that a program had used at a moment, by the last reading before it."""
    at = bisect_right(cost.looks, when_s, key=lambda look: look.when_s)
    return cost.looks[at - 1].cpu_s if at else 0.0


def drop_file_cache(path: Path) -> None:
    """Drop a file from the system's cache."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def time_verbs(made: Path, port: int) -> dict[str, float]:
    """Return the seconds of the verbs that inspect or instruct a web without a running crawl."""
    web = made.with_name("asked")
    shutil.copytree(made, web)
    asked = {
        "tasks": make_verb_command("tasks", web),
        "explain_first": make_verb_command("explain", web, make_url(1, port)),
        "explain": make_verb_command("explain", web, make_url(2, port)),
        "submit": make_verb_command("submit", web, f"http://{make_host(1, port)}/submitted.html"),
        "stop": make_verb_command("stop", web, TASK_NAME),
    }
    try:
        return {f"grow.{name}_s": _time_command(command) for name, command in asked.items()}
    finally:
        shutil.rmtree(web)


def _time_command(command: list[str]) -> float:
    began_s = time.perf_counter()
    ended = subprocess.run(command, capture_output=True, check=False, timeout=LONGEST_S)
    if ended.returncode:
        raise BadInput(f"{' '.join(command[2:])} failed: {ended.stderr.decode('utf-8', 'replace')[-500:]}")
    return time.perf_counter() - began_s


def measure(sizes: tuple[int, ...] = SIZES, pages: int = PAGES) -> dict[str, float]:
    """Make all webs, resume them alternately, and time verbs on the largest."""
    with tempfile.TemporaryDirectory(prefix="growth-") as name:
        folder = Path(name)
        port = find_free_port([ADDRESS])
        made = {urls: folder / f"web-{urls}" for urls in (SMALL, *sizes)}
        for urls, web in made.items():
            print(f"making a web of {urls:,} known URLs …", file=sys.stderr)
            speed = make_web(web, urls, port, pages)
        site = write_answers(folder / "answers", port)
        runs: dict[int, list[Resumed]] = {urls: [] for urls in made}
        with run_nginx(site, ADDRESS, port, folder / "nginx") as log:
            for cold in (False, True):
                for urls, web in made.items():
                    print(f"resuming {urls:,}{', cold' if cold else ''} …", file=sys.stderr)
                    runs[urls].append(resume(web, log, pages, cold))
        largest = made[max(made)]
        found = {"grow.made_urls_per_s": speed} | time_verbs(largest, port)
        found["grow.state_bytes_per_url"] = (largest / STATE_FILE).stat().st_size / max(made)
    print_table(runs)
    return compute_figures(runs) | found


def compute_figures(runs: dict[int, list[Resumed]]) -> dict[str, float]:
    """Return the figures that have floors, and the same for smaller webs."""
    large = runs[max(runs)]
    found = {
        "grow.ready_s": large[0].ready_s,
        "grow.ready_cold_s": large[1].ready_s,
        "grow.peak_mb": max(one.peak_mb for one in large),
        "grow.cost_vs_small": _find_best_cost(large) / _find_best_cost(runs[SMALL]),
    }
    for urls in sorted(runs)[1:-1]:
        found[f"grow.cost_vs_small_at_{urls}"] = _find_best_cost(runs[urls]) / _find_best_cost(runs[SMALL])
    return found


def _find_best_cost(runs: list[Resumed]) -> float:
    return min(one.cpu_ms for one in runs)


def print_table(runs: dict[int, list[Resumed]]) -> None:
    """Print all sizes side by side."""
    table = Table(
        "known URLs", "CPU ms a page", "of small", "with start-up", "ready s", "cold", "peak MB", "hosts"
    )
    for urls, (warm, cold) in runs.items():
        best = min((warm, cold), key=lambda one: one.cpu_ms)
        table.add_row(
            f"{urls:,}",
            f"{best.cpu_ms:.2f}",
            f"{best.cpu_ms / _find_best_cost(runs[SMALL]):.2f}",
            f"{min(warm.whole_cpu_ms, cold.whole_cpu_ms):.2f}",
            f"{warm.ready_s:.2f}",
            f"{cold.ready_s:.2f}",
            f"{max(warm.peak_mb, cold.peak_mb):.0f}",
            f"{warm.hosts:,}",
        )
    Console(stderr=True).print(table)


def main() -> int:
    """Measure with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--urls", type=int, nargs="+", default=SIZES, help="known URLs of each large web")
    parser.add_argument("--pages", type=int, default=PAGES, help="pages to fetch of each web")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    return run_benchmark("growth", lambda: measure(tuple(asked.urls), asked.pages), asked.json)


if __name__ == "__main__":
    sys.exit(main())
