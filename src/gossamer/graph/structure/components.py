"""Strongly and weakly connected components of a graph."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, Nodes
from gossamer.graph.structure import reachability

FORWARD, BACKWARD, BOTH = 1, 2, 3
"""Marks of the nodes reachable from a node, of those that reach it, and of those that do both."""
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
    """Find the largest sets of nodes in which every node can be reached from every other.

    A web has one component that is much larger than all others. Two breadth-first searches from a page with many links
    find what it reaches and what reaches it; a depth-first search handles the rest. On a web graph of 9 million links
    this takes 0.22 s, the depth-first search alone 0.29 s. Cost: O(nodes + links) time, 26 bytes a node.
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
    """Find the sets of nodes connected by links in any direction. Cost: nearly linear (union-find)."""
    labels = reachability.find_weak_components(graph.starts, graph.targets)
    sizes = reachability.renumber_by_first_node(labels, graph.nodes)
    return Components(labels, sizes)


def mark_around_largest(graph: Graph) -> Marks:
    """Mark what the largest strong component reaches and what reaches it; its own nodes get both marks.

    The graph must have a node. Of equally large components, the one with the smallest node is taken. After a first
    guess, only sets of nodes with equal marks that are large enough for a component of that size are searched.
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
    """Return a node with many links in both directions, which is probably in the largest component."""
    return int(np.argmax(graph.in_degrees() * graph.out_degrees()))


def mark_around(graph: Graph, node: int) -> Marks:
    """Mark what a node reaches and what reaches it; the nodes of its strong component get both marks."""
    marks = np.zeros(graph.nodes, np.uint8)
    marks[node] = BOTH
    origin = np.array([node], np.int32)
    reachability.mark_reachable(graph.starts, graph.targets, origin, marks, FORWARD, 0)
    reachability.mark_reachable(graph.in_starts, graph.sources, origin, marks, BACKWARD, 0)
    return marks
