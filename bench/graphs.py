"""Compare components, bow-tie, PageRank and HITS with networkit, igraph, networkx and scipy on a synthetic web graph.

All get the same graph of 1 million pages and 9 million links (web_graphs.py) and one thread; each builds its own form of
the graph, which is not timed. CPU time counts, the best of several alternating rounds; a peer that takes three times as
long as we do has no further round. All results must be the same. Memory is the peak of a process that reads the arrays of
a graph and computes all four, also for a graph of 50 million links.

    python bench/graphs.py [--pages N] [--links N] [--large N] [--without PEER …] [--json]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from command_line import run_benchmark
from gossamer.errors import BadInput
from gossamer.graph.graph import Graph
from gossamer.graph.node_names import number_nodes
from gossamer.graph.ranking.hits import hits
from gossamer.graph.ranking.pagerank import pagerank
from gossamer.graph.structure.bowtie import Region, bowtie
from gossamer.graph.structure.components import strong_components
from run_program import run_measured
from timing import time_call
from web_graphs import make_web_graph

PAGES, LINKS = 1_000_000, 9_000_000
LARGE_LINKS = 50_000_000
ROUNDS = 3
TOO_LONG = 3.0
ARRAYS = ("starts", "targets", "in_starts", "sources")
TASKS = ("scc", "bowtie", "pagerank", "hits")
LONGEST_S = 3_000.0
# Libraries of linear algebra would use all cores: the number of threads is set before they are loaded.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


class Ours:
    """Gossamer's own algorithms."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def scc(self) -> Any:
        return strong_components(self.graph)

    def bowtie(self) -> Any:
        counts = bowtie(self.graph).counts
        return [counts[region] for region in Region]

    def pagerank(self) -> Any:
        return pagerank(self.graph, epsilon=1e-8).scores

    def hits(self) -> Any:
        found = hits(self.graph, epsilon=1e-8)
        return found.hubs, found.authorities


def write_graph(graph: Graph, folder: Path) -> None:
    """Write the arrays of a graph, one file each."""
    for name in ARRAYS:
        np.save(folder / f"{name}.npy", getattr(graph, name))


def read_graph(folder: Path) -> Graph:
    """Read the arrays of a graph."""
    starts, targets, in_starts, sources = (np.load(folder / f"{name}.npy") for name in ARRAYS)
    return Graph(starts, targets, in_starts, sources, number_nodes(len(starts) - 1))


def is_same(task: str, ours: Any, theirs: Any) -> bool:
    """Return whether two results are the same; of networkit's and networkx's components only the number is compared."""
    if task == "scc":
        return count_components(theirs) == count_components(ours)
    if task == "bowtie":
        return bool(ours == theirs)
    if task == "pagerank":
        scores = np.asarray(theirs.scores() if hasattr(theirs, "scores") else theirs)
        return bool(np.abs(ours - scores / scores.sum()).sum() < 1e-6)
    return all(np.linalg.norm(one - other) < 1e-6 for one, other in zip(ours, theirs, strict=True))


def count_components(found: Any) -> int:
    """Count the components in the result of any library."""
    if hasattr(found, "sizes"):
        return len(found.sizes)
    if hasattr(found, "numberOfComponents"):
        return int(found.numberOfComponents())
    return len(found) if isinstance(found, list) else int(found.max()) + 1


def compare(folder: Path, without: list[str]) -> dict[str, dict[str, float]]:
    """Let all peers do every task alternately; return the best CPU seconds by peer and task."""
    from graph_peers import PEERS

    graph = read_graph(folder)
    chosen = {name: peer for name, peer in PEERS.items() if name not in without}
    racers: dict[str, Any] = {"gossamer": Ours(graph)}
    for name, peer in chosen.items():
        print(f"preparing {name} …", file=sys.stderr)
        racers[name] = peer(graph)
    best: dict[str, dict[str, float]] = {name: {} for name in racers}
    for task in TASKS:
        ours = getattr(racers["gossamer"], task)()
        for turn in range(ROUNDS):
            for name, racer in racers.items():
                do = getattr(racer, task, None)
                if do is None or best[name].get(task, 0) > TOO_LONG * best["gossamer"].get(task, np.inf):
                    continue
                taken_s, found = time_call(do)
                best[name][task] = min(best[name].get(task, taken_s), taken_s)
                if not turn and not is_same(task, ours, found):
                    raise BadInput(f"{name} has a different result for {task}")
    return best


def run_alone(folder: Path) -> dict[str, dict[str, float]]:
    """Do every task once, without peers in the process."""
    ours = Ours(read_graph(folder))
    return {"gossamer": {task: time_call(getattr(ours, task))[0] for task in TASKS}}


def measure_peak_mb(folder: Path) -> float:
    """Return the peak memory of a process that does every task."""
    output = folder / "alone.txt"
    cost = run_measured(make_command("--alone", folder), output, os.environ | ONE_THREAD, LONGEST_S)
    if cost.exit_code:
        raise BadInput(f"the run alone failed: {output.read_text('utf-8', 'replace')[-1_000:]}")
    print(output.read_text("utf-8").strip(), file=sys.stderr)
    return cost.peak_mb


def make_command(*words: str | Path) -> list[str]:
    """Return the command line of this program with these arguments."""
    return [sys.executable, __file__, *map(str, words)]


def measure(
    pages: int = PAGES, links: int = LINKS, large_links: int = LARGE_LINKS, without: tuple[str, ...] = ()
) -> dict[str, float]:
    """Make the graphs, compare on the first, and measure the memory of both."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="graphs-") as name:
        folder = Path(name)
        write_graph(make_web_graph(pages, links), folder)
        child = make_command("--compare", folder, "--without", *without)
        ended = subprocess.run(child, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, check=False)
        if ended.returncode:
            raise BadInput("the comparison failed")
        best: dict[str, dict[str, float]] = json.loads(ended.stdout)
        print_table(best)
        found |= compute_figures(best) | {"graphs.peak_mb": measure_peak_mb(folder)}
    if large_links:
        with tempfile.TemporaryDirectory(prefix="graphs-") as name:
            folder = Path(name)
            write_graph(make_web_graph(large_links * pages // links, large_links), folder)
            found["graphs.large_peak_mb"] = measure_peak_mb(folder)
    return found


def compute_figures(best: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return our time for each task, and its ratio to the best of the others."""
    found = {}
    for task in TASKS:
        others = [times[task] for name, times in best.items() if name != "gossamer" and task in times]
        found[f"graphs.{task}_s"] = best["gossamer"][task]
        if others:
            found[f"graphs.{task}_vs_best"] = best["gossamer"][task] / min(others)
    return found


def print_table(best: dict[str, dict[str, float]]) -> None:
    """Print the times of all peers."""
    table = Table("CPU s", *TASKS)
    for name, times in best.items():
        table.add_row(name, *(f"{times[task]:.3f}" if task in times else "" for task in TASKS))
    Console(stderr=True).print(table)


def main() -> int:
    """Measure with the options of the command line; the program calls itself with `--compare` and `--alone`."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--links", type=int, default=LINKS)
    parser.add_argument("--large", type=int, default=LARGE_LINKS, help="links of the large graph; 0 for none")
    parser.add_argument("--without", nargs="*", default=[], help="peers to leave out")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--compare", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--alone", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.compare or asked.alone:
        print(json.dumps(compare(asked.compare, asked.without) if asked.compare else run_alone(asked.alone)))
        return 0
    ask = (asked.pages, asked.links, asked.large, tuple(asked.without))
    return run_benchmark("graphs", lambda: measure(*ask), asked.json)


if __name__ == "__main__":
    sys.exit(main())
