"""Random graphs and rules for the tests of what is dense."""

import numpy as np
from hypothesis import strategies as st

from gossamer.graph.density import ClusterRules, CoreRules, Thresholds
from gossamer.graph.graph import Graph, from_edges

Links = set[tuple[int, int]]


def graph_of(nodes: int, links: Links) -> Graph:
    ordered = sorted(links)
    sources, targets = ([link[end] for link in ordered] for end in (0, 1))
    return from_edges(np.array(sources, np.int32), np.array(targets, np.int32), nodes)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Links]:
    """Graphs in which something dense is likely: few nodes, any share of the links."""
    nodes = draw(st.integers(1, 14))
    share = draw(st.sampled_from([0.1, 0.3, 0.5, 0.8, 1.0]))
    dice = np.random.default_rng(draw(st.integers(0, 2**32)))
    there = dice.random((nodes, nodes)) < share
    if draw(st.booleans()):
        there |= there.T
    return nodes, {(int(a), int(b)) for a, b in zip(*np.nonzero(there), strict=True) if a != b}


@st.composite
def thresholds(draw: st.DrawFn) -> Thresholds:
    shares = st.sampled_from([0.01, 0.2, 0.3, 0.5, 2 / 3, 0.7, 0.8, 1.0]) | st.floats(0.01, 1)
    low, high = sorted((draw(shares), draw(shares)))
    return Thresholds(low, high, draw(st.sampled_from([0.0, 0.5, 0.9, 0.99, 1.0])))


cluster_rules = st.builds(ClusterRules, st.integers(2, 6), thresholds())
core_rules = st.builds(CoreRules, st.integers(1, 5), st.integers(1, 5), thresholds())
