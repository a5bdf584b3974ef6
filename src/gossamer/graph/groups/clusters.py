"""Pages that link to each other more than to the rest: clusters, grown greedily (seed 002, section 3.4.2)."""

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
"""So many starts are grown between two calls of `progress`."""


class Clusters(msgspec.Struct, frozen=True, eq=False):
    """Clusters, the largest first, of equally large ones the densest. A node may be in several."""

    members: NodeSets
    links: NDArray[np.int64]
    """Links among the members of each."""
    tried: int
    """Nodes that pruning left, each of which was grown from."""

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
        """Links among members as a share of those that there could be."""
        shares: NDArray[np.float64] = self.links / (self.sizes * (self.sizes - 1))
        return shares


def clusters(
    graph: Graph, rules: ClusterRules, similar: float | None = None, progress: Progress | None = None
) -> Clusters:
    """Find sets of pages that link to each other so densely that every one joined by the threshold.

    A cluster grows from every page that pruning left, in rounds: in each, all who are linked with a share t of the
    members, in both directions, join, those first that have most links with members and other candidates, of equal ones
    the smallest number; t falls as the cluster grows. A cluster is as dense as the last t, so t_min at least (section 3.4.4). What a round
    leads to depends on the set alone, so a set met before is not grown again (section 3.4.6). Pages with fewer than
    t_min · (size - 1) links in one direction are cut off before, to a fixpoint; the seed's t_min · size would cut off
    every clique of just that size. With `similar`, clusters that share so much of the smaller are put together as long
    as they stay as dense as t_min. Cost: O(pages · links of a cluster's members), linear on sparse graphs.
    """
    stays = prune_nodes.prune_by_degree(
        graph.starts, graph.targets, graph.in_starts, graph.sources, rules.thresholds.t_min * (rules.size - 1)
    )
    left, numbers = graph.part(stays)
    members, links = _grow_all(left, rules, progress)
    if similar is not None:
        members, links = _merge_similar(left, members, similar, rules.thresholds.t_min)
    # Of clusters as large and as dense as each other the one with the smallest member comes first.
    order = np.lexsort((members.smallest, -links, -members.sizes))
    members = members.reorder(order)
    return Clusters(NodeSets(members.starts, numbers[members.members]), links[order], left.nodes)


def _grow_all(graph: Graph, rules: ClusterRules, progress: Progress | None) -> Found:
    """Grow a cluster from each node; return those that are large enough, each once."""
    # Both directions give the same clusters. Links are followed the way on which fewer pages are met.
    way = graph if _count_paths(graph.in_degrees()) >= _count_paths(graph.out_degrees()) else graph.reversed()
    grower = ClusterGrower(way.starts, way.targets, rules.thresholds.table(graph.nodes))
    for node in range(graph.nodes):
        if progress is not None and node % REPORT_EVERY == 0:
            progress(node / graph.nodes)
        grower.grow_from(node, rules.size)
    members, links = grower.to_arrays()
    return NodeSets(*members), links


def _merge_similar(graph: Graph, found: NodeSets, similar: float, t_min: float) -> Found:
    """Put similar clusters together where these stay dense enough."""
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
