"""What a web of ten million known URLs costs beside a small one of the same build (see grown_web.py).

Both are resumed for the same number of pages, by turns, each time from a fresh copy. Ready is when the first page is
asked for, by the server's log; the cost of a page is the CPU used from then to the end. Memory is the peak of the
large one.

    python bench/growth.py [--urls N] [--pages N] [--json]
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from pathlib import Path

import msgspec
import numpy as np

from crawlers import environment
from gossamer.errors import BadInput
from gossamer.frontier.seen import Seen
from gossamer.store.sqlite import SqliteStore
from grown_web import HOSTS, STATE_FILE, TASK, host_of, make_web, write_answers
from nginx_site import NginxLog, free_port, nginx
from telling import told
from watched import Cost, run_watched

URLS = 10_000_000
SMALL_URLS = 20_000
PAGES = 4_000
ROUNDS = 2
LONGEST_S = 300.0
FIRST_LOOK = 64
"""Requests of each host that are read to be ready."""
ADDRESS = host_of(0, 80).partition(":")[0]


class Resumed(msgspec.Struct, frozen=True):
    """What resuming a web came to."""

    ready_s: float
    cpu_ms_per_page: float
    peak_mb: float


def resume_command(web: Path) -> list[str]:
    """Return the command line that goes on with the task of a web until its limit of pages."""
    return [sys.executable, "-m", "gossamer.cli.main", "resume", "--web", str(web), "--json"]


def can_resume() -> bool:
    """Tell whether the verb is there."""
    asked = [sys.executable, "-m", "gossamer.cli.main", "resume", "--help"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def resume(made: Path, log: NginxLog, pages: int) -> Resumed:
    """Resume a copy of a web, and find out from the server's log when it was ready and what it fetched."""
    web, output = made.with_name("resumed"), made.with_name("output.txt")
    shutil.copytree(made, web)
    log.forget()
    try:
        cost = run_watched(resume_command(web), output, environment(), LONGEST_S)
    finally:
        shutil.rmtree(web)
    answers = [answer for answer in log.answers() if answer.status == 200]
    if cost.exit_code or len(answers) < pages:
        said = output.read_text("utf-8", "replace")[-2_000:]
        raise BadInput(f"fetched {len(answers):,} of {pages:,} pages; resume said at last:\n{said}")
    first_s = min(answer.when_s for answer in answers)
    cpu_s = cost.cpu_s - cpu_until(first_s, cost)
    return Resumed(first_s - cost.began_s, cpu_s / len(answers) * 1e3, cost.peak_mb)


def cpu_until(when_s: float, cost: Cost) -> float:
    """Return the CPU that a program had used at a moment, as it was last seen before."""
    at = bisect_right(cost.looks, when_s, key=lambda look: look.when_s)
    return cost.looks[at - 1].cpu_s if at else 0.0


def bare_ready_s(made: Path) -> float:
    """Return how long the store alone takes to give back what a crawl must know before its first request."""
    began_s = time.perf_counter()
    store = SqliteStore(made / STATE_FILE)
    try:
        keys = np.frombuffer(bytearray().join(store.seen_keys()), np.int64)
        seen = Seen(keys)
        hosts = store.waiting_hosts(TASK)
        waiting = sum(len(store.requests(host, TASK, FIRST_LOOK)) for host in hosts if store.host(host))
        took_s = time.perf_counter() - began_s
    finally:
        store.close()
    if len(hosts) != HOSTS or len(seen) != keys.size or not waiting:
        raise BadInput(f"the made web gave back {len(hosts):,} hosts and {len(seen):,} of {keys.size:,} keys")
    return took_s


def measure(urls: int = URLS, pages: int = PAGES) -> dict[str, float]:
    """Make both webs and resume them; only the store's part where the verb is not there yet."""
    with tempfile.TemporaryDirectory(prefix="growth-") as name:
        folder = Path(name)
        port = free_port([ADDRESS])
        small, large = folder / "small", folder / "large"
        make_web(small, SMALL_URLS, port, pages)
        print(f"making a web of {urls:,} known URLs …", file=sys.stderr)
        found = {"growth.made_urls_per_s": make_web(large, urls, port, pages)}
        found["growth.state_bytes_per_url"] = (large / STATE_FILE).stat().st_size / urls
        found["growth.store_ready_s"] = bare_ready_s(large)
        if not can_resume():
            print("left out, there is no verb `resume` yet: ready, memory and cost a page", file=sys.stderr)
            return found
        site = write_answers(folder / "answers", port)
        with nginx(site, ADDRESS, port, folder / "nginx") as log:
            return found | compare(small, large, log, pages)


def compare(small: Path, large: Path, log: NginxLog, pages: int) -> dict[str, float]:
    """Resume both webs by turns and return the best of each."""
    runs = [(resume(small, log, pages), resume(large, log, pages)) for _ in range(ROUNDS)]
    return {
        "growth.ready_s": min(grown.ready_s for _, grown in runs),
        "growth.peak_mb": min(grown.peak_mb for _, grown in runs),
        "growth.cost_vs_small": min(grown.cpu_ms_per_page for _, grown in runs)
        / min(little.cpu_ms_per_page for little, _ in runs),
    }


def main() -> int:
    """Measure as the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--urls", type=int, default=URLS, help="known URLs of the large web")
    parser.add_argument("--pages", type=int, default=PAGES, help="pages to fetch of each web")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    return told("growth", lambda: measure(asked.urls, asked.pages), asked.json)


if __name__ == "__main__":
    sys.exit(main())
