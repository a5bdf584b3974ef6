"""Graph measures with networkit, igraph, networkx, and plain scipy with numpy, one class each.

Every peer first builds its own form of the graph, which is not timed. Its methods compute the same as ours with the
functions of the library; numpy is used for tendrils, and where the library has no search from many nodes, as a user would
do. A missing method is one that the library does not support.
"""

import warnings
from typing import Any

import igraph
import networkit
import networkx as nx
import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse import csgraph
from scipy.sparse.linalg import svds

from gossamer.graph.graph import Graph
from gossamer.graph.structure.bowtie import Region

Labels = NDArray[np.integer]
Weights = NDArray[np.float64]
Flags = NDArray[np.bool_]
Pair = tuple[Weights, Weights]

DAMPING, EPSILON = 0.85, 1e-8


class Scipy:
    """Sparse matrices, their graph routines, and iterations written with them as tutorials do."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        shape = (graph.nodes, graph.nodes)
        ones = np.ones(graph.links)
        self.links = sparse.csr_matrix((ones, graph.targets, graph.starts), shape)
        self.back = sparse.csr_matrix((ones, graph.sources, graph.in_starts), shape)

    def scc(self) -> Labels:
        labels: Labels = csgraph.connected_components(self.links, directed=True, connection="strong")[1]
        return labels

    def bowtie(self) -> list[int]:
        core = _flag_largest(self.scc())
        node = int(np.argmax(core))
        after, before = (
            _make_flags(
                csgraph.breadth_first_order(matrix, node, return_predecessors=False), self.graph.nodes
            )
            for matrix in (self.links, self.back)
        )
        return _count_regions(self.graph, core, before, after)

    def pagerank(self) -> Weights:
        degrees = self.graph.out_degrees()
        dangling = np.flatnonzero(degrees == 0)
        degrees[dangling] = 1
        nodes = self.graph.nodes
        weights, difference = np.full(nodes, 1 / nodes), 1.0
        while difference > EPSILON:
            new = self.back @ (weights / degrees)
            new += weights[dangling].sum() / nodes
            new *= DAMPING
            new += (1 - DAMPING) / nodes
            difference = np.abs(new - weights).sum()
            weights = new
        return weights

    def hits(self) -> Pair:
        hubs = np.full(self.graph.nodes, self.graph.nodes**-0.5)
        authorities, difference = hubs, 1.0
        while difference > EPSILON:
            new_authorities = self.back @ hubs
            new_authorities /= np.linalg.norm(new_authorities)
            new_hubs = self.links @ new_authorities
            new_hubs /= np.linalg.norm(new_hubs)
            moved = np.linalg.norm(new_hubs - hubs), np.linalg.norm(new_authorities - authorities)
            difference = float(max(moved))
            hubs, authorities = new_hubs, new_authorities
        return hubs, authorities


class ScipySvds(Scipy):
    """HITS as the leading singular vectors, by Lanczos' method (ARPACK)."""

    def hits(self) -> Pair:
        left, _, right = svds(self.links, k=1, tol=EPSILON)
        return np.abs(left[:, 0]), np.abs(right[0])

    scc = bowtie = pagerank = None  # type: ignore[assignment]


class Networkit:
    """Compiled; one thread."""

    def __init__(self, graph: Graph) -> None:
        networkit.setNumberOfThreads(1)
        self.graph = graph
        self.links = networkit.Graph(graph.nodes, directed=True)
        self.links.addEdges((graph.link_sources().astype(np.uint64), graph.targets.astype(np.uint64)))
        self.back = networkit.graphtools.transpose(self.links)

    def scc(self) -> Any:
        found = networkit.components.StronglyConnectedComponents(self.links)
        found.run()
        return found

    def bowtie(self) -> list[int]:
        core = _flag_largest(np.array(self.scc().getPartition().getVector()))
        node = int(np.argmax(core))
        after, before = (self._reached(links, node) for links in (self.links, self.back))
        return _count_regions(self.graph, core, before, after)

    def _reached(self, links: Any, node: int) -> Flags:
        search = networkit.distance.BFS(links, node, storePaths=False)
        search.run()
        return np.array(search.getDistances()) < self.graph.nodes

    def pagerank(self) -> Any:
        sinks = networkit.centrality.SinkHandling.DistributeSinks
        found = networkit.centrality.PageRank(self.links, DAMPING, EPSILON, distributeSinks=sinks)
        found.norm = networkit.centrality.Norm.l1norm
        found.run()
        return found


