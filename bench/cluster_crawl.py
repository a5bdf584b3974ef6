"""Measure whole crawls of a web in PostgreSQL: one fetcher against SQLite, two fetchers against one, and Hoover's own figures.

A lab world is served from another process. First one fetcher crawls it into a directory and into PostgreSQL, alternately, and
the best round of each counts. Its round trips are counted, and the CPU time of fetcher and server is told apart. Then one and
two fetchers crawl a world that answers after 200 ms, with so few connections that they mostly wait. Last, a crawl starts from
10,000 links, as Hoover did in 1997 (Stein, section 3.3.6): 120 kB/s, 17 MB after five minutes.

    python bench/cluster_crawl.py [--only store latency seed …] [--pages N] [--rounds N] [--json]
    python bench/cluster_crawl.py --profile      one fetcher alone, once, under cProfile
"""

import argparse
import json
import math
import os
import pstats
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from command_line import run_benchmark
from crawlers import make_environment
from gossamer.config import from_options
from gossamer.errors import BadInput
from gossamer.lab import World, serving
from gossamer.lab.options import Shape, Trouble
from postgres import make_empty_web, run_server
from run_program import Cost, run_measured

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

PARTS = "store", "latency", "seed"
PAGES, HOSTS, ROUNDS = 12_000, 60, 3
SLOW_PAGES, SLOW_HOSTS, SLOW_S, SLOW_CONNECTIONS, SLOW_ROUNDS = 2_400, 240, 0.2, 16, 2
SEED_LINKS, SEED_HOSTS = 10_000, 1_500
HOOVER_BYTES_PER_S, HOOVER_BYTES, HOOVER_S = 120_000, 17_000_000, 300
LONGEST_S = 600.0
PROFILE_LINES = 50
_HERE = Path(__file__).parent
_FREE = {"scope": "any", "delay_s": 0.0, "adaptive": 0.0, "allow_private": ["127.0.0.0/8"]}


class ServedWorld(msgspec.Struct, frozen=True):
    """A world that another process serves."""

    seeds: list[str]
    links: list[str]
    """Some pages of it, beginning with the front pages of its hosts."""


class CrawlCost(msgspec.Struct, frozen=True):
    """The cost of one crawl."""

    pages: int
    body_bytes: int
    wall_s: float
    """From the start of the program to its end, or from the first answer to the last one."""
    fetcher_cpu_s: float = 0.0
    server_cpu_s: float = 0.0
    round_trips: int = 0


def serve_world(options: str) -> None:
    """Serve a world in this process and print where it is; `options` are in JSON."""
    given: dict[str, Any] = json.loads(options)
    links, slow_s = given.pop("links"), given.pop("slow_s")
    trouble = Trouble(slow=1.0, slow_s=slow_s) if slow_s else Trouble()
    with serving(World(**given, trouble=trouble, shape=Shape(host_skew=0.0))) as lab:
        assert isinstance(lab.world, World)
        listed = [lab.world.url(number) for number in range(links)]
        sys.stdout.write(json.dumps({"seeds": lab.seeds, "links": listed}) + "\n")
        sys.stdout.flush()
        signal.pause()


