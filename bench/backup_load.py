"""What back-ups cost a crawl: python bench/backup_load.py [--pages 3000] [--rounds 3] [--megabytes 300] [--json]

Crawls the same synthetic web again and again, in alternate rounds without and with back-ups, which then run one after the other
all the time, each into a new folder, so that each of them reads everything. A file of random bytes stands for the archive of
earlier years. The clock of a busy machine says little: the CPU time of the crawl for each page is counted too, the
CPU time of the back-ups, how long the crawl waited for its commits, and at most for the lock to write. The best round of each kind counts.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from command_line import run_benchmark
from gossamer.errors import BadInput
from gossamer.store.backup.take_backup import BackupOptions, take_backup
from gossamer.store.batch import Batch
from gossamer.store.opening.open_store import STATE
from gossamer.store.sqlite.sqlite_store import SqliteStore

PAGES, ROUNDS, MEGABYTES = 3_000, 3, 300
_OLD = "gossamer-20200101000000-900-00000.warc.gz"
# Prints how long each batch took to write, in milliseconds, behind what the crawl prints.
_CRAWL = """
import json, sys, time
from gossamer.crawl.loop import write_batches
took, write = [], write_batches.BatchWriter.write
def timed(self, pending):
    began_s = time.perf_counter()
    try:
        return write(self, pending)
    finally:
        took.append(1000 * (time.perf_counter() - began_s))
write_batches.BatchWriter.write = timed
from gossamer.store.sqlite.sqlite_store import SqliteStore
waited, transact = [], SqliteStore._transact
def begin(self, db, batch):
    began_s = time.perf_counter()
    db.execute("begin immediate")
    waited.append(1000 * (time.perf_counter() - began_s))
    db.execute("rollback")
    return transact(self, db, batch)
SqliteStore._transact = begin
from gossamer.cli.main import run_verb
code = run_verb(sys.argv[1:])
print(json.dumps({"took": took, "waited": waited}))
sys.exit(code)
"""


def prepare(web: Path, old_bytes: int) -> None:
    """Make a web with an old archive and nothing else."""
    (web / "archive").mkdir(parents=True)
    with (web / "archive" / _OLD).open("wb") as file:
        for _ in range(old_bytes >> 20):
            file.write(os.urandom(1 << 20))
    store = SqliteStore(web / STATE, create=True)
    store.commit(Batch(archive_ends={_OLD: old_bytes >> 20 << 20}))
    store.close()


class _Ending(threading.Thread):
    """Waits for the end of a process, so that its time does not include the back-up that is under way then."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self.start()

    def run(self) -> None:
        """Wait, and take note of the moment."""
        _, self.status, self.used = os.wait4(self._pid, 0)
        self.ended_s = time.monotonic()


def crawl(page: str, folder: Path, pages: int, old_bytes: int, with_backups: bool) -> dict[str, float]:
    """Crawl once; return what it cost."""
    web, kept = folder / "web", folder / "kept"
    shutil.rmtree(folder, ignore_errors=True)
    prepare(web, old_bytes)
    options = f"--web {web} --pages {pages} --scope any --delay 0 --allow-private 127.0.0.0/8 --json".split()
    began_s = time.monotonic()
    with (folder / "printed").open("wb") as printed:
        process = subprocess.Popen([sys.executable, "-c", _CRAWL, "crawl", page, *options], stdout=printed)
    ending = _Ending(process.pid)
    backups, spent_s, log_bytes = 0, 0.0, 0
    while with_backups and ending.is_alive():
        command = [sys.executable, "-m", "gossamer.cli.main", "backup", str(kept), "--web", str(web)]
        copying = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, spent = os.wait4(copying.pid, 0)
        copying.returncode = 0
        spent_s += spent.ru_utime + spent.ru_stime
        backups += 1
        log_bytes = max(log_bytes, _measure(web / f"{STATE}-wal"))
        shutil.rmtree(kept, ignore_errors=True)
    ending.join()
    process.returncode, used = ending.status, ending.used
    lines = (folder / "printed").read_text("utf-8").splitlines()
    wall_s = ending.ended_s - began_s
    told = json.loads(lines[-1])
    took, waited = sorted(told["took"]), told["waited"]
    return {
        "pages_s": pages / wall_s,
        "cpu_ms": 1000 * (used.ru_utime + used.ru_stime) / pages,
        "commit_ms": took[len(took) // 2],
        "slowest_ms": took[-1],
        "all_commits_ms": sum(took) / pages,
        "lock_ms": max(waited),
        "backups": backups,
        "backup_cpu_s": spent_s / max(1, backups),
        "log_mib": log_bytes / (1 << 20),
    }


def _measure(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def measure_increments(folder: Path) -> dict[str, float]:
    """Return how many bytes further back-ups store, as shares of the first one, of the web that the last round has left."""
    web, kept = folder / "web", folder / "kept"
    shutil.rmtree(kept, ignore_errors=True)
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


@contextmanager
def serve_lab(pages: int) -> Iterator[str]:
    """Serve a synthetic web until the block ends; return its start page."""
    serve = [sys.executable, "-u", "-m", "gossamer.cli.main", "lab", "serve"]
    command = [*serve, "--pages", str(pages), "--hosts", "30", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lab:
        try:
            assert lab.stdout is not None
            page = next((line.strip() for line in lab.stdout if line.strip().startswith("http://")), "")
            if not page:
                raise BadInput("the lab web did not start")
            yield page
        finally:
            lab.kill()


def compare_rounds(rounds: dict[bool, list[dict[str, float]]]) -> dict[str, float]:
    """Return the best round with back-ups against the best one without, as ratios."""
    best = {
        kind: {name: (max if name == "pages_s" else min)(one[name] for one in found) for name in found[0]}
        for kind, found in rounds.items()
    }
    without, with_backups = best[False], best[True]
    spent = {kind: one["cpu_ms"] + one["all_commits_ms"] for kind, one in best.items()}
    return {
        "backup_load.cost": spent[True] / spent[False],
        "backup_load.cpu": with_backups["cpu_ms"] / without["cpu_ms"],
        "backup_load.commits": with_backups["all_commits_ms"] / without["all_commits_ms"],
        "backup_load.pages_per_s": with_backups["pages_s"] / without["pages_s"],
        "backup_load.backups": min(one["backups"] for one in rounds[True]),
    }


def measure(pages: int = PAGES, rounds: int = ROUNDS, megabytes: int = MEGABYTES) -> dict[str, float]:
    """Crawl in alternate rounds; return what back-ups add to processor time and commits, and what further ones store."""
    found: dict[bool, list[dict[str, float]]] = {False: [], True: []}
    with tempfile.TemporaryDirectory(prefix="backup-load-") as name, serve_lab(3 * pages) as page:
        for number in range(2 * rounds):
            kind = number % 4 in (1, 2)
            one = crawl(page, Path(name) / "web", pages, megabytes << 20, kind)
            found[kind].append(one)
            print(
                "with   " if kind else "without",
                {each: round(value, 2) for each, value in one.items()},
                file=sys.stderr,
            )
        return compare_rounds(found) | measure_increments(Path(name) / "web")


def main() -> int:
    """Measure as the command line says."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--pages", type=int, default=PAGES)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--megabytes", type=int, default=MEGABYTES)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    return run_benchmark(
        "backup_load", lambda: measure(chosen.pages, chosen.rounds, chosen.megabytes), chosen.json
    )


if __name__ == "__main__":
    sys.exit(main())
