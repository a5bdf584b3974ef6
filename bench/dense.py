"""Clusters and bipartite cores with all presets of the seed's table 3.12, and how their cost grows with the graph.

One graph is a synthetic web of 325,000 pages and 3.2 million links (web_graphs.py); half and a fourth of it are measured
too. In such webs the best known pages get better known as the web grows, and cores get larger, so cost is compared there
with the links that members of what was found have. Whether it is linear on sparse graphs is asked of graphs whose degrees
stay what they are: one, two and four webs of an eighth of that size, side by side. CPU time of one thread counts, of what
is short the best of several runs.

    python bench/dense.py [--pages N] [--links N] [--json]
"""

import argparse
import sys
from collections.abc import Callable

import msgspec
import numpy as np
from rich.console import Console
from rich.table import Table

from gossamer.graph.clusters import clusters
from gossamer.graph.cores import cores
from gossamer.graph.density import CLUSTER_PRESETS, CORE_PRESETS
from gossamer.graph.graph import Graph, from_edges
from telling import told
from timing import timed
from web_graphs import web_graph

PAGES, LINKS = 325_000, 3_200_000
PARTS = (4, 2, 1)
"""The graph is also measured with so many times fewer pages and links."""
ONE_WEB = 8
"""A web of those side by side has so many times fewer."""
SHORT_S, ROUNDS = 2.0, 3

Kind = dict[str, Callable[[Graph], int]]


def cluster_links(name: str) -> Callable[[Graph], int]:
    """Return what finds the clusters of a preset, and counts the links of their members."""

    def run(graph: Graph) -> int:
        found = clusters(graph, CLUSTER_PRESETS[name])
        return int((graph.in_degrees() + graph.out_degrees())[found.members.members].sum())

    return run


def core_links(name: str) -> Callable[[Graph], int]:
    """Return what finds the cores of a preset, and counts the links of their members."""

    def run(graph: Graph) -> int:
        found = cores(graph, CORE_PRESETS[name])
        fans, centres = graph.out_degrees()[found.fans.members], graph.in_degrees()[found.centres.members]
        return int(fans.sum() + centres.sum())

    return run


KINDS: dict[str, Kind] = {
    "clusters": {name: cluster_links(name) for name in CLUSTER_PRESETS},
    "cores": {name: core_links(name) for name in CORE_PRESETS},
}


def side_by_side(webs: int, pages: int, links: int) -> Graph:
    """Put several webs side by side, their pages numbered by turns."""
    graphs = [web_graph(pages, links, seed) for seed in range(webs)]
    sources = [graph.link_sources() * webs + web for web, graph in enumerate(graphs)]
    targets = [graph.targets * webs + web for web, graph in enumerate(graphs)]
    return from_edges(np.concatenate(sources), np.concatenate(targets), pages * webs)


class Cost(msgspec.Struct, frozen=True):
    """What all presets of a kind took in one graph."""

    slowest_s: float
    sum_s: float
    links: int
    links_of_members: int


def best(run: Callable[[Graph], int], graph: Graph) -> tuple[float, int]:
    """Return the CPU seconds of a run, the best of several if it is short, and what it counted."""
    taken_s, links = timed(lambda: run(graph))
    for _ in range(ROUNDS - 1):
        if taken_s < SHORT_S:
            taken_s = min(taken_s, timed(lambda: run(graph))[0])
    return taken_s, links


def cost_of(kind: Kind, graph: Graph, title: str, table: Table) -> Cost:
    """Run every preset once, and write down the CPU seconds of each."""
    taken_s, met = zip(*(best(run, graph) for run in kind.values()), strict=True)
    cost = Cost(max(taken_s), sum(taken_s), graph.links, sum(met))
    each = (f"{one_s:.2f}" for one_s in taken_s)
    table.add_row(title, f"{graph.links:,}", *each, f"{cost.sum_s / graph.links * 1e6:.2f}", f"{sum(met):,}")
    return cost


def measure(pages: int = PAGES, links: int = LINKS) -> dict[str, float]:
    """Return the slowest preset of each kind in the whole graph, and how cost grows."""
    webs = [web_graph(pages // part, links // part) for part in PARTS]
    rows = [side_by_side(PARTS[0] // part, pages // ONE_WEB, links // ONE_WEB) for part in PARTS]
    found: dict[str, float] = {}
    for name, kind in KINDS.items():
        table = Table(name, "links", *(f"{preset} s" for preset in kind), "µs a link", "links of members")
        small, _, large = (cost_of(kind, graph, "a web", table) for graph in webs)
        one, _, four = (cost_of(kind, graph, "side by side", table) for graph in rows)
        Console(stderr=True, width=160).print(table)
        found[f"dense.{name}_s"] = large.slowest_s
        found[f"dense.{name}_growth"] = (four.sum_s / four.links) / (one.sum_s / one.links)
        found[f"dense.{name}_work_growth"] = (large.sum_s / small.sum_s) / max(
            large.links_of_members / small.links_of_members, large.links / small.links
        )
    return found


def main() -> int:
    """Measure as the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--links", type=int, default=LINKS)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    return told("dense", lambda: measure(asked.pages, asked.links), asked.json)


if __name__ == "__main__":
    sys.exit(main())
