"""What back-ups cost a crawl at full speed, in pages a second: python bench/backup_load.py [--pairs 14] [--json]

One crawl runs without pauses all the time. Within it, windows of a few seconds follow each other in pairs: in one of a pair,
back-ups run one after the other without a break; in the other one there are none. Which comes first is drawn. So what
changes slowly, such as the growing web and other programs on the machine, meets both kinds alike, which it does not if whole crawls
are compared. The figure is the median of the ratios of all pairs; the interval holds it in 95 of 100 cases.

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

from bandwidth import end_crawl, read_sent, serve_pages, wait_for_page
from command_line import run_benchmark
from crawlers import make_environment
from gossamer.store.backup.take_backup import BackupOptions, take_backup
from gossamer.store.batch import Batch
from gossamer.store.opening.open_store import STATE
from gossamer.store.sqlite.sqlite_store import SqliteStore
from paced_server import name_host

PAIRS, WINDOW_S, MEGABYTES = 14, 6.0, 300
WARM_UP_S, SETTLE_S = 15.0, 1.5
HOSTS, PAGE_BYTES = 300, 4_000
KINDS = ("next", "first")
_OLD = "gossamer-20200101000000-900-00000.warc.gz"
_INTERVAL = 0.95


def prepare(web: Path, old_bytes: int) -> None:
    """Make a web with an old archive and nothing else."""
    (web / "archive").mkdir(parents=True)
    with (web / "archive" / _OLD).open("wb") as file:
        for _ in range(old_bytes >> 20):
            file.write(os.urandom(1 << 20))
    store = SqliteStore(web / STATE, create=True)
    store.commit(Batch(archive_ends={_OLD: old_bytes >> 20 << 20}))
    store.close()


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
def crawl_at_full_speed(folder: Path, megabytes: int) -> Iterator[Path]:
    """Crawl small pages without pauses until the block ends; yield the file with what the server has sent."""
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
            yield told
        finally:
            end_crawl(crawl)


def measure_window(told: Path, seconds: float) -> float:
    """Return the pages a second of a window that begins now."""
    time.sleep(SETTLE_S)
    begin_s = time.time()
    time.sleep(seconds)
    inside = [one for one in read_sent(told) if begin_s <= one.when_s]
    return (inside[-1].pages - inside[0].pages) / (inside[-1].when_s - inside[0].when_s)


def measure_pair(folder: Path, told: Path, kind: str, backs_up_first: bool, seconds: float) -> float:
    """Measure one window with back-ups and one without; return the ratio of their pages a second."""
    rates = {}
    backups = None
    for with_backups in (backs_up_first, not backs_up_first):
        if with_backups:
            backups = Backups(folder / "web", folder / f"kept-{kind}", anew=kind == "first")
        try:
            rates[with_backups] = measure_window(told, seconds)
        finally:
            if with_backups and backups is not None:
                backups.end()
    assert backups is not None
    print(
        f"{kind:5} {rates[False]:8.0f} pages/s without, {rates[True]:8.0f} with back-ups: {rates[True] / rates[False]:.3f}; "
        f"{backups.finished} finished, {backups.cpu_s:.1f} s of processor time",
        file=sys.stderr,
    )
    return rates[True] / rates[False]


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


def measure_increments(folder: Path) -> dict[str, float]:
    """Return how many bytes further back-ups store, as shares of the first one, of the web that the crawl has left."""
    web, kept = folder / "web", folder / "kept"
    first = take_backup(web, kept, BackupOptions()).snapshot
    store = SqliteStore(web / STATE)
    known = store.counts()
    some = [page for page, _ in zip(store.pages(), range(known["pages"] // 20), strict=False)]
    store.commit(Batch(pages=some))  # a twentieth was fetched again
    store.close()
    changed = take_backup(web, kept, BackupOptions()).snapshot
    same = take_backup(web, kept, BackupOptions()).snapshot
    whole = first.state_bytes + first.archive_bytes
    print(
        f"first back-up: {whole:,} bytes of state and archive, {first.new_bytes:,} stored; after {len(some):,} of "
        f"{known['pages']:,} pages were written again: {changed.new_bytes:,} stored; after nothing: {same.new_bytes:,} stored",
        file=sys.stderr,
    )
    return {
        "backup_load.increment_share": changed.new_bytes / first.state_bytes,
        "backup_load.unchanged_share": same.new_bytes / whole,
    }


def measure(pairs: int = PAIRS, seconds: float = WINDOW_S, megabytes: int = MEGABYTES) -> dict[str, float]:
    """Measure pairs of windows of both kinds; return what is left of the pages a second, and what further back-ups store."""
    drawn = random.Random(22)
    ratios: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="backup-load-") as name:
        folder = Path(name)
        with crawl_at_full_speed(folder, megabytes) as told:
            for _ in range(pairs):
                for kind in KINDS:
                    ratios[kind].append(measure_pair(folder, told, kind, drawn.random() < 0.5, seconds))
        increments = measure_increments(folder)
    found = {}
    for kind in KINDS:
        low, high = find_interval(ratios[kind])
        median = statistics.median(ratios[kind])
        print(f"{kind}: median {median:.3f}, interval {low:.3f} to {high:.3f}", file=sys.stderr)
        found[f"backup_load.pages_per_s_{kind}"] = median
    return found | increments


def main() -> int:
    """Measure as the command line says."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--pairs", type=int, default=PAIRS, help="of each kind")
    options.add_argument("--seconds", type=float, default=WINDOW_S)
    options.add_argument("--megabytes", type=int, default=MEGABYTES)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    return run_benchmark(
        "backup_load", lambda: measure(chosen.pairs, chosen.seconds, chosen.megabytes), chosen.json
    )


if __name__ == "__main__":
    sys.exit(main())
