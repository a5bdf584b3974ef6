"""What back-ups cost a crawl at full speed, in pages a second: python bench/backup_pace.py [--pairs 14] [--json]

One crawl runs without pauses all the time. Within it, windows of a few seconds follow each other in pairs: in one of a pair,
back-ups run one after the other without a break; in the other one there are none. Which comes first is drawn. So what
changes slowly, such as the growing web and other programs on the machine, meets both kinds alike, which it does not if whole crawls
are compared. The figures are the medians of the ratios of all pairs; the interval holds each in 95 of 100 cases. The processor
time that the crawl takes for a page is compared in the same way: it says something on a machine that is not quiet, too.

In every second pair the back-ups are first ones: their folder is emptied before each, so that each reads and writes everything, a file of
random bytes among it that stands for the archive of earlier years. In the others, back-ups follow earlier ones in the same
folder, as every night.
"""

import argparse
import math
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from backup_load import prepare
from bandwidth import end_crawl, read_family_cpu_s, read_sent, serve_pages, wait_for_page
from command_line import run_benchmark
from crawlers import make_environment
from paced_server import name_host

PAIRS, WINDOW_S, MEGABYTES = 14, 6.0, 300
WARM_UP_S, SETTLE_S = 15.0, 1.5
HOSTS, PAGE_BYTES = 300, 4_000
KINDS = ("next", "first")
_INTERVAL = 0.95


class Pace(msgspec.Struct, frozen=True):
    """How fast the crawl was in a window, and what a page has cost it."""

    pages_per_s: float
    cpu_ms: float


class Crawl(msgspec.Struct, frozen=True):
    """The crawl that goes on all the time."""

    process: int
    told: Path
    """The file with what the server has sent."""


class Backups(threading.Thread):
    """Backs up a web again and again until it is ended; the back-up that is under way then is killed."""

    def __init__(self, web: Path, kept: Path, anew: bool) -> None:
        super().__init__(daemon=True)
        self._command = [
            *(sys.executable, "-m", "gossamer.cli.main", "backup", str(kept), "--web", str(web)),
            *("--keep", "2"),
        ]
        self._kept, self._anew = kept, anew
        self._is_over = threading.Event()
        self._copying: subprocess.Popen[bytes] | None = None
        self.finished, self.cpu_s = 0, 0.0
        self.start()

    def run(self) -> None:
        """Back up until it is ended."""
        while not self._is_over.is_set():
            if self._anew:
                shutil.rmtree(self._kept, ignore_errors=True)
            copying = subprocess.Popen(
                self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=make_environment()
            )
            self._copying = copying
            if self._is_over.is_set():
                copying.kill()
            _, status, spent = os.wait4(copying.pid, 0)
            copying.returncode = status
            self.cpu_s += spent.ru_utime + spent.ru_stime
            self.finished += not status

    def end(self) -> None:
        """Kill what is under way, and wait for its end."""
        self._is_over.set()
        if self._copying is not None and self._copying.returncode is None:
            self._copying.send_signal(signal.SIGKILL)
        self.join()


@contextmanager
def crawl_at_full_speed(folder: Path, megabytes: int) -> Iterator[Crawl]:
    """Crawl small pages without pauses until the block ends."""
    prepare(folder / "web", megabytes << 20)
    with serve_pages(folder, PAGE_BYTES, hosts=HOSTS) as (port, told):
        seeds = folder / "seeds.txt"
        seeds.write_text("".join(f"http://{name_host(one)}:{port}/0.html\n" for one in range(HOSTS)), "ascii")
        command = [
            *(sys.executable, "-m", "gossamer.cli.main", "crawl", "--seed-files", str(seeds)),
            *("--web", str(folder / "web"), "--delay", "0", "--no-robots", "--no-traps"),
            *("--allow-private", "127.0.0.0/8"),
        ]
        crawl = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=make_environment()
        )
        try:
            wait_for_page(told)
            time.sleep(WARM_UP_S)
            yield Crawl(crawl.pid, told)
        finally:
            end_crawl(crawl)


