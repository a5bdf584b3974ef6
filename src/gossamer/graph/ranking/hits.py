"""HITS: hubs link to good authorities, and good hubs link to authorities."""

from collections.abc import Callable
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.errors import BadInput
from gossamer.graph.graph import Graph, Nodes
from gossamer.graph.ranking import neighbour_sums
from gossamer.graph.ranking.iteration import (
    MOST_ROUNDS,
    Progress,
    ProgressReporter,
    Weights,
    check_bounds,
    check_weights,
)

Variant = Literal["standard", "seed"]
Pair = tuple[Weights, Weights]
MOST_LINKING = 50
"""How many in-links of each root page are added to the base set: Kleinberg's d."""


class HubsAndAuthorities(msgspec.Struct, frozen=True, eq=False):
    """Two weights of every page. The squares of each sum to 1, or all are 0 if no link leads from the start pages."""

    hubs: Weights
    authorities: Weights
    rounds: int
    difference: float
    """Distance (L2) between the last two rounds: the larger of those of hubs and of authorities."""
    converged: bool
    """Whether the difference fell to epsilon before the rounds ran out."""


class Bounds(msgspec.Struct, frozen=True):
    """Damping of an iteration, and when it ends."""

    damping: float
    epsilon: float
    most_rounds: int


def hits(
    graph: Graph,
    hubs: ArrayLike | None = None,
    authorities: ArrayLike | None = None,
    damping: float = 0.0,
    epsilon: float = 1e-8,
    variant: Variant = "standard",
    among: NDArray[np.bool_] | None = None,
    most_rounds: int = MOST_ROUNDS,
    progress: Progress | None = None,
) -> HubsAndAuthorities:
    """Weigh every page as a hub and as an authority.

    `hubs` and `authorities` are weights to start from; by default all pages start equal. `damping` is the share of its
    weight that a page keeps in each round. In the standard variant, hubs are computed from the authorities of the same
    round, as by Kleinberg; `variant="seed"` computes both from the round before (Schmitz 2001, section 3.6), which
    takes twice as many rounds to the same weights. With `among`, only these pages and the links among them count, and
    all others weigh 0: see `find_neighbourhood`.

    Cost: O(pages + links) a round, 56 bytes a page. Source: Kleinberg 1999; Schmitz 2001.
    """
    _check(damping, variant)
    check_bounds(epsilon, most_rounds)
    starts = _read_starts(hubs, authorities, graph.nodes, variant)
    if variant == "seed" and damping == 0 and any(not start.any() for start in starts):
        raise BadInput("the variant seed needs both hubs and authorities to start from, or a damping above 0")
    bounds = Bounds(damping, epsilon, most_rounds)
    if among is None:
        return _iterate(graph, starts, variant, bounds, progress)
    part, kept = graph.part(_check_node_set(among, graph.nodes))
    found = _iterate(part, (starts[0][kept], starts[1][kept]), variant, bounds, progress)
    return msgspec.structs.replace(
        found,
        hubs=_expand(found.hubs, kept, graph.nodes),
        authorities=_expand(found.authorities, kept, graph.nodes),
    )


def find_neighbourhood(
    graph: Graph, roots: NDArray[np.bool_], steps: int = 1, most_linking: int = MOST_LINKING
) -> NDArray[np.bool_]:
    """Return Kleinberg's base set: the roots, all pages they link to, and up to `most_linking` pages that link to each.

    If more pages link to a root, the first are taken. A second step extends the set found by the first, as Schmitz
    2001 suggests.
    """
    if steps < 0 or most_linking < 0:
        raise BadInput("steps and most_linking cannot be below 0")
    found = _check_node_set(roots, graph.nodes).copy()
    for _ in range(steps):
        inside = np.flatnonzero(found)
        found[_gather_slices(graph.starts, graph.targets, inside, graph.nodes)] = True
        found[_gather_slices(graph.in_starts, graph.sources, inside, most_linking)] = True
    return found


def _gather_slices(starts: NDArray[np.int64], values: Nodes, nodes: NDArray[np.int64], most: int) -> Nodes:
    """Return up to `most` values from the slice of each of some nodes, concatenated."""
    lengths = np.minimum(starts[nodes + 1] - starts[nodes], most)
    before = np.cumsum(lengths) - lengths
    places: NDArray[np.int64] = np.repeat(starts[nodes] - before, lengths) + np.arange(lengths.sum())
    return values[places]


