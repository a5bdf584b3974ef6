"""Directed cliques: pages that all link to each other, grown greedily (Schmitz 2001, section 3.4.1)."""

from gossamer.graph.graph import Graph
from gossamer.graph.groups.clusters import Clusters, Progress, clusters
from gossamer.graph.groups.density import ClusterRules, Thresholds


def cliques(graph: Graph, size: int = 3, progress: Progress | None = None) -> Clusters:
    """Find sets of pages in which each page links to every other.

    A clique is a cluster whose members are linked with all others: t_min = t_max = 1. The first round finds all of it,
    since every member is linked with the first. No page can be added to a clique found, but the largest clique of the
    graph may be missed: the result depends on which page joins first (figure 3.18).
    """
    return clusters(graph, ClusterRules(size, Thresholds(1, 1)), progress=progress)
