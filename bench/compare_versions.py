"""Compare the CPU cost of this version with that of an older checkout, in interleaved runs.

Each round runs this version and, twice over, the old one, in an order that changes; the best of two runs counts, since
other work on the machine only makes a run dearer. The table shows
new/old and, as a measure of the noise, old/old: the geometric mean over all rounds and its 95 % interval (bootstrap).
A job holds if the upper end of new/old is at most 1.03, or at most that of old/old in the same run.

The old checkout needs its own environment; with the commit to compare with as OLD:

    git worktree add ../old OLD && make -C ../old .venv/.develop
    python bench/compare_versions.py ../old [--rounds N] [--only crawl search graph start help] [--json]
"""

import argparse
import math
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from command_line import run_benchmark
from crawlers import Crawler, make_environment
from crawling import Course, serve_course
from documentation_site import HOSTS, START_PAGE
from gossamer.errors import BadInput
from startup import measure_child_cpu_s

ROUNDS = 20
BEST_OF = 2
PAGES = 1_600
QUERIES = 400
LARGEST_RATIO = 1.03
DRAWS = 4_000
HERE = Path(__file__).resolve().parent.parent

# Runs in either version, so it uses documented names only.
SEARCH = """
import random, sys, time, gossamer
with gossamer.open(sys.argv[1]) as web:
    titles = sorted(answer.title for answer in web.search("the", size=200).answers)
    words = sorted({word for title in titles for word in title.split() if word.isalpha()})
    draw = random.Random(7)
    queries = [" ".join(draw.sample(words, 1 + number % 3)) for number in range(int(sys.argv[2]))]
    for query in queries[:20]:
        web.search(query)
    began_s = time.process_time()
    for query in queries:
        web.search(query)
    print(time.process_time() - began_s)
"""

Job = Callable[[Path], float]
"""Does a piece of work with the version of a checkout; returns the CPU seconds that it took."""


class Interval(msgspec.Struct, frozen=True):
    """A ratio with its 95 % interval."""

    middle: float
    low: float
    high: float


def find_python(tree: Path) -> str:
    """Return the interpreter of a checkout; fail if it has none."""
    python = tree / ".venv" / "bin" / "python"
    if not python.exists():
        raise BadInput(f"{tree} has no environment: run `make -C {tree} .venv/.develop` first")
    return str(python)


def make_crawl_command(python: str, seeds: list[str], folder: Path) -> list[str]:
    """Make the command that crawls the site with the version of an interpreter."""
    return [
        *(python, "-m", "gossamer.cli.main", "crawl", *seeds, "--web", str(folder / "web")),
        *("--scope", "host", "--json", "--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8"),
    ]


def crawl(course: Course, tree: Path) -> float:
    """Crawl the whole site."""
    crawler = Crawler(str(tree), partial(make_crawl_command, find_python(tree)), str, "all")
    return course.run(crawler).cpu_s


def run_verb(arguments: list[str], times: int, tree: Path) -> float:
    """Run a verb several times, start-up included."""
    command = [find_python(tree), "-m", "gossamer.cli.main", *arguments]
    return measure_child_cpu_s(
        lambda: [subprocess.run(command, capture_output=True, check=True) for _ in range(times)]
    )


def search(web: Path, tree: Path) -> float:
    """Ask many queries in one process, start-up excluded."""
    command = [find_python(tree), "-c", SEARCH, str(web), str(QUERIES)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@contextmanager
def prepare_jobs(old: Path) -> Iterator[dict[str, Job]]:
    """Serve a site, crawl and index it with the old version, and return the jobs that use both."""
    with serve_course(PAGES) as course, tempfile.TemporaryDirectory(prefix="versions-") as name:
        web = Path(name) / "web"
        seeds = [f"http://{host}:{course.port}/{START_PAGE}" for host in HOSTS]
        output = {"stdout": subprocess.DEVNULL, "env": make_environment(), "check": True}
        subprocess.run(make_crawl_command(find_python(old), seeds, Path(name)), **output)  # type: ignore[call-overload]
        index = [find_python(old), "-m", "gossamer.cli.main", "index", "--web", str(web)]
        subprocess.run(index, **output)  # type: ignore[call-overload]
        yield {
            "crawl": partial(crawl, course),
            "search": partial(search, web),
            "graph": partial(run_verb, ["graph", "pagerank", "--web", str(web), "--json"], 1),
            "start": partial(run_verb, ["tasks", "--web", str(web), "--json"], 5),
            "help": partial(run_verb, ["--help"], 5),
        }


def estimate(ratios: list[float]) -> Interval:
    """Return the geometric mean of ratios with its bootstrap interval."""
    logs = [math.log(ratio) for ratio in ratios]
    draw = random.Random(20)
    means = sorted(sum(draw.choices(logs, k=len(logs))) / len(logs) for _ in range(DRAWS))
    middle = sum(logs) / len(logs)
    low, high = means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS)]
    return Interval(math.exp(middle), math.exp(low), math.exp(high))


def run_rounds(job: Job, old: Path, rounds: int) -> tuple[Interval, Interval]:
    """Run a job with both versions in turn; return new/old and old/old."""
    runs = {"old": old, "again": old, "new": HERE}
    new_ratios, old_ratios = [], []
    for number in range(rounds + 1):
        order = list(runs) * BEST_OF
        random.Random(number).shuffle(order)
        took = dict.fromkeys(runs, math.inf)
        for name in order:
            took[name] = min(took[name], job(runs[name]))
        if number == 0:
            continue  # byte code and files are in memory from now on
        new_ratios.append(took["new"] / math.sqrt(took["old"] * took["again"]))
        old_ratios.append(took["again"] / took["old"])
    return estimate(new_ratios), estimate(old_ratios)


def compare(old: Path, rounds: int, only: list[str]) -> dict[str, float]:
    """Compare all jobs, or some; print a table and return the figures."""
    table = Table("job", "new/old", "95 %", "old/old", "95 %", "verdict")
    found: dict[str, float] = {}
    with prepare_jobs(old) as jobs:
        for name, job in jobs.items():
            if only and name not in only:
                continue
            print(f"{name}: {rounds} rounds …", file=sys.stderr)
            new, same = run_rounds(job, old, rounds)
            holds = new.high <= max(LARGEST_RATIO, same.high)
            row = [
                part
                for ratio in (new, same)
                for part in (f"{ratio.middle:.3f}", f"{ratio.low:.3f} … {ratio.high:.3f}")
            ]
            table.add_row(name, *row, "holds" if holds else "MISSED")
            found[f"versions.{name}"] = new.middle
            found[f"versions.{name}_upper"] = new.high
            found[f"versions.{name}_old_upper"] = same.high
    Console(stderr=True).print(table)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path, help="the checkout of the older version")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    measure = partial(compare, asked.old.resolve(), asked.rounds, asked.only)
    sys.exit(run_benchmark("versions", measure, asked.json))