def _check(damping: float, variant: str) -> None:
    if variant not in get_args(Variant):
        raise BadInput(f"there is no variant {variant!r} of HITS: {' or '.join(get_args(Variant))}")
    if not 0 <= damping < 1:
        raise BadInput(f"damping must be from 0 to below 1, not {damping:g}")


def _read_starts(hubs: ArrayLike | None, authorities: ArrayLike | None, nodes: int, variant: Variant) -> Pair:
    if hubs is None and authorities is None:
        # The standard variant computes authorities from hubs, so it needs no authorities to start from.
        return np.ones(nodes), np.ones(nodes) if variant == "seed" else np.zeros(nodes)
    given = (
        _read_start(hubs, nodes, "hubs"),
        _read_start(authorities, nodes, "authorities"),
    )
    if not any(start.any() for start in given):
        raise BadInput("at least one start page must have a weight above 0")
    return given


def _read_start(given: ArrayLike | None, nodes: int, what: str) -> Weights:
    if given is None:
        return np.zeros(nodes)
    weights = check_weights(given, nodes, f"a start with {what}")
    # The squares of huge weights would overflow.
    return weights / (weights.max(initial=0) or 1)


def _check_node_set(nodes: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    if nodes.shape != (count,) or nodes.dtype != np.bool_:
        raise BadInput(f"a set of nodes must be an array of {count:,} booleans, one for each node")
    return nodes


def _iterate(
    graph: Graph, starts: Pair, variant: Variant, bounds: Bounds, progress: Progress | None
) -> HubsAndAuthorities:
    reporter = ProgressReporter(bounds.epsilon, progress)
    next_round = ROUNDS[variant]
    none = np.zeros(graph.nodes)
    hubs, authorities = starts
    for start in starts:
        neighbour_sums.normalise(start, none, 0.0)
    if variant == "standard" and authorities.any():
        # The standard variant computes authorities from hubs, so authorities to start from are passed on to the hubs
        # that link to them.
        hubs += _update_weights(graph, authorities, none, 0.0)[0]
        neighbour_sums.normalise(hubs, none, 0.0)
    done, difference = 0, np.inf
    while difference > bounds.epsilon and done < bounds.most_rounds:
        hubs, authorities, difference = next_round(graph, hubs, authorities, bounds.damping)
        done += 1
        reporter.report(difference)
    return HubsAndAuthorities(hubs, authorities, done, difference, difference <= bounds.epsilon)


def _update_in_turn(
    graph: Graph, hubs: Weights, authorities: Weights, damping: float
) -> tuple[Weights, Weights, float]:
    """Compute authorities from hubs, then hubs from these authorities; return both, and the larger distance."""
    new_authorities, one = _update_weights(graph.reversed(), hubs, authorities, damping)
    new_hubs, other = _update_weights(graph, new_authorities, hubs, damping)
    return new_hubs, new_authorities, max(one, other)


def _update_at_once(
    graph: Graph, hubs: Weights, authorities: Weights, damping: float
) -> tuple[Weights, Weights, float]:
    """Compute both from the weights of the round before; return both, and the larger distance."""
    new_authorities, one = _update_weights(graph.reversed(), hubs, authorities, damping)
    new_hubs, other = _update_weights(graph, authorities, hubs, damping)
    return new_hubs, new_authorities, max(one, other)


ROUNDS: dict[Variant, Callable[[Graph, Weights, Weights, float], tuple[Weights, Weights, float]]] = {
    "standard": _update_in_turn,
    "seed": _update_at_once,
}


def _update_weights(graph: Graph, weights: Weights, before: Weights, damping: float) -> tuple[Weights, float]:
    """Compute each page's weight from the pages it links to and its own weight before; return also the distance."""
    new = np.empty(graph.nodes)
    neighbour_sums.sum_neighbours(graph.starts, graph.targets, weights, new)
    return new, neighbour_sums.normalise(new, before, damping)


def _expand(weights: Weights, nodes: Nodes, count: int) -> Weights:
    """Return the weights of a part of the graph as weights of all nodes, 0 elsewhere."""
    whole = np.zeros(count)
    whole[nodes] = weights
    return whole