@contextmanager
def serve_elsewhere(pages: int, hosts: int, slow_s: float = 0.0, links: int = 0) -> Iterator[ServedWorld]:
    """Serve a world in a process of its own until the block ends."""
    options = {"seed": 11, "pages": pages, "hosts": hosts, "slow_s": slow_s, "links": links}
    program = f"import cluster_crawl; cluster_crawl.serve_world({json.dumps(options)!r})"
    with subprocess.Popen([sys.executable, "-c", program], cwd=_HERE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield msgspec.json.decode(process.stdout.readline(), type=ServedWorld)
        finally:
            process.kill()


def run_counted(output: str, *arguments: str) -> int:
    """Run a verb in this process, and write to a file how often all connections to the database have waited."""
    from gossamer.cli.main import run_verb
    from gossamer.store.postgres.connect import Session

    sessions: list[Session] = []
    begin = Session.__init__

    def begin_counted(self: Session, *given: Any, **named: Any) -> None:
        begin(self, *given, **named)
        sessions.append(self)

    Session.__init__ = begin_counted  # type: ignore[method-assign]
    try:
        return run_verb([*arguments])
    finally:
        Path(output).write_text(str(sum(session.round_trips for session in sessions)), "ascii")


class Course:
    """A folder for crawls, a database and the world that is crawled."""

    def __init__(self, folder: Path, server: "PostgresServer", world: ServedWorld) -> None:
        self.folder = folder
        self._server = server
        self._world = world
        self._crawls = 0

    def make_web(self, kind: str) -> str:
        """Return the address of an empty web: a directory, or one in the database with a folder as its archive."""
        self._crawls += 1
        here = self.folder / f"web{self._crawls}"
        return str(here) if kind == "sqlite" else f"{make_empty_web(self._server)}?archive={here}"

    def crawl(self, kind: str, *options: str, profile: Path | None = None) -> CrawlCost:
        """Crawl the world with the verb `crawl`, as a person would."""
        web, counted, output = self.make_web(kind), self.folder / "trips", self.folder / "output.txt"
        program = "import sys, cluster_crawl; sys.exit(cluster_crawl.run_counted(*sys.argv[1:]))"
        profiled = ("-m", "cProfile", "-o", str(profile)) if profile else ()
        script = self.folder / "program.py"
        script.write_text(program, "utf-8")
        usual = ("--scope", "any", "--allow-private", "127.0.0.0/8", "--json", "--web", web)
        command = [sys.executable, *profiled, str(script), str(counted), "crawl", *usual, *options]
        paths = os.pathsep.join([str(_HERE), os.environ.get("PYTHONPATH", "")])
        home = {"XDG_DATA_HOME": str(self.folder / f"home{self._crawls}"), "PYTHONPATH": paths}
        server_s = self._server.measure_cpu_s()
        cost = run_measured(command, output, make_environment() | home, LONGEST_S)
        server_s = self._server.measure_cpu_s() - server_s
        pages, body_bytes = _read_end(cost, output)
        return CrawlCost(
            pages, body_bytes, cost.wall_s, cost.cpu_s, server_s, int(counted.read_text("ascii"))
        )

    def crawl_together(self, fetchers: int, connections: int) -> CrawlCost:
        """Crawl the world by some fetchers that have joined before; count from the first answer to the last one."""
        from gossamer.crawl.control.start_tasks import start_tasks
        from gossamer.store.postgres.postgres_store import PostgresStore

        web = self.make_web("postgres")
        spec = from_options(**_FREE, seeds=self._world.links)
        with ExitStack() as stack, closing(PostgresStore(web)) as store:
            for number in range(fetchers):
                stack.enter_context(self._run_fetcher(web, number, connections))
            _wait_for(lambda: _count_fetchers(store) == fetchers)
            time.sleep(3.0)  # until each has its part: a heartbeat later
            start_tasks(store, [], [spec], time.time(), others_run=True)
            _wait_for(lambda: all(note.state != "running" for note in store.tasks()))
            [note] = store.tasks()
            times = [visit.when_s for visit in store.all_visits()]
            return CrawlCost(note.counts["downloaded"], note.counts["bytes"], max(times) - min(times))

    @contextmanager
    def _run_fetcher(self, web: str, number: int, connections: int) -> Iterator[None]:
        command = [
            sys.executable,
            "-m",
            "gossamer.cli.main",
            "fetcher",
            "--web",
            web,
            "--name",
            f"fetcher{number}",
        ]
        home = {"XDG_DATA_HOME": str(self.folder / f"home{self._crawls}-{number}")}
        with (
            (self.folder / f"fetcher{number}.log").open("wb") as log,
            subprocess.Popen(
                [*command, "--connections", str(connections), "--lease", "10"],
                stderr=log,
                env=make_environment() | home,
            ) as process,
        ):
            try:
                yield
            finally:
                process.terminate()


def _read_end(cost: Cost, output: Path) -> tuple[int, int]:
    """Return the pages and bytes that a crawl has brought."""
    lines = output.read_text("utf-8", "replace").splitlines()
    ends = [json.loads(line) for line in lines if line.startswith('{"event":"end"')]
    if cost.exit_code or not ends:
        raise BadInput(f"the crawl failed; its output ends with:\n{chr(10).join(lines[-20:])}")
    return ends[-1]["counts"]["downloaded"], ends[-1]["counts"]["bytes"]


def _count_fetchers(store: Any) -> int:
    from gossamer.store.postgres.coordination.leases import Leases

    with closing(Leases(store.address)) as leases:
        return sum(note.groups > 0 for note in leases.list_fetchers())


def _wait_for(is_so: Any) -> None:
    deadline_s = time.monotonic() + LONGEST_S
    while not is_so():
        if time.monotonic() > deadline_s:
            raise BadInput("the crawl did not end in time")
        time.sleep(0.2)


@contextmanager
def make_course(world: ServedWorld) -> Iterator[Course]:
    """Run a server and make a folder for crawls, until the block ends."""
    with run_server() as server, tempfile.TemporaryDirectory(prefix="cluster-crawl-") as name:
        yield Course(Path(name), server, world)


def measure_store(pages: int, rounds: int) -> dict[str, float]:
    """Crawl a world into a directory and into PostgreSQL, alternately; the best round of each counts."""
    best: dict[str, CrawlCost] = {}
    with serve_elsewhere(pages, HOSTS) as world, make_course(world) as course:
        options = [*world.seeds, "--delay", "0", "--adaptive", "0"]
        course.crawl("sqlite", *options)  # the lab has written each page once, and keeps it
        for _ in range(rounds):
            for kind in ("sqlite", "postgres"):
                cost = course.crawl(kind, *options)
                _show(kind, cost)
                if kind not in best or cost.wall_s < best[kind].wall_s:
                    best[kind] = cost
        if best["sqlite"].pages != best["postgres"].pages:
            raise BadInput("the two crawls did not bring the same pages")
    here, there = best["sqlite"], best["postgres"]
    a_page = 1e3 / here.pages
    return {
        "cluster_crawl.pages_per_s": there.pages / there.wall_s,
        "cluster_crawl.speed_vs_sqlite": here.wall_s / there.wall_s,
        "cluster_crawl.round_trips": there.round_trips * a_page,
        "cluster_crawl.fetcher_cpu_ms": there.fetcher_cpu_s * a_page,
        "cluster_crawl.server_cpu_ms": there.server_cpu_s * a_page,
        "cluster_crawl.sqlite_cpu_ms": here.fetcher_cpu_s * a_page,
    }


def measure_latency(rounds: int) -> dict[str, float]:
    """Crawl a world of slow answers with one fetcher and with two, alternately; the best round of each counts."""
    best = {1: math.inf, 2: math.inf}
    with (
        serve_elsewhere(SLOW_PAGES, SLOW_HOSTS, SLOW_S, links=SLOW_PAGES) as world,
        make_course(world) as course,
    ):
        for _ in range(rounds):
            for fetchers in best:
                cost = course.crawl_together(fetchers, SLOW_CONNECTIONS)
                _show(f"{fetchers} fetchers", cost)
                best[fetchers] = min(best[fetchers], cost.wall_s / cost.pages)
    return {
        "cluster_crawl.slow_pages_per_s": 1 / best[1],
        "cluster_crawl.fetchers_2_speedup": best[1] / best[2],
    }


def measure_seed() -> dict[str, float]:
    """Crawl from 10,000 links with the usual pauses until Hoover's five minutes of bytes have come three times."""
    with serve_elsewhere(4 * SEED_LINKS, SEED_HOSTS, links=SEED_LINKS) as world, make_course(world) as course:
        listed = course.folder / "links.txt"
        listed.write_text("\n".join(world.links), "utf-8")
        cost = course.crawl("postgres", "--seed-files", str(listed), "--body-bytes", str(3 * HOOVER_BYTES))
        _show("10,000 links", cost)
    rate = cost.body_bytes / cost.wall_s
    return {
        "cluster_crawl.seed_kb_per_s": rate / 1e3,
        "cluster_crawl.speed_vs_hoover": rate / HOOVER_BYTES_PER_S,
        "cluster_crawl.five_minutes_vs_hoover": rate * HOOVER_S / HOOVER_BYTES,
    }


def profile_crawl(pages: int) -> dict[str, float]:
    """Run one fetcher under cProfile and print where time is spent."""
    with serve_elsewhere(pages, HOSTS) as world, make_course(world) as course:
        options = [*world.seeds, "--delay", "0", "--adaptive", "0"]
        statistics = course.folder / "profile"
        _show("profiled", course.crawl("postgres", *options, profile=statistics))
        pstats.Stats(str(statistics)).strip_dirs().sort_stats("tottime").print_stats(PROFILE_LINES)
    return {}


def _show(what: str, cost: CrawlCost) -> None:
    a_page = 1e3 / max(1, cost.pages)
    print(
        f"{what}: {cost.pages:,} pages in {cost.wall_s:.1f} s, {cost.pages / cost.wall_s:,.0f} pages/s; ms a page: "
        f"fetcher {cost.fetcher_cpu_s * a_page:.2f}, server {cost.server_cpu_s * a_page:.2f}; "
        f"{cost.round_trips * a_page:.0f} round trips for 1,000 pages",
        file=sys.stderr,
    )


def measure(only: tuple[str, ...] = PARTS, pages: int = PAGES, rounds: int = ROUNDS) -> dict[str, float]:
    """Measure all of it, or some parts."""
    found: dict[str, float] = {}
    if "store" in only:
        found |= measure_store(pages, rounds)
    if "latency" in only:
        found |= measure_latency(min(rounds, SLOW_ROUNDS))
    if "seed" in only:
        found |= measure_seed()
    return found


def main() -> int:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="Measure whole crawls of a web in PostgreSQL.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to measure")
    parser.add_argument("--pages", type=int, default=PAGES, help="pages of the world")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--profile", action="store_true", help="one fetcher alone, once, under cProfile")
    given = parser.parse_args()

    def measure_or_profile() -> dict[str, float]:
        return (
            profile_crawl(given.pages)
            if given.profile
            else measure(tuple(given.only), given.pages, given.rounds)
        )

    return run_benchmark("cluster_crawl", measure_or_profile, given.json)


if __name__ == "__main__":
    sys.exit(main())