def measure_window(crawl: Crawl, seconds: float) -> Pace:
    """Return the pace in a window that begins now."""
    time.sleep(SETTLE_S)
    begin_s, spent_s = time.time(), read_family_cpu_s(crawl.process)
    time.sleep(seconds)
    spent_s = read_family_cpu_s(crawl.process) - spent_s
    inside = [one for one in read_sent(crawl.told) if begin_s <= one.when_s]
    pages = inside[-1].pages - inside[0].pages
    return Pace(pages / (inside[-1].when_s - inside[0].when_s), 1000 * spent_s / max(1, pages))


def measure_pair(folder: Path, crawl: Crawl, kind: str, backs_up_first: bool, seconds: float) -> Pace:
    """Measure one window with back-ups and one without; return the ratios of pages a second and of processor time."""
    paces = {}
    backups = None
    for with_backups in (backs_up_first, not backs_up_first):
        if with_backups:
            backups = Backups(folder / "web", folder / f"kept-{kind}", anew=kind == "first")
        try:
            paces[with_backups] = measure_window(crawl, seconds)
        finally:
            if with_backups and backups is not None:
                backups.end()
    assert backups is not None
    one, other = paces[True], paces[False]
    found = Pace(one.pages_per_s / other.pages_per_s, one.cpu_ms / other.cpu_ms)
    print(
        f"{kind:5} {other.pages_per_s:7.0f} pages/s and {other.cpu_ms:.3f} ms a page without, {one.pages_per_s:7.0f} and "
        f"{one.cpu_ms:.3f} with back-ups: {found.pages_per_s:.3f}, {found.cpu_ms:.3f}; "
        f"{backups.finished} finished, {backups.cpu_s:.1f} s of processor time",
        file=sys.stderr,
        flush=True,
    )
    return found


def find_interval(ratios: list[float]) -> tuple[float, float]:
    """Return the interval that holds the median in 95 of 100 cases, from the ranks of the ratios alone."""
    ordered, count = sorted(ratios), len(ratios)
    below, rank = 0.0, 0
    while rank < count // 2:
        below += math.comb(count, rank) / 2**count
        if below > (1 - _INTERVAL) / 2:
            break
        rank += 1
    rank = max(0, rank - 1)
    return ordered[rank], ordered[count - 1 - rank]


def measure(pairs: int = PAIRS, seconds: float = WINDOW_S, megabytes: int = MEGABYTES) -> dict[str, float]:
    """Measure pairs of windows of both kinds; return what is left of the pages a second, and what a page costs."""
    drawn = random.Random(22)
    ratios: dict[str, list[Pace]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="backup-pace-") as name:
        folder = Path(name)
        with crawl_at_full_speed(folder, megabytes) as crawl:
            for _ in range(pairs):
                for kind in KINDS:
                    ratios[kind].append(measure_pair(folder, crawl, kind, drawn.random() < 0.5, seconds))
    found = {}
    for kind in KINDS:
        for figure in Pace.__struct_fields__:
            values = [getattr(one, figure) for one in ratios[kind]]
            low, high = find_interval(values)
            median = found[f"backup_pace.{figure}_{kind}"] = statistics.median(values)
            print(f"{kind}, {figure}: median {median:.3f}, interval {low:.3f} to {high:.3f}", file=sys.stderr)
    return found


def main() -> int:
    """Measure as the command line says."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--pairs", type=int, default=PAIRS, help="of each kind")
    options.add_argument("--seconds", type=float, default=WINDOW_S)
    options.add_argument("--megabytes", type=int, default=MEGABYTES)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    return run_benchmark(
        "backup_pace", lambda: measure(chosen.pairs, chosen.seconds, chosen.megabytes), chosen.json
    )


if __name__ == "__main__":
    sys.exit(main())
