"""The shortest paths between two nodes: breadth-first searches from both ends."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, Nodes, Starts

Distances = NDArray[np.int32]
_UNKNOWN = -1


def find_shortest_paths(graph: Graph, source: int, target: int, most: int = 1) -> list[list[int]]:
    """Return up to `most` of the shortest paths from one node to another, each as its nodes; [] if there is none.

    The smaller of the two frontiers is followed next, so that few nodes are visited even if some have many links.
    Cost: O(nodes + links) time at worst, 8 bytes a node.
    """
    if source == target:
        return [[source]]
    forward, backward = _start_search(graph, source), _start_search(graph, target)
    front, back = np.array([source], np.int32), np.array([target], np.int32)
    steps = [0, 0]
    while len(front) and len(back):
        if len(front) <= len(back):
            steps[0] += 1
            front = _follow(graph.starts, graph.targets, front, forward, steps[0])
            meeting = front[backward[front] != _UNKNOWN]
        else:
            steps[1] += 1
            back = _follow(graph.in_starts, graph.sources, back, backward, steps[1])
            meeting = back[forward[back] != _UNKNOWN]
        if len(meeting):
            # Each path passes one node at this distance from the source, so none is found twice.
            middles = np.flatnonzero((forward == steps[0]) & (backward == steps[1]))
            return list(islice(_list_paths(graph, forward, backward, middles.tolist()), most))
    return []


def find_nearest_start(graph: Graph, target: int, starts: NDArray[np.bool_]) -> int:
    """Return the start node from which a node is reached in the fewest steps; -1 if from none."""
    distances = _start_search(graph, target)
    front, steps = np.array([target], np.int32), 0
    while len(front):
        reached = front[starts[front]]
        if len(reached):
            return int(reached.min())
        steps += 1
        front = _follow(graph.in_starts, graph.sources, front, distances, steps)
    return _UNKNOWN


def _start_search(graph: Graph, node: int) -> Distances:
    distances = np.full(graph.nodes, _UNKNOWN, np.int32)
    distances[node] = 0
    return distances


def _follow(starts: Starts, neighbours: Nodes, front: Nodes, distances: Distances, steps: int) -> Nodes:
    """Set the distance of the unvisited neighbours of a frontier, and return them."""
    counts = starts[front + 1] - starts[front]
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    reached = neighbours[np.repeat(starts[front], counts) + offsets]
    found = np.unique(reached[distances[reached] == _UNKNOWN])
    distances[found] = steps
    return found


def _list_paths(
    graph: Graph, forward: Distances, backward: Distances, middles: list[int]
) -> Iterator[list[int]]:
    """Yield the paths through the nodes in the middle."""
    for middle in middles:
        for begin in _list_halves(graph.in_starts, graph.sources, forward, middle):
            for end in _list_halves(graph.starts, graph.targets, backward, middle):
                yield [*reversed(begin), *end[1:]]


def _list_halves(starts: Starts, neighbours: Nodes, distances: Distances, node: int) -> Iterator[list[int]]:
    """Yield the ways from a node to the end of a search, each step one nearer."""
    waiting = [[node]]
    while waiting:
        way = waiting.pop()
        distance = int(distances[way[-1]])
        if not distance:
            yield way
            continue
        near = neighbours[starts[way[-1]] : starts[way[-1] + 1]]
        waiting += [[*way, each] for each in near[distances[near] == distance - 1].tolist()[::-1]]
