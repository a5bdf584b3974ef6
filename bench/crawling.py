"""Compare whole crawlers: Gossamer, Scrapy as its tutorial writes it, Scrapy tuned, wget2.

All of them fetch the same pages of Debian's documentation (see documentation_site.py) from the same nginx on 16
loopback addresses; they obey robots.txt and make no pauses. They run alternately, so that noise affects all of them, and
the best of several rounds counts. A run that does not fetch each page of the site exactly once is an error.

CPU time is that of the whole program, start-up included; the table also shows the start-up alone, measured by fetching
one page without links. Scrapy stores nothing, wget2 writes files, Gossamer keeps store, links, archive and fingerprints.

    python bench/crawling.py [--pages N] [--rounds N] [--only NAME …] [--json]
    python bench/crawling.py --profile      Gossamer alone, once, under cProfile
"""

import argparse
import os
import pstats
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from command_line import run_benchmark
from crawlers import (
    CRAWLERS,
    GOSSAMER,
    GOSSAMER_TWICE,
    TUNED,
    TUTORIAL,
    WGET2,
    Crawler,
    make_environment,
    make_gossamer,
)
from documentation_site import HOSTS, LONELY_PAGE, START_PAGE, describe, write_site
from gossamer.crawl.host_shards import Territory
from gossamer.errors import BadInput
from nginx_site import NginxLog, find_free_port, run_nginx, write_servers
from run_program import Cost, run_measured

PAGES = 2_400
# The gain of several processes is measured on a longer crawl: three programs start instead of one, which takes a fifth of
# the CPU time of the short crawl (1.43 times as many pages a second there, 1.51 with three times the pages on the same day).
LONG_PAGES = 9_600
LONG_ROUNDS = 4
ROUNDS = 3
LONGEST_S = 600.0
PROFILE_LINES = 45
_TRIED_PORTS = 1_000


class Best(msgspec.Struct):
    """The best figures of a crawler over all rounds."""

    start_cpu_s: float
    wall_s: float = float("inf")
    cpu_s: float = float("inf")
    worst_cpu_s: float = 0.0
    """Shown next to the best: wget2's system time varies between 0.7 and 3 s on the same site, for an unknown reason."""
    peak_mb: float = float("inf")

    def add_round(self, cost: Cost) -> None:
        """Update the figures with one more round."""
        self.wall_s = min(self.wall_s, cost.wall_s)
        self.cpu_s = min(self.cpu_s, cost.cpu_s)
        self.worst_cpu_s = max(self.worst_cpu_s, cost.cpu_s)
        self.peak_mb = min(self.peak_mb, cost.peak_mb)


class Course(msgspec.Struct, frozen=True):
    """The served site that crawlers run against."""

    folder: Path
    port: int
    pages: frozenset[str]
    log: NginxLog

    def run(self, crawler: Crawler, start_page: str = START_PAGE) -> Cost:
        """Let a crawler fetch the site, or one page of each host, and check its requests."""
        seeds = [f"http://{host}:{self.port}/{start_page}" for host in HOSTS]
        output = self.folder / "output.txt"
        kept = self.folder / "kept"
        kept.mkdir()
        self.log.clear()
        # No crawler starts while writes of another are pending: wget2's system time is 3.4 s without this, 2.9 s with it
        # (means of five).
        os.sync()
        try:
            cost = run_measured(crawler.command(seeds, kept), output, make_environment(), LONGEST_S)
        finally:
            shutil.rmtree(kept)
        expected = self.pages if start_page == START_PAGE else {f"{host}/{start_page}" for host in HOSTS}
        if error := self._find_error(cost, frozenset(expected)):
            end = output.read_text("utf-8", "replace")[-2_000:]
            raise BadInput(f"{crawler.name}: {error}; its output ends with:\n{end}")
        return cost

    def _find_error(self, cost: Cost, expected: frozenset[str]) -> str:
        """Describe what was wrong with a run; "" if nothing was."""
        asked = Counter(f"{answer.status} {answer.place}" for answer in self.log.answers())
        wanted = Counter(f"200 {place}" for place in (*expected, *(f"{host}/robots.txt" for host in HOSTS)))
        if cost.exit_code:
            return f"exit code {cost.exit_code}"
        if missing := wanted - asked:
            return (
                f"{missing.total():,} of {wanted.total():,} were not fetched, such as {next(iter(missing))}"
            )
        if strange := asked - wanted:
            return f"{strange.total():,} unexpected requests, such as {next(iter(strange))}"
        return ""


def find_even_port() -> int:
    """Find a port at which each of two processes owns eight hosts.

    The owner of a host depends on its name and port. By chance one process may own 11 of 16 hosts, and then the crawl
    cannot be 1.5 times as fast; with the hundreds of hosts of a real crawl, each process owns about half.
    """
    for _ in range(_TRIED_PORTS):
        port = find_free_port(HOSTS)
        if 2 * sum(Territory(0, 2).owns(f"{host}:{port}") for host in HOSTS) == len(HOSTS):
            return port
    raise BadInput("no port was found at which two processes own the same number of hosts")


