"""Compare the number of connections that a crawl finds by itself with fixed ones, by pages a second, on three webs.

- fast: servers that answer at once
- slow: servers that take half a second for each answer
- failing: a quarter of the hosts accept connections and never answer, the others take a fifth of a second

Each crawl runs for a while before it is measured, so that the number is found and the hosts are known. The figures are
the pages a second with the found number in relation to the best of the fixed ones.

    python bench/connections.py [--seconds S] [--only WEB …] [--json]
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from bandwidth import end_crawl, read_sent, serve_pages, wait_for_page
from command_line import run_benchmark
from crawlers import make_environment
from gossamer.crawl.status.status_file import read_files
from paced_server import name_host

SECONDS, WARM_UP_S = 20.0, 15.0
HOSTS = 300
PAGE_BYTES = 4_000
FIXED = (16, 64, 128, 256)
WEBS = {
    "fast": (),
    "slow": ("--delay", "0.5"),
    "failing": ("--delay", "0.2", "--failing", "0.25"),
}


class Rate(msgspec.Struct, frozen=True):
    """What came of one crawl."""

    pages_per_s: float
    connections: str


def measure_crawl(server: tuple[str, ...], connections: str, seconds: float) -> Rate:
    """Crawl a web with a number of connections, or `auto`; return its pages a second."""
    with tempfile.TemporaryDirectory(prefix="connections-") as name:
        folder = Path(name)
        with serve_pages(folder, PAGE_BYTES, *server, hosts=HOSTS) as (port, told):
            seeds = folder / "seeds.txt"
            seeds.write_text(
                "".join(f"http://{name_host(host)}:{port}/0.html\n" for host in range(HOSTS)), "ascii"
            )
            command = [
                *(sys.executable, "-m", "gossamer.cli.main", "crawl", "--seed-files", str(seeds)),
                *("--web", str(folder / "web"), "--delay", "0", "--no-robots", "--no-traps", "--no-bodies"),
                *("--allow-private", "127.0.0.0/8", "--first-byte-time", "5", "--connections", connections),
            ]
            crawl = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=make_environment()
            )
            try:
                wait_for_page(told)
                time.sleep(WARM_UP_S)
                begun = read_sent(told)[-1]
                time.sleep(seconds)
                ended = read_sent(told)[-1]
                said = [shard.connections_why for shard in read_files(folder / "web")]
            finally:
                end_crawl(crawl)
    rate = (ended.pages - begun.pages) / (ended.when_s - begun.when_s)
    return Rate(rate, "; ".join(said))


def measure(seconds: float = SECONDS, only: list[str] | None = None) -> dict[str, float]:
    """Measure each web with all numbers."""
    found = {}
    for web, server in WEBS.items():
        if only and web not in only:
            continue
        rates = {number: measure_crawl(server, str(number), seconds) for number in FIXED}
        auto = measure_crawl(server, "auto", seconds)
        for number, rate in rates.items():
            print(f"{web}: {number} connections: {rate.pages_per_s:.1f} pages/s", file=sys.stderr)
        print(f"{web}: {auto.connections}: {auto.pages_per_s:.1f} pages/s", file=sys.stderr)
        found[f"connections.{web}"] = auto.pages_per_s / max(rate.pages_per_s for rate in rates.values())
    return found


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--only", nargs="+", choices=[*WEBS], metavar="WEB")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    return run_benchmark("connections", lambda: measure(given.seconds, given.only), given.json)


if __name__ == "__main__":
    sys.exit(main())
