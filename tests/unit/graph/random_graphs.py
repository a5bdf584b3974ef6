"""Small random graphs for tests: from few links to nearly all, with and without cycles."""

import os
from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from gossamer.graph.graph import Graph, from_edges

Links = set[tuple[int, int]]
KINDS = [(bar, both_ways) for both_ways in (False, True) for bar in (230, 180, 128, 60, 15, 0)]
"""The byte above which there is a link, and whether each link has a link back."""
MANY = 2_000 if os.environ.get("MANY_EXAMPLES") else 400
"""How many graphs a result is compared with its slow twin on: `make soak` tries more, and every run others."""


def make_graph(nodes: int, links: Links) -> Graph:
    """Build a graph from a set of links."""
    pairs = np.array(sorted(links), np.int64).reshape(-1, 2)
    return from_edges(pairs[:, 0], pairs[:, 1], nodes)


def draw_graphs(count: int, most_nodes: int = 14, seed: int = 0) -> Iterator[tuple[int, Links]]:
    """Draw random graphs; every third has no cycles, every fifth consists of two with few links between them."""
    dice = np.random.default_rng(seed)
    for number in range(count):
        nodes = int(dice.integers(1, most_nodes, endpoint=True))
        matrix = dice.random((nodes, nodes)) < dice.choice([0.03, 0.08, 0.15, 0.3, 0.7])
        if number % 3 == 0:
            matrix = np.triu(matrix)
        if number % 5 == 0:
            matrix[: nodes // 2, nodes // 2 :] = False
        np.fill_diagonal(matrix, False)
        order = dice.permutation(nodes)
        yield nodes, {(int(order[one]), int(order[other])) for one, other in np.argwhere(matrix)}


@st.composite
def graphs(draw: st.DrawFn, most_nodes: int = 12) -> tuple[int, Links]:
    """Draw a graph that gets smaller and loses links when a test fails.

    A byte for each pair of nodes says whether there is a link; to draw links one by one would take most of the time of
    thousands of tests.
    """
    nodes = draw(st.integers(1, most_nodes))
    bar, both_ways = draw(st.sampled_from(KINDS))
    pairs = np.frombuffer(draw(st.binary(min_size=nodes * nodes, max_size=nodes * nodes)), np.uint8)
    matrix = pairs.reshape(nodes, nodes) > bar
    if both_ways:
        matrix |= matrix.T
    return nodes, {(a, b) for a, b in np.argwhere(matrix).tolist() if a != b}
