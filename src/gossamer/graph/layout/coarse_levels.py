"""Coarser and coarser versions of a graph: the nodes of each level are groups of nodes of the level below it."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, Nodes
from gossamer.graph.layout.move_nodes import group_neighbours

_COARSEST = 30
_GROUP = 6.0
"""The most nodes of a group: more than two, so that there are few levels."""
_LEAST_SHRINK = 0.9


class Level(msgspec.Struct, frozen=True, eq=False):
    """A graph without directions; each linked pair is there once, with a weight."""

    sizes: NDArray[np.float64]
    """The number of nodes of the finest level that each node stands for."""
    masses: NDArray[np.float64]
    """How strongly each node pushes others away."""
    sources: Nodes
    targets: Nodes
    weights: NDArray[np.float64]
    groups: Nodes
    """For each node, its number in the next level; empty in the coarsest."""

    @property
    def nodes(self) -> int:
        return len(self.masses)


def make_level(graph: Graph) -> Level:
    """Return a graph without directions; the weight of a pair counts its links, and a node's mass is 1 plus its links."""
    sources = graph.link_sources().astype(np.int64)
    keys = np.minimum(sources, graph.targets) * graph.nodes + np.maximum(sources, graph.targets)
    masses = (1 + graph.in_degrees() + graph.out_degrees()).astype(np.float64)
    return _merge_links(keys, np.ones(len(keys)), np.ones(graph.nodes), masses)


def make_levels(graph: Graph, dice: np.random.Generator) -> list[Level]:
    """Return the levels of a graph, from the finest to the coarsest."""
    levels = [make_level(graph)]
    while levels[-1].nodes > _COARSEST:
        finer = levels[-1]
        groups, count = _find_groups(finer, dice)
        if count > _LEAST_SHRINK * finer.nodes:
            break
        levels[-1] = msgspec.structs.replace(finer, groups=groups)
        levels.append(_merge_groups(finer, groups, count))
    return levels


def _merge_groups(finer: Level, groups: Nodes, count: int) -> Level:
    ends = groups[finer.sources].astype(np.int64), groups[finer.targets].astype(np.int64)
    across = ends[0] != ends[1]
    keys = np.minimum(*ends)[across] * count + np.maximum(*ends)[across]
    sizes, masses = (
        np.bincount(groups, column, count).astype(np.float64) for column in (finer.sizes, finer.masses)
    )
    return _merge_links(keys, finer.weights[across], sizes, masses)


def _merge_links(
    keys: NDArray[np.int64],
    weights: NDArray[np.float64],
    sizes: NDArray[np.float64],
    masses: NDArray[np.float64],
) -> Level:
    """Return a level with one link for each key, source · nodes + target, of the sum of its weights."""
    found, at = np.unique(keys, return_inverse=True)
    sources, targets = np.divmod(found, max(len(sizes), 1))
    summed = np.bincount(at, weights, len(found)).astype(np.float64)
    return Level(
        sizes, masses, sources.astype(np.int32), targets.astype(np.int32), summed, np.empty(0, np.int32)
    )


def _find_groups(level: Level, dice: np.random.Generator) -> tuple[Nodes, int]:
    """Put the nodes of a level into groups, those with few links first: they have little choice."""
    ends = np.concatenate([level.sources, level.targets])
    by_end = np.argsort(ends, kind="stable")
    degrees = np.bincount(ends, minlength=level.nodes)
    starts = np.concatenate([[0], np.cumsum(degrees)])
    others = np.concatenate([level.targets, level.sources])[by_end]
    weights = np.concatenate([level.weights, level.weights])[by_end]
    order = np.lexsort((dice.random(level.nodes), degrees)).astype(np.int32)
    most = _GROUP * float(level.sizes.sum()) / level.nodes
    return group_neighbours(starts, others, weights, level.sizes, order, most)
