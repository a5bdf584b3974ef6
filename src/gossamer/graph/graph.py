"""A graph of links as arrays, in both directions: what all the verbs of `gossamer graph` work on."""

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
    """A directed graph without links of a node to itself and without parallel links.

    Node v links to targets[starts[v]:starts[v + 1]] and is linked to from sources[in_starts[v]:in_starts[v + 1]]; both
    slices ascend. Twice four bytes a link and twice eight a node are all the memory that it takes.
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
        """Return how many links lead away from each node."""
        return np.diff(self.starts)

    def in_degrees(self) -> NDArray[np.int64]:
        """Return how many links lead to each node."""
        return np.diff(self.in_starts)

    def reversed(self) -> "Graph":
        """Return the graph with every link turned round; nothing is copied."""
        return Graph(self.in_starts, self.sources, self.starts, self.targets, self.names)

    def part(self, keep: NDArray[np.bool_]) -> tuple["Graph", Nodes]:
        """Return the graph of the nodes to keep and the links among them, and which nodes they were."""
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
    """A graph, and what was left out when it was made of a list of links."""

    graph: Graph
    loops: int = 0
    """Links of a node to itself."""
    repeated: int = 0
    """Links that were there already."""
    unknown: int = 0
    """Links from or to something that is no node, where that is allowed."""
    disturbing: int = 0
    """Nodes that were left out, with their links, because they disturb."""
    facts: NodeFacts | None = None
    """What a web knows of its pages, if these are the nodes."""


def build_graph(
    sources: ArrayLike, targets: ArrayLike, nodes: int, names: Names | None = None
) -> LoadedGraph:
    """Make a graph of links between the nodes 0, 1, 2 … in any order; those left out are counted.

    Dealt by source, and then by target, every slice of sources ascends and repeats stand side by side; dealt by source
    again, the targets ascend too. Links that come sorted, as most files have them, need to be dealt only once more.
    Cost: O(nodes + links) time; 12 bytes a link beside the arrays given.
    """
    if nodes > MOST_NODES:
        raise BadInput(f"a graph can have {MOST_NODES:,} nodes, and this one has {nodes:,}")
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
    """Make a graph of links between the nodes 0, 1, 2 …, without loops and repeats."""
    return build_graph(sources, targets, nodes, names).graph


def _to_node_numbers(given: ArrayLike, nodes: int) -> Nodes:
    """Return nodes as 32-bit numbers; what would not stay itself in them is refused here, not changed."""
    numbers = np.asarray(given)
    if numbers.dtype != np.int32 and numbers.size:
        if numbers.dtype.kind not in "iu":
            raise ValueError(f"nodes are integers, not {numbers.dtype}")
        if numbers.min() < 0 or numbers.max() >= nodes:
            raise ValueError("every link needs a source and a target among the nodes")
    return np.ascontiguousarray(numbers, np.int32)
