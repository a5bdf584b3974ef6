"""Measure clusters and bipartite cores with all presets of Schmitz 2001, table 3.12, and how their cost grows.

One graph is a synthetic web of 325,000 pages and 3.2 million links (web_graphs.py); half and a quarter of it are
measured, too. In such webs popular pages gain more links as the web grows, and cores get larger, so cost is compared
with the number of links that members have. Linear cost on sparse graphs is checked on graphs with constant degrees: one,
two and four webs of an eighth of that size, side by side. CPU time of one thread counts; short runs alternate, and the
best of several rounds counts.

Random access costs more for each link in a larger graph, even with a linear algorithm, because less of the graph is in
the caches. So growth is the growth of our cost for each link divided by that of a peer, measured alternately on the same
graphs: a plain numpy pass that follows every link and reads the first link of its target.

    python bench/dense.py [--pages N] [--links N] [--json]
"""

import argparse
import math
import sys
from collections.abc import Callable

import msgspec
import numpy as np
from rich.console import Console
from rich.table import Table

from command_line import run_benchmark
from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.groups.bipartite_cores import cores
from gossamer.graph.groups.clusters import clusters
from gossamer.graph.groups.density import CLUSTER_PRESETS, CORE_PRESETS
from timing import measure_cpu_s, time_call
from web_graphs import make_web_graph

PAGES, LINKS = 325_000, 3_200_000
PARTS = (4, 2, 1)
"""The divisors of pages and links at which the graph is measured."""
ONE_WEB = 8
"""The divisor of pages and links of each web side by side."""
SHORT_S, ROUNDS = 10.0, 3
PASSES = 3
"""How often the peer passes through a graph when it is timed."""

Kind = dict[str, Callable[[Graph], int]]


def make_cluster_run(name: str) -> Callable[[Graph], int]:
    """Return a function that finds the clusters of a preset and counts the links of their members."""

    def run(graph: Graph) -> int:
        found = clusters(graph, CLUSTER_PRESETS[name])
        return int((graph.in_degrees() + graph.out_degrees())[found.members.members].sum())

    return run


def make_core_run(name: str) -> Callable[[Graph], int]:
    """Return a function that finds the cores of a preset and counts the links of their members."""

    def run(graph: Graph) -> int:
        found = cores(graph, CORE_PRESETS[name])
        fans, centres = graph.out_degrees()[found.fans.members], graph.in_degrees()[found.centres.members]
        return int(fans.sum() + centres.sum())

    return run


KINDS: dict[str, Kind] = {
    "clusters": {name: make_cluster_run(name) for name in CLUSTER_PRESETS},
    "cores": {name: make_core_run(name) for name in CORE_PRESETS},
}


def join_webs(webs: int, pages: int, links: int) -> Graph:
    """Join several webs without links between them, their pages numbered alternately."""
    graphs = [make_web_graph(pages, links, seed) for seed in range(webs)]
    sources = [graph.link_sources() * webs + web for web, graph in enumerate(graphs)]
    targets = [graph.targets * webs + web for web, graph in enumerate(graphs)]
    return from_edges(np.concatenate(sources), np.concatenate(targets), pages * webs)


class Cost(msgspec.Struct, frozen=True):
    """The CPU time of all presets of a kind in one graph, and that of the peer."""

    preset_s: list[float]
    peer_s: float
    links: int
    links_of_members: int

    @property
    def link_us(self) -> float:
        return sum(self.preset_s) / self.links * 1e6

    @property
    def peer_link_us(self) -> float:
        return self.peer_s / self.links * 1e6

    def growth(self, smaller: "Cost") -> float:
        """Return the growth of the cost of a link since a smaller graph, divided by the peer's growth."""
        return self.raw_growth(smaller) / (self.peer_link_us / smaller.peer_link_us)

    def raw_growth(self, smaller: "Cost") -> float:
        """Return the growth of the cost of a link since a smaller graph, effects of caches included."""
        return self.link_us / smaller.link_us


def make_peer(graph: Graph) -> Callable[[], None]:
    """Return the plain pass over a graph: read where the links of each target begin, and the first of them."""
    targets = graph.targets.astype(np.intp)
    begins, firsts = np.empty_like(targets), np.empty_like(graph.targets)

    def run() -> None:
        for _ in range(PASSES):
            np.take(graph.starts, targets, out=begins, mode="clip")
            np.take(graph.targets, begins, out=firsts, mode="clip")

    return run


def measure_costs(kind: Kind, graphs: list[Graph]) -> list[Cost]:
    """Run every preset in every graph, short ones in several rounds, alternating with the peer."""
    peers = [make_peer(graph) for graph in graphs]
    preset_s = [[math.inf] * len(kind) for _ in graphs]
    peer_s, met = [math.inf] * len(graphs), [0] * len(graphs)
    for turn in range(ROUNDS):
        for at, graph in enumerate(graphs):
            for number, run in enumerate(kind.values()):
                peer_s[at] = min(peer_s[at], measure_cpu_s(peers[at]) / PASSES)
                if turn and preset_s[at][number] > SHORT_S:
                    continue
                taken_s, links = time_call(lambda run=run, graph=graph: run(graph))  # type: ignore[misc]
                preset_s[at][number] = min(preset_s[at][number], taken_s)
                met[at] += 0 if turn else links
    return [Cost(*one) for one in zip(preset_s, peer_s, (graph.links for graph in graphs), met, strict=True)]


def print_table(name: str, kind: Kind, found: dict[str, list[Cost]]) -> None:
    """Print the seconds of each preset, and the cost of a link for us and the peer, also relative to the smallest graph."""
    table = Table(
        name, "links", *(f"{preset} s" for preset in kind), "µs a link", "the peer's", "links of members"
    )
    for title, rows in found.items():
        for cost in rows:
            peer_growth = cost.peer_link_us / rows[0].peer_link_us
            table.add_row(
                title,
                f"{cost.links:,}",
                *(f"{one_s:.2f}" for one_s in cost.preset_s),
                f"{cost.link_us:.2f} (× {cost.raw_growth(rows[0]):.2f})",
                f"{cost.peer_link_us:.4f} (× {peer_growth:.2f})",
                f"{cost.links_of_members:,}",
            )
    Console(stderr=True, width=180).print(table)


def measure(pages: int = PAGES, links: int = LINKS) -> dict[str, float]:
    """Return the slowest preset of each kind in the whole graph, and how cost grows."""
    webs = [make_web_graph(pages // part, links // part) for part in PARTS]
    rows = [join_webs(PARTS[0] // part, pages // ONE_WEB, links // ONE_WEB) for part in PARTS]
    found: dict[str, float] = {}
    for name, kind in KINDS.items():
        by_webs, by_rows = measure_costs(kind, webs), measure_costs(kind, rows)
        print_table(name, kind, {"a web": by_webs, "side by side": by_rows})
        small, large = by_webs[0], by_webs[-1]
        more_met = (large.links_of_members / large.links) / (small.links_of_members / small.links)
        found[f"dense.{name}_s"] = max(large.preset_s)
        found[f"dense.{name}_growth"] = by_rows[-1].growth(by_rows[0])
        found[f"dense.{name}_raw_growth"] = by_rows[-1].raw_growth(by_rows[0])
        found[f"dense.{name}_work_growth"] = large.growth(small) / max(more_met, 1.0)
    return found


def main() -> int:
    """Measure with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--links", type=int, default=LINKS)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    return run_benchmark("dense", lambda: measure(asked.pages, asked.links), asked.json)


if __name__ == "__main__":
    sys.exit(main())
