"""Communities: a division of all pages by their links."""

import random
from math import inf
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput, MissingExtra
from gossamer.graph.graph import Graph, Nodes
from gossamer.graph.groups.label_propagation import propagate_labels

Method = Literal["leiden", "labels"]
PAIRS_AT_ONCE = 5_000_000
"""Pairs passed to igraph at a time; igraph takes 165 bytes a pair while it reads them, and 35 afterwards."""
MOST_FOR_LEIDEN = 10_000_000
"""Links. igraph took 45 s and 1.3 GB for 9 million links, and more than 6 minutes and 6.9 GB for 50 million."""
LEIDEN_ROUNDS = 2
"""igraph's default. At 1 million links, one round reached modularity 0.778, two 0.780, four 0.780."""
_UNTIL_STABLE = -1


class Communities(msgspec.Struct, frozen=True, eq=False):
    """A division of a graph: communities are numbered by size, the largest first; equal ones by their smallest node."""

    method: Method
    labels: Nodes
    """The community of each node."""
    sizes: NDArray[np.int64]
    modularity: float
    """Share of links inside communities, minus the share expected by chance: 0 to nearly 1."""


def communities(
    graph: Graph,
    method: Method | None = None,
    resolution: float = 1.0,
    seed: int = 0,
    rounds: int = LEIDEN_ROUNDS,
) -> Communities:
    """Divide a graph so that most links stay inside communities.

    The default method is leiden, or labels for graphs of more than `MOST_FOR_LEIDEN` links. The direction of links is
    ignored; a link with a link back counts twice. For leiden, a higher resolution makes smaller communities, and more
    rounds slightly better ones; 0 rounds continues until nothing changes. The same seed gives the same division.
    Cost: measured about O(links), for two rounds of leiden up to 9 million links, and for labels up to 50 million.
    Source: Traag, Waltman and van Eck 2019 (Leiden, by igraph); Raghavan et al. 2007, Traag and Šubelj 2023 (labels,
    with a queue).
    """
    if method is None:
        method = "leiden" if graph.links <= MOST_FOR_LEIDEN else "labels"
    if method not in get_args(Method):
        raise BadInput(f"there is no method {method!r} to find communities: {' or '.join(get_args(Method))}")
    if not 0 < resolution < inf:
        raise BadInput(f"the resolution must be a number above 0, not {resolution:g}")
    if rounds < 0:
        raise BadInput(
            f"there cannot be {rounds} rounds: give 1 or more, or 0 to continue until nothing changes"
        )
    if not graph.nodes:
        return Communities(method, np.empty(0, np.int32), np.empty(0, np.int64), 0.0)
    dice = random.Random(seed)
    found = (
        _run_leiden(graph, resolution, rounds, dice)
        if method == "leiden"
        else _run_label_propagation(graph, dice)
    )
    labels, sizes = _number_by_size(found)
    return Communities(method, labels, sizes, _modularity(graph, labels))


def _run_leiden(graph: Graph, resolution: float, rounds: int, dice: random.Random) -> Nodes:
    try:
        import igraph
    except ImportError:
        raise MissingExtra("graph", "igraph") from None
    igraph.set_random_number_generator(dice)
    pairs, weights = _count_pairs(graph)
    whole = igraph.Graph(n=graph.nodes, directed=False)
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        ends = np.divmod(pairs[start : start + PAIRS_AT_ONCE], graph.nodes)
        whole.add_edges(np.column_stack(ends).data)
    del pairs
    found = whole.community_leiden(
        "modularity", weights=weights, resolution=resolution, n_iterations=rounds or _UNTIL_STABLE
    )
    return np.array(found.membership, np.int32)


def _run_label_propagation(graph: Graph, dice: random.Random) -> Nodes:
    order = np.random.default_rng(dice.getrandbits(64)).permutation(np.arange(graph.nodes, dtype=np.int32))
    arrays = graph.starts, graph.targets, graph.in_starts, graph.sources
    return propagate_labels(*arrays, order, dice.getrandbits(64))


def _modularity(graph: Graph, labels: Nodes) -> float:
    """Return the share of links inside communities, minus the share expected by chance (Newman 2004)."""
    if not graph.links:
        return 0.0
    inside = np.count_nonzero(np.repeat(labels, graph.out_degrees()) == labels[graph.targets])
    ends = np.bincount(labels, graph.in_degrees() + graph.out_degrees())
    return float(inside / graph.links - np.square(ends / (2 * graph.links)).sum())


def _count_pairs(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the linked pairs of nodes a < b, as a · nodes + b, and the number of links of each pair."""
    sources = graph.link_sources().astype(np.int64)
    keys = np.minimum(sources, graph.targets) * graph.nodes
    keys += np.maximum(sources, graph.targets)
    del sources
    keys.sort()
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[first], np.diff(first, append=len(keys)).astype(np.float64)


def _number_by_size(labels: Nodes) -> tuple[Nodes, NDArray[np.int64]]:
    """Number communities by size, the largest first."""
    _, first, inverse, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[inverse], sizes[order].astype(np.int64)