class Igraph:
    """Compiled; PageRank by PRPACK, HITS by ARPACK; one thread."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        pairs = np.column_stack([graph.link_sources(), graph.targets])
        self.links = igraph.Graph(n=graph.nodes, edges=pairs, directed=True)

    def scc(self) -> Labels:
        return np.array(self.links.connected_components("strong").membership)

    def bowtie(self) -> list[int]:
        core = _flag_largest(self.scc())
        node = int(np.argmax(core))
        after, before = (
            _make_flags(self.links.subcomponent(node, mode), self.graph.nodes) for mode in ("out", "in")
        )
        return _count_regions(self.graph, core, before, after)

    def pagerank(self) -> Weights:
        return np.array(self.links.pagerank(damping=DAMPING))

    def hits(self) -> Pair:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns that pages without links have the weight 0
            hubs, authorities = np.array(self.links.hub_score()), np.array(self.links.authority_score())
        return hubs / np.linalg.norm(hubs), authorities / np.linalg.norm(authorities)


class Networkx:
    """Python, with PageRank and HITS by scipy."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.links = nx.DiGraph()
        self.links.add_nodes_from(range(graph.nodes))
        self.links.add_edges_from(zip(graph.link_sources().tolist(), graph.targets.tolist(), strict=True))

    def scc(self) -> list[set[int]]:
        return list(nx.strongly_connected_components(self.links))

    def bowtie(self) -> list[int]:
        largest = max(self.scc(), key=len)
        node = next(iter(largest))
        core, after, before = (
            _make_flags(list(nodes), self.graph.nodes)
            for nodes in (largest, nx.descendants(self.links, node), nx.ancestors(self.links, node))
        )
        return _count_regions(self.graph, core, before | core, after | core)

    def pagerank(self) -> Weights:
        # Its bound is multiplied by the number of nodes.
        found = nx.pagerank(self.links, DAMPING, tol=EPSILON / self.graph.nodes, max_iter=1_000)
        return np.fromiter(found.values(), np.float64)

    def hits(self) -> Pair:
        found = nx.hits(self.links, tol=EPSILON)
        hubs, authorities = (np.fromiter(side.values(), np.float64) for side in found)
        return hubs / np.linalg.norm(hubs), authorities / np.linalg.norm(authorities)


PEERS = {
    "scipy": Scipy,
    "scipy svds": ScipySvds,
    "networkit": Networkit,
    "igraph": Igraph,
    "networkx": Networkx,
}


def _flag_largest(labels: Labels) -> Flags:
    """Flag the nodes of the largest component."""
    flags: Flags = labels == np.argmax(np.bincount(labels))
    return flags


def _make_flags(nodes: Any, count: int) -> Flags:
    flags = np.zeros(count, np.bool_)
    flags[nodes] = True
    return flags


def _count_regions(graph: Graph, core: Flags, before: Flags, after: Flags) -> list[int]:
    """Find tendrils and tubes by numpy, and count every region."""
    in_, out = before & ~core, after & ~core
    around = before | after
    from_in = _search_from(graph.starts, graph.targets, in_, around)
    to_out = _search_from(graph.in_starts, graph.sources, out, around)
    sizes = {
        Region.SCC: core,
        Region.IN: in_,
        Region.OUT: out,
        Region.TUBES: from_in & to_out,
        Region.INTENDRILS: from_in & ~to_out,
        Region.OUTTENDRILS: to_out & ~from_in,
        Region.DISC: ~(around | from_in | to_out),
    }
    return [int(np.count_nonzero(sizes[region])) for region in Region]


def _search_from(
    starts: NDArray[np.int64], targets: NDArray[np.int32], origins: Flags, closed: Flags
) -> Flags:
    """Search from many nodes, breadth first."""
    seen = closed.copy()
    front = np.flatnonzero(origins)
    while len(front):
        lengths = starts[front + 1] - starts[front]
        places = np.repeat(starts[front] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        met = targets[places]
        front = np.unique(met[~seen[met]])
        seen[front] = True
    flags: Flags = seen & ~closed
    return flags