@contextmanager
def serve_course(pages: int) -> Iterator[Course]:
    """Write the site and serve it until the block ends, then delete it."""
    with tempfile.TemporaryDirectory(prefix="crawling-") as name:
        folder = Path(name)
        port = find_even_port()
        site = write_site(folder / "site", port, pages)
        print(describe(site), file=sys.stderr)
        served = write_servers(HOSTS, port, folder / "site")
        with run_nginx(served, HOSTS[-1], port, folder / "nginx") as log:
            yield Course(folder, port, site.pages, log)


def measure(pages: int = PAGES, rounds: int = ROUNDS, only: list[str] | None = None) -> dict[str, float]:
    """Run every installed crawler; return the ratios between them, and Gossamer's own costs."""
    versions = {crawler.name: crawler.version() for crawler in CRAWLERS if not only or crawler.name in only}
    for name in (name for name, version in versions.items() if not version):
        print(f"not installed: {name}", file=sys.stderr)
    present = [crawler for crawler in CRAWLERS if versions.get(crawler.name)]
    best, page_count = run_race(present, pages, rounds)
    print_table(present, versions, best, page_count)
    found = compute_figures(best, page_count)
    pair = [crawler for crawler in present if crawler.name in (GOSSAMER, GOSSAMER_TWICE)]
    if len(pair) > 1:
        longer, page_count = run_race(pair, LONG_PAGES, LONG_ROUNDS)
        print_table(pair, versions, longer, page_count)
        found["crawl.processes_2_speedup"] = longer[GOSSAMER].wall_s / longer[GOSSAMER_TWICE].wall_s
    return found


def run_race(crawlers: list[Crawler], pages: int, rounds: int) -> tuple[dict[str, Best], int]:
    """Let crawlers fetch a site alternately; return the best figures of each, and the number of pages."""
    with serve_course(pages) as track:
        # This also warms up: byte code, compiled code and the programs are in memory from now on.
        best = {crawler.name: Best(track.run(crawler, LONELY_PAGE).cpu_s) for crawler in crawlers}
        for round_number in range(rounds):
            # Each round starts with another crawler, so that none always runs after the same one.
            first = round_number % max(1, len(crawlers))
            for crawler in crawlers[first:] + crawlers[:first]:
                print(f"round {round_number + 1}: {crawler.name} …", file=sys.stderr)
                best[crawler.name].add_round(track.run(crawler))
        return best, len(track.pages)


def compute_figures(best: dict[str, Best], pages: int) -> dict[str, float]:
    """Return the figures that have floors, and those that explain them."""
    found: dict[str, float] = {}
    if mine := best.get(GOSSAMER):
        found["crawl.cpu_ms_per_page"] = mine.cpu_s / pages * 1e3
        found["crawl.pages_per_s"] = pages / mine.wall_s
        found["crawl.peak_mb"] = mine.peak_mb
        for name, peer in (("scrapy_tutorial", TUTORIAL), ("scrapy_tuned", TUNED), ("wget2", WGET2)):
            if peer in best:
                found[f"crawl.cpu_vs_{name}"] = mine.cpu_s / best[peer].cpu_s
                found[f"crawl.{name}_cpu_spread"] = best[peer].worst_cpu_s / best[peer].cpu_s
    return found


def print_table(crawlers: list[Crawler], versions: dict[str, str], best: dict[str, Best], pages: int) -> None:
    """Print the comparison."""
    table = Table("crawler", "keeps", "pages/s", "CPU ms a page", "worst", "start-up CPU s", "peak MB")
    for crawler in crawlers:
        did = best[crawler.name]
        best_ms, worst_ms = did.cpu_s / pages * 1e3, did.worst_cpu_s / pages * 1e3
        measured = (pages / did.wall_s, best_ms, worst_ms, did.start_cpu_s, did.peak_mb)
        written = (f"{value:,.{digits}f}" for value, digits in zip(measured, (0, 2, 2, 2, 0), strict=True))
        table.add_row(crawler.name, crawler.keeps, *written)
    table.caption = ", ".join(dict.fromkeys(filter(None, versions.values())))
    Console(stderr=True).print(table)


def profile_crawl(pages: int) -> None:
    """Run Gossamer once under cProfile and print where time is spent (Python's share looks larger than it is)."""
    with serve_course(pages) as track:
        statistics = track.folder / "profile"
        command = make_gossamer("-m", "cProfile", "-o", str(statistics))
        track.run(Crawler(GOSSAMER, command, str, "all"))
        pstats.Stats(str(statistics)).strip_dirs().sort_stats("tottime").print_stats(PROFILE_LINES)


def main() -> int:
    """Compare or profile, as given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES, help="pages to serve, at least")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", nargs="+", choices=[crawler.name for crawler in CRAWLERS], metavar="NAME")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--profile", action="store_true", help="Gossamer alone, once, under cProfile")
    asked = parser.parse_args()

    def measure_or_profile() -> dict[str, float]:
        if not asked.profile:
            return measure(asked.pages, asked.rounds, asked.only)
        profile_crawl(asked.pages)
        return {}

    return run_benchmark("crawling", measure_or_profile, asked.json)


if __name__ == "__main__":
    sys.exit(main())
