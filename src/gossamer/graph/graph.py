"""A graph of links as arrays, in both directions: the input of all graph algorithms here."""

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.errors import BadInput
from gossamer.graph import adjacency
from gossamer.graph.edges import NodeFacts
from gossamer.graph.node_names import Names, number_nodes

MOST_NODES = 2**31 - 2
Starts = NDArray[np.int64]
Nodes = NDArray[np.int32]


class Graph(msgspec.Struct, frozen=True, eq=False):
    """A directed graph without loops and without parallel links.

    Node v links to targets[starts[v]:starts[v + 1]], and sources[in_starts[v]:in_starts[v + 1]] link to v; both slices
    are ascending. Memory: 8 bytes a link and 16 bytes a node.
    """

    starts: Starts
    targets: Nodes
    in_starts: Starts
    sources: Nodes
    names: Names

    @property
    def nodes(self) -> int:
        return len(self.starts) - 1

    @property
    def links(self) -> int:
        return len(self.targets)

    def out_degrees(self) -> NDArray[np.int64]:
        """Return the number of links from each node."""
        return np.diff(self.starts)

    def in_degrees(self) -> NDArray[np.int64]:
        """Return the number of links to each node."""
        return np.diff(self.in_starts)

    def reversed(self) -> "Graph":
        """Return the graph with every link reversed; no array is copied."""
        return Graph(self.in_starts, self.sources, self.starts, self.targets, self.names)

    def part(self, keep: NDArray[np.bool_]) -> tuple["Graph", Nodes]:
        """Return the graph of the nodes to keep and the links among them, and the former numbers of its nodes."""
        kept = np.flatnonzero(keep).astype(np.int32)
        number_of = np.full(self.nodes, -1, np.int32)
        number_of[kept] = np.arange(len(kept), dtype=np.int32)
        out = adjacency.select_nodes(self.starts, self.targets, number_of)
        back = adjacency.select_nodes(self.in_starts, self.sources, number_of)
        return Graph(*out, *back, self.names.part(kept)), kept

    def link_sources(self) -> Nodes:
        """Return the source of each link, in the order of `targets`."""
        return np.repeat(np.arange(self.nodes, dtype=np.int32), self.out_degrees())


class LoadedGraph(msgspec.Struct, frozen=True, eq=False):
    """A graph, with counts of what was left out when it was built."""

    graph: Graph
    loops: int = 0
    """Links of a node to itself."""
    repeated: int = 0
    """Repeated links."""
    unknown: int = 0
    """Links to pages that are not nodes of the graph."""
    disturbing: int = 0
    """Nodes left out, with their links, as link noise."""
    template: int = 0
    """Links left out because a template repeats them."""
    facts: NodeFacts | None = None
    """What a web knows about its pages, if the nodes are pages of a web."""


def build_graph(
    sources: ArrayLike, targets: ArrayLike, nodes: int, names: Names | None = None
) -> LoadedGraph:
    """Build a graph from links between the nodes 0, 1, 2 …, given in any order; count the links left out.

    Sorting by source and then by target makes every slice of sources ascending and puts repeats side by side; sorting
    by source again makes the targets ascending too. Links that arrive sorted, as in most files, need one sort less.
    Cost: O(nodes + links) time, and 12 bytes a link in addition to the given arrays.
    """
    if nodes > MOST_NODES:
        raise BadInput(f"a graph can have at most {MOST_NODES:,} nodes; this one has {nodes:,}")
    by_source = adjacency.group_by_key(
        _to_node_numbers(sources, nodes), _to_node_numbers(targets, nodes), nodes
    )
    linking = len(by_source[1])
    if adjacency.is_ascending(*by_source):
        by_source = adjacency.drop_repeats(*by_source)
        by_target = adjacency.transpose(*by_source)
    else:
        by_target = adjacency.drop_repeats(*adjacency.transpose(*by_source))
        by_source = adjacency.transpose(*by_target)
    loops, repeats = np.size(sources) - linking, linking - len(by_source[1])
    graph = Graph(*by_source, *by_target, names if names is not None else number_nodes(nodes))
    return LoadedGraph(graph, loops, repeats)


def from_edges(sources: ArrayLike, targets: ArrayLike, nodes: int, names: Names | None = None) -> Graph:
    """Build a graph from links between the nodes 0, 1, 2 …; loops and repeated links are left out."""
    return build_graph(sources, targets, nodes, names).graph


def _to_node_numbers(given: ArrayLike, nodes: int) -> Nodes:
    """Convert node numbers to 32 bits; refuse values that do not fit instead of wrapping them."""
    numbers = np.asarray(given)
    if numbers.dtype != np.int32 and numbers.size:
        if numbers.dtype.kind not in "iu":
            raise ValueError(f"nodes are integers, not {numbers.dtype}")
        if numbers.min() < 0 or numbers.max() >= nodes:
            raise ValueError("every link needs a source and a target among the nodes")
    return np.ascontiguousarray(numbers, np.int32)
