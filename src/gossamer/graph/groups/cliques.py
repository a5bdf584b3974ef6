"""Pages that all link to each other: directed cliques, grown greedily (seed 002, section 3.4.1)."""

from gossamer.graph.graph import Graph
from gossamer.graph.groups.clusters import Clusters, Progress, clusters
from gossamer.graph.groups.density import ClusterRules, Thresholds


def cliques(graph: Graph, size: int = 3, progress: Progress | None = None) -> Clusters:
    """Find sets of pages of which each links to every other.

    A clique is a cluster that nobody joins who is not linked with all: t_min = t_max = 1. The first round finds all of
    it, since who is linked with all is linked with the first. Each is as large as it can get by adding pages, but the
    largest of the graph need not be among them: which page joins first decides (figure 3.18).
    """
    return clusters(graph, ClusterRules(size, Thresholds(1, 1)), progress=progress)
