"""What forgetting costs: is it in proportion to the files that it writes anew, and are many pages hardly dearer than one?

Synthetic webs of two sizes are crawled and not indexed. In copies of each, one page is forgotten, and one in a hundred; every
such page stands in the one WARC file of its web. The peer is a program that unpacks and copies the same archive and writes
the same state anew, and does nothing else. Processor times count, of whole programs with their start.

    python bench/forget_cost.py [--pages N] [--rounds N] [--json]
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import msgspec

from backup_load import serve_lab
from command_line import run_benchmark
from crawlers import make_environment
from gossamer.errors import BadInput
from gossamer.web import open_to_read
from run_program import run_measured

PAGES, ROUNDS = 16_000, 3
_SMALLER = 4
_ONE_IN = 100
_LONGEST_S = 1_800.0
_COPY = """
import gzip, pathlib, shutil, sqlite3, sys
web = pathlib.Path(sys.argv[1])
for path in (web / "archive").glob("*.gz"):
    with gzip.open(path) as file:
        while file.read(1 << 20):
            pass
    shutil.copyfile(path, path.with_suffix(".copy"))
with sqlite3.connect(web / "state.sqlite") as db:
    db.execute("vacuum")
"""


class Costs(msgspec.Struct, frozen=True):
    """Processor seconds in a web of one size."""

    page_s: float
    many_s: float
    copying_s: float


def _run(command: list[str], scratch: Path) -> float:
    """Run a program; return its processor time."""
    output = scratch / "output.txt"
    cost = run_measured(command, output, make_environment(), _LONGEST_S)
    if cost.exit_code:
        raise BadInput(f"{' '.join(command)} has failed: {output.read_text('utf-8', 'replace')[-500:]}")
    return cost.cpu_s


def make_verb(verb: str, *arguments: str) -> list[str]:
    """Return the command line of a verb."""
    return [sys.executable, "-m", "gossamer.cli.main", verb, *arguments]


def measure_in_copies(web: Path, command: list[str], rounds: int, scratch: Path) -> float:
    """Run a command in fresh copies of a web, in place of WEB; return the least processor time."""
    best_s = float("inf")
    for _ in range(rounds):
        copy = scratch / "copy"
        shutil.copytree(web, copy)
        best_s = min(best_s, _run([word.replace("WEB", str(copy)) for word in command], scratch))
        shutil.rmtree(copy)
    return best_s


def measure_size(pages: int, rounds: int, scratch: Path) -> Costs:
    """Crawl a web and forget in it."""
    web = scratch / f"web-{pages}"
    with serve_lab(3 * pages) as start:
        options = ["--pages", str(pages), "--scope", "any", "--delay", "0", "--allow-private", "127.0.0.0/8"]
        _run(make_verb("crawl", start, "--web", str(web), *options), scratch)
    with open_to_read(web) as opened:
        known = sorted(page.url for page in opened.store.pages())
    chosen = known[:: max(1, len(known) // max(1, len(known) // _ONE_IN))]
    pattern = "^(?:" + "|".join(_escape(url) for url in chosen) + ")$"
    forget = make_verb("forget", "WHAT", "--yes", "--web", "WEB")

    def cost_of(what: str) -> float:
        command = [what if word == "WHAT" else word for word in forget]
        return measure_in_copies(web, command, rounds, scratch)

    copying = measure_in_copies(web, [sys.executable, "-c", _COPY, "WEB"], rounds, scratch)
    found = Costs(cost_of(known[len(known) // 2]), cost_of(pattern), copying)
    print(f"{len(known):,} pages, {len(chosen)} of them at once: {found}", file=sys.stderr)
    shutil.rmtree(web)
    return found


def _escape(url: str) -> str:
    return "".join(rf"\{one}" if one in ".?*+()[]{}|^$\\" else one for one in url)


def measure(pages: int = PAGES, rounds: int = ROUNDS) -> dict[str, float]:
    """Measure both sizes; return what a page costs against copying, how that grows, and what many cost against one."""
    with tempfile.TemporaryDirectory(prefix="forget-cost-") as name:
        small = measure_size(pages // _SMALLER, rounds, Path(name))
        large = measure_size(pages, rounds, Path(name))
    return {
        "forget_cost.page_vs_copying": large.page_s / large.copying_s,
        "forget_cost.growth": (large.page_s / large.copying_s) / (small.page_s / small.copying_s),
        "forget_cost.many_vs_page": large.many_s / large.page_s,
    }


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    return run_benchmark("forget_cost", lambda: measure(given.pages, given.rounds), given.json)


if __name__ == "__main__":
    sys.exit(main())
