"""Clusters: pages that link densely to each other, grown greedily (Schmitz 2001, section 3.4.2)."""

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, Nodes
from gossamer.graph.groups.density import ClusterRules
from gossamer.graph.groups.growth import prune_nodes
from gossamer.graph.groups.growth.grow_clusters import ClusterGrower
from gossamer.graph.groups.merge_sets import LinkCounter, Members, merge_similar_sets, to_nodes
from gossamer.graph.groups.node_sets import NodeSets, pack_sets

Progress = Callable[[float], None]
Found = tuple[NodeSets, NDArray[np.int64]]
REPORT_EVERY = 4096
"""Number of start pages between two calls of `progress`."""


class Clusters(msgspec.Struct, frozen=True, eq=False):
    """Clusters, the largest first; of equally large ones, the densest. A node may be in several."""

    members: NodeSets
    links: NDArray[np.int64]
    """Number of links among the members of each cluster."""
    tried: int
    """Number of nodes left after pruning; a cluster was grown from each."""

    def __len__(self) -> int:
        return len(self.links)

    def __getitem__(self, number: int) -> Nodes:
        return self.members[number]

    def __iter__(self) -> Iterator[Nodes]:
        return iter(self.members)

    @property
    def sizes(self) -> NDArray[np.int64]:
        return self.members.sizes

    @property
    def densities(self) -> NDArray[np.float64]:
        """Links among members as a share of the possible links."""
        shares: NDArray[np.float64] = self.links / (self.sizes * (self.sizes - 1))
        return shares


def clusters(
    graph: Graph, rules: ClusterRules, similar: float | None = None, progress: Progress | None = None
) -> Clusters:
    """Find sets of pages that link to each other densely.

    A cluster grows in rounds from every page left after pruning. In each round, all pages join that are linked in both
    directions with a share t of the members; pages with the most links to members and other candidates join first, of
    equal ones the smallest number. t falls as the cluster grows. A cluster has at least the density of the last t, so
    at least t_min (section 3.4.4). The result of a round depends only on the set, so a set seen before is not grown
    again (section 3.4.6). Pages with fewer than t_min · (size - 1) links in one direction are pruned first, to a
    fixpoint; Schmitz's bound, t_min · size, would remove every clique of exactly that size. With `similar`, clusters
    that share this much of the smaller one are merged as long as their union has the density t_min.
    Cost: O(pages · links of a cluster's members), linear on sparse graphs. Source: Schmitz 2001.
    """
    stays = prune_nodes.prune_by_degree(
        graph.starts, graph.targets, graph.in_starts, graph.sources, rules.thresholds.t_min * (rules.size - 1)
    )
    left, numbers = graph.part(stays)
    members, links = _grow_all(left, rules, progress)
    if similar is not None:
        members, links = _merge_similar(left, members, similar, rules.thresholds.t_min)
    # Clusters of equal size and density are ordered by their smallest member.
    order = np.lexsort((members.smallest, -links, -members.sizes))
    members = members.reorder(order)
    return Clusters(NodeSets(members.starts, numbers[members.members]), links[order], left.nodes)


def _grow_all(graph: Graph, rules: ClusterRules, progress: Progress | None) -> Found:
    """Grow a cluster from each node; return those that are large enough, each once."""
    # Both directions give the same clusters; follow links in the direction with fewer candidates.
    way = graph if _count_paths(graph.in_degrees()) >= _count_paths(graph.out_degrees()) else graph.reversed()
    grower = ClusterGrower(way.starts, way.targets, rules.thresholds.table(graph.nodes))
    for node in range(graph.nodes):
        if progress is not None and node % REPORT_EVERY == 0:
            progress(node / graph.nodes)
        grower.grow_from(node, rules.size)
    members, links = grower.to_arrays()
    return NodeSets(*members), links


def _merge_similar(graph: Graph, found: NodeSets, similar: float, t_min: float) -> Found:
    """Merge similar clusters whose union is dense enough."""
    counter = LinkCounter(graph)

    def links(members: Members) -> int:
        nodes = to_nodes(members)
        return counter.count_between(nodes, nodes)

    def is_dense(members: Members) -> bool:
        return links(members) >= t_min * len(members) * (len(members) - 1)

    unions = merge_similar_sets((frozenset(members.tolist()) for members in found), similar, is_dense)
    return pack_sets([to_nodes(members) for members in unions]), np.array(list(map(links, unions)), np.int64)


def _count_paths(degrees: NDArray[np.int64]) -> float:
    return float(np.square(degrees, dtype=np.float64).sum())
