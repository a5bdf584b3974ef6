"""Clusters and bipartite cores with all presets of the seed's table 3.12, and how their cost grows with the graph.

python bench/dense.py [--json]
"""

import sys
from collections.abc import Callable
from functools import partial

from gossamer.graph.clusters import clusters
from gossamer.graph.cores import cores
from gossamer.graph.density import CLUSTER_PRESETS, CORE_PRESETS
from gossamer.graph.graph import Graph
from telling import told
from timing import cpu_s
from web_graphs import web_graph

PAGES, LINKS = 325_000, 3_200_000
SIZES = (4, 2, 1)
"""The graph is also measured with so many times fewer pages and links."""


def measure() -> dict[str, float]:
    """Return the slowest preset of each, and how much more a link costs in the whole graph than in a fourth of it."""
    graphs = [web_graph(PAGES // part, LINKS // part) for part in SIZES]
    kinds: dict[str, list[Callable[[Graph], object]]] = {
        "clusters": [partial(clusters, rules=rules) for rules in CLUSTER_PRESETS.values()],
        "cores": [partial(cores, rules=rules) for rules in CORE_PRESETS.values()],
    }
    figures: dict[str, float] = {}
    for kind, runs in kinds.items():
        seconds = [[cpu_s(partial(run, graph)) for run in runs] for graph in graphs]
        for graph, spent in zip(graphs, seconds, strict=True):
            each = ", ".join(f"{one:.1f}" for one in spent)
            print(f"{kind}, {graph.nodes:,} pages and {graph.links:,} links: {each} s", file=sys.stderr)
        figures[f"dense.{kind}_s"] = max(seconds[-1])
        figures[f"dense.{kind}_growth"] = sum(seconds[-1]) / sum(seconds[0]) / SIZES[0]
    return figures


if __name__ == "__main__":
    sys.exit(told("dense", measure, "--json" in sys.argv[1:]))
