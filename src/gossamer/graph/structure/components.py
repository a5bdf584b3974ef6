"""Which pages reach each other: strongly and weakly connected components."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, Nodes
from gossamer.graph.structure import reachability

FORWARD, BACKWARD, BOTH = 1, 2, 3
"""Marks of the nodes that are reached from a node, of those that reach it, and of those that do both."""
Marks = NDArray[np.uint8]


class Components(msgspec.Struct, frozen=True, eq=False):
    """The components of a graph, numbered in the order of their smallest nodes."""

    labels: Nodes
    """The component of each node."""
    sizes: NDArray[np.int64]

    @property
    def largest(self) -> int:
        """The number of the largest component; of several, the one with the smallest node."""
        return int(np.argmax(self.sizes))


def strong_components(graph: Graph) -> Components:
    """Find the sets of nodes in which each can be reached from each.

    A web has one component that is much larger than all others: what is reached from a much linked page, and reaches
    it, is found by two searches breadth first, and the search depth first is left with the rest. On a web graph of 9
    million links that takes 0.22 s, the search depth first alone 0.29 s. Cost: O(nodes + links) time, 26 bytes a node.
    Source: Pearce 2016; the two searches: Fleischer, Hendrickson and Pinar 2000.
    """
    if not graph.nodes:
        return Components(np.empty(0, np.int32), np.empty(0, np.int64))
    marks = mark_around(graph, find_busiest_node(graph))
    labels = np.where(marks == BOTH, np.int32(0), np.int32(-1))
    count = reachability.label_strong_components(graph.starts, graph.targets, marks, labels, 1)
    sizes = reachability.renumber_by_first_node(labels, count)
    return Components(labels, sizes)


def weak_components(graph: Graph) -> Components:
    """Find the sets of nodes that hang together, whichever way links point. Cost: nearly linear; by union and find."""
    labels = reachability.find_weak_components(graph.starts, graph.targets)
    sizes = reachability.renumber_by_first_node(labels, graph.nodes)
    return Components(labels, sizes)


def mark_around_largest(graph: Graph) -> Marks:
    """Mark what the largest strong component reaches and what reaches it; it carries both marks itself.

    The graph has a node at least. Of several largest components, the one with the smallest node is taken. Others are
    looked for only among nodes whose marks are so common that a component as large could hide there.
    """
    marks = mark_around(graph, find_busiest_node(graph))
    counts = np.bincount(marks, minlength=BOTH + 1)
    too_few = (counts < counts[BOTH]).astype(np.uint8)
    too_few[BOTH] = True
    if too_few.all():
        return marks
    labels = np.where(too_few[marks], np.int32(marks == BOTH), np.int32(-1))
    reachability.label_strong_components(graph.starts, graph.targets, marks, labels, 2)
    sizes = np.bincount(labels)
    sizes[0] = 0
    first = int(np.argmax((sizes == sizes.max())[labels]))
    return marks if marks[first] == BOTH else mark_around(graph, first)


def find_busiest_node(graph: Graph) -> int:
    """Return a node with many links from and to it, which is likely to be in the largest component."""
    return int(np.argmax(graph.in_degrees() * graph.out_degrees()))


def mark_around(graph: Graph, node: int) -> Marks:
    """Mark what a node reaches and what reaches it; it carries both marks itself, as does its strong component."""
    marks = np.zeros(graph.nodes, np.uint8)
    marks[node] = BOTH
    origin = np.array([node], np.int32)
    reachability.mark_reachable(graph.starts, graph.targets, origin, marks, FORWARD, 0)
    reachability.mark_reachable(graph.in_starts, graph.sources, origin, marks, BACKWARD, 0)
    return marks
