"""Place the nodes of a graph in the plane so that linked nodes are close: a force layout in levels."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph
from gossamer.graph.layout.coarse_levels import Level, make_level, make_levels
from gossamer.graph.layout.move_nodes import move_nodes

Places = NDArray[np.float64]
"""Positions: x and y of each node."""
Progress = Callable[[float], None]

_WIDE = 1.0
"""Squares seen under a smaller angle push as one."""
_PUSH, _GRAVITY = 0.05, 0.002
_BY_LOGARITHM = True
_ROUNDS, _COARSE_ROUNDS, _GROWTH_ROUNDS = 80, 150, 25
_SORT_EVERY = 10
_FIRST_STEP, _LAST_STEP = 1.5, 0.05
"""The longest move of a node in the first and in the last round, in units of the distance between nodes."""
_AROUND = 0.6
"""The distance of nodes that come from one group, in units of the distance between groups."""
_MANY = 100
"""Around so many linked nodes, nodes without links take at most as much room as they do."""
_SINGLE = 0.5
"""The distance of nodes without links, in the same units: many of them must not make the rest small."""
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
_CELLS = 65_535


def lay_out(graph: Graph, seed: int = 0, progress: Progress | None = None) -> Places:
    """Place all nodes of a graph; the same seed gives the same places.

    Linked nodes are put into groups, groups into larger ones, until few are left. These are placed first; then each level
    begins where its groups are, and forces move its nodes: all push each other away, and links pull. Nodes without
    links surround the others.
    Cost: O((n + m) log n) time. Source: Jacomy et al. 2014 (forces), Barnes and Hut 1986 (distant nodes), Walshaw 2003
    (levels).
    """
    dice = np.random.default_rng(seed)
    places = np.zeros((graph.nodes, 2))
    linked = np.flatnonzero(graph.in_degrees() + graph.out_degrees())
    if len(linked):
        part = graph if len(linked) == graph.nodes else graph.part(_mark(linked, graph.nodes))[0]
        places[linked] = _lay_out_levels(make_levels(part, dice), dice, progress or _ignore)
    return _surround(places, _mark(linked, graph.nodes))


def grow_layout(
    graph: Graph, places: Places, known: NDArray[np.bool_], seed: int = 0, progress: Progress | None = None
) -> Places:
    """Place the nodes that are not yet known near their neighbours; those that are known stay where they are.

    A node begins at the middle of the neighbours that are placed; then forces move the new nodes alone. New nodes that no
    link joins to known ones surround them. Cost: O((n + m) log n) time.
    """
    dice = np.random.default_rng(seed)
    level = make_level(graph)
    distance = _measure_distance(places[known])
    grown, placed = _place_at_neighbours(level, places.copy(), known.copy(), distance, dice)
    grown = _surround(grown, placed)
    stays = (known | ~placed).astype(np.uint8)
    if not stays.all():
        steps = np.geomspace(0.5 * distance, _LAST_STEP * distance, _GROWTH_ROUNDS)
        _run_rounds(level, grown, stays, steps, progress or _ignore)
    return grown


def _ignore(share: float) -> None:
    """Report no progress."""


def _mark(nodes: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    marked = np.zeros(count, np.bool_)
    marked[nodes] = True
    return marked


def _lay_out_levels(levels: list[Level], dice: np.random.Generator, progress: Progress) -> Places:
    """Place the coarsest level at random, then each level where its groups are; move the nodes of each."""
    costs = [level.nodes * _count_rounds(level, levels[0]) for level in reversed(levels)]
    done, places = 0.0, dice.normal(0.0, 1.0, (levels[-1].nodes, 2))
    places *= np.sqrt(levels[-1].masses.sum())
    for cost, level in zip(costs, reversed(levels), strict=True):
        if len(level.groups):
            distance = _measure_distance(places)
            places = places[level.groups] + dice.normal(0.0, _AROUND * distance, (level.nodes, 2))
        distance = _measure_distance(places)
        rounds = _count_rounds(level, levels[0])
        steps = np.geomspace(_FIRST_STEP * distance, _LAST_STEP * distance, rounds)
        _run_rounds(
            level,
            places,
            np.zeros(level.nodes, np.uint8),
            steps,
            lambda share, done=done, cost=cost: progress((done + share * cost) / sum(costs)),  # type: ignore[misc]
        )
        done += cost
    return places


def _count_rounds(level: Level, finest: Level) -> int:
    return _ROUNDS if level is finest else _COARSE_ROUNDS


def _run_rounds(
    level: Level, places: Places, stays: NDArray[np.uint8], steps: NDArray[np.float64], progress: Progress
) -> None:
    """Move the nodes of a level, a round for each step."""
    for number, step in enumerate(steps.tolist()):
        if number % _SORT_EVERY == 0:
            order = _sort_by_place(places)
            progress(number / len(steps))
        move_nodes(
            places,
            level.masses,
            stays,
            order,
            level.sources,
            level.targets,
            level.weights,
            _PUSH,
            _GRAVITY,
            step,
            _WIDE,
            _BY_LOGARITHM,
        )


def _sort_by_place(places: Places) -> NDArray[np.int32]:
    """Return the nodes so that those close together follow each other: along the curve of Morton 1966."""
    low = places.min(axis=0)
    side = float((places - low).max(initial=0.0)) or 1.0
    cells = ((places - low) / side * _CELLS).astype(np.uint64)
    for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        cells = (cells | (cells << np.uint64(shift))) & np.uint64(mask)
    return np.argsort(cells[:, 0] | (cells[:, 1] << np.uint64(1)), kind="stable").astype(np.int32)


def _measure_distance(places: Places) -> float:
    """Return how far nodes are apart, if they fill a disc evenly in which nine of ten lie."""
    if len(places) < 2:
        return 1.0
    radius = float(np.quantile(np.hypot(*(places - np.median(places, axis=0)).T), 0.9))
    return 2 * radius / np.sqrt(len(places)) or 1.0


def _place_at_neighbours(
    level: Level, places: Places, placed: NDArray[np.bool_], distance: float, dice: np.random.Generator
) -> tuple[Places, NDArray[np.bool_]]:
    """Place nodes at the middle of those neighbours that are placed, and so on, as far as links lead."""
    ends = np.concatenate([level.sources, level.targets])
    others = np.concatenate([level.targets, level.sources])
    while True:
        leads = placed[others] & ~placed[ends]
        if not leads.any():
            return places, placed
        of, near = ends[leads], others[leads]
        count = np.bincount(of, minlength=level.nodes)
        found = np.flatnonzero(count)
        for axis in range(2):
            places[found, axis] = np.bincount(of, places[near, axis], level.nodes)[found] / count[found]
        places[found] += dice.normal(0.0, 0.5 * distance, (len(found), 2))
        placed[found] = True


def _surround(places: Places, placed: NDArray[np.bool_]) -> Places:
    """Place the other nodes around those that are placed, like the seeds of a sunflower, from its rim outwards."""
    others = np.flatnonzero(~placed)
    if not len(others):
        return places
    inner = places[placed]
    middle = np.median(inner, axis=0) if len(inner) else np.zeros(2)
    distance = _measure_distance(inner)
    radius = float(np.hypot(*(inner - middle).T).max(initial=0.0)) + distance if len(inner) else 0.0
    distance *= _SINGLE
    if len(inner) >= _MANY:  # a picture of ten thousand single nodes would show the others as one dot
        distance = min(distance, radius / math.sqrt(len(others)))
    numbers = np.arange(len(others)) + (radius / distance) ** 2
    out, turn = distance * np.sqrt(numbers), numbers * _GOLDEN_ANGLE
    places[others] = middle + np.column_stack([out * np.cos(turn), out * np.sin(turn)])
    return places
