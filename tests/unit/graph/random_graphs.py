"""Small random graphs of all kinds for tests: from hardly any links to nearly all, with and without circles."""

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from gossamer.graph.graph import Graph, from_edges

Links = set[tuple[int, int]]


def made(nodes: int, links: Links) -> Graph:
    """Make a graph of a set of links."""
    pairs = np.array(sorted(links), np.int64).reshape(-1, 2)
    return from_edges(pairs[:, 0], pairs[:, 1], nodes)


def many(count: int, most_nodes: int = 14, seed: int = 0) -> Iterator[tuple[int, Links]]:
    """Draw so many graphs; every third has no circles, every fifth is made of two that hardly meet."""
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
    """Draw a graph that can be made smaller when a test fails."""
    nodes = draw(st.integers(1, most_nodes))
    node = st.integers(0, nodes - 1)
    links = draw(st.sets(st.tuples(node, node).filter(lambda link: link[0] != link[1]), max_size=4 * nodes))
    return nodes, links
