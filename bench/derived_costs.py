"""Measure what indexing a crawled web and writing its corpus cost, against crawling it.

    python bench/derived_costs.py

All three read the same pages of Debian's documentation (see documentation_site.py): the crawl from nginx, the others from
the archive. CPU time is that of the whole program, start-up included; the best of several rounds counts.
"""

import json
import sys
from pathlib import Path

from crawlers import make_environment, make_gossamer
from crawling import LONGEST_S, serve_course
from documentation_site import HOSTS, START_PAGE
from gossamer.errors import BadInput
from run_program import run_measured

PAGES = 1_600
PROGRAM = [sys.executable, "-m", "gossamer.cli.main"]
ROUNDS = 4


def measure(pages: int = PAGES, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the CPU time of index and corpus relative to that of the crawl, and what a page costs."""
    best: dict[str, float] = {}
    with serve_course(pages) as course:
        seeds = [f"http://{host}:{course.port}/{START_PAGE}" for host in HOSTS]
        for number in range(rounds):
            folder = course.folder / f"round{number}"
            folder.mkdir()
            crawl = make_gossamer()(seeds, folder)
            web = crawl[crawl.index("--web") + 1]
            commands = {
                "crawl": crawl,
                "index": [*PROGRAM, "index", "--web", web],
                "corpus": [*PROGRAM, "export", "corpus", str(folder / "corpus.txt"), "--web", web],
            }
            for name, command in commands.items():
                best[name] = min(best.get(name, float("inf")), _run(command, folder / f"{name}.log"))
        count = len(course.pages)
    return {
        "derived_costs.index_vs_crawl": best["index"] / best["crawl"],
        "derived_costs.corpus_vs_crawl": best["corpus"] / best["crawl"],
        **{f"derived_costs.{name}_ms_a_page": 1_000 * cpu_s / count for name, cpu_s in best.items()},
    }


def _run(command: list[str], output: Path) -> float:
    cost = run_measured(command, output, make_environment(), LONGEST_S)
    if cost.exit_code:
        raise BadInput(f"{' '.join(command)}: {output.read_text('utf-8', 'replace')[-2_000:]}")
    return cost.cpu_s


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
    sys.exit(0)
