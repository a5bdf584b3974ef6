"""The map of themes: which themes are similar, and where each is drawn."""

import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.sparse_rows import Dense, normalise
from gossamer.context.themes.theme_records import ThemeNeighbour
from gossamer.graph.graph import from_edges
from gossamer.graph.layout.force_layout import lay_out

MOST_NEIGHBOURS = 5
_LINES = 2
"""How many lines each theme has on the map: to the most similar ones."""
_LEAST = 0.1
_ROUNDS = 300
_EDGE = 0.04
_PADDING = 1.25
"""How far themes stay apart, in units of their circles."""

Places = NDArray[np.float64]


def find_neighbours(
    middles: Dense, sizes: NDArray[np.int64], numbers: NDArray[np.int64]
) -> list[tuple[ThemeNeighbour, ...]]:
    """Return the most similar themes of each; what all themes share does not make them similar."""
    centre = (middles * (sizes / max(1, sizes.sum()))[:, None]).sum(axis=0)
    apart = normalise((middles - centre).astype(np.float32))
    likeness = apart @ apart.T
    np.fill_diagonal(likeness, -1.0)
    found = []
    for row in likeness:
        best = np.argsort(-row, kind="stable")[:MOST_NEIGHBOURS]
        near = [(int(numbers[at]), float(row[at])) for at in best.tolist() if row[at] >= _LEAST]
        found.append(tuple(ThemeNeighbour(number, round(value, 3)) for number, value in near))
    return found


def choose_lines(neighbours: list[tuple[ThemeNeighbour, ...]], numbers: list[int]) -> list[tuple[int, int]]:
    """Return the lines of the map as pairs of positions: from each theme to the most similar ones."""
    at = {number: position for position, number in enumerate(numbers)}
    pairs = {
        (min(position, at[one.number]), max(position, at[one.number]))
        for position, near in enumerate(neighbours)
        for one in near[:_LINES]
        if one.number in at
    }
    return sorted(pairs)


def measure_radius(size: int, largest: int, count: int) -> float:
    """Return the radius of a theme on the map, whose sides are 1: its area shows its size."""
    widest = 0.42 / np.sqrt(max(4, count))
    return float(widest * max(0.25, np.sqrt(size / max(1, largest))))


def place_themes(lines: list[tuple[int, int]], sizes: NDArray[np.int64]) -> Places:
    """Return where each theme is drawn, from 0 to 1: similar ones are close, and none covers another."""
    count = len(sizes)
    sources, targets = np.array(lines, np.int64).reshape(-1, 2).T
    raw = lay_out(from_edges(sources, targets, count))
    ranks = np.column_stack([_spread(raw[:, 0]), _spread(raw[:, 1])])
    radii = np.array([measure_radius(size, int(sizes.max()), count) for size in sizes.tolist()])
    return _push_apart(ranks, radii)


def _spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values from 0 to 1, half as they are and half by rank, so that a few far ones do not press the others together."""
    span = float(np.ptp(values)) or 1.0
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable") / max(1, len(values) - 1)
    spread: NDArray[np.float64] = (values - values.min()) / span / 2 + ranks / 2
    return spread


def _push_apart(places: Places, radii: NDArray[np.float64]) -> Places:
    """Push circles apart that cover each other, within the map."""
    found = places.copy()
    wanted = _PADDING * (radii[:, None] + radii[None, :])
    np.fill_diagonal(wanted, 0.0)
    edge = np.minimum(0.45, radii + _EDGE)[:, None]
    for _ in range(_ROUNDS):
        apart = found[:, None, :] - found[None, :, :]
        distance = np.maximum(1e-9, np.hypot(apart[..., 0], apart[..., 1]))
        push = np.maximum(0.0, wanted - distance) / distance
        found += 0.25 * (apart * push[..., None]).sum(axis=1)
        found = np.clip(found, edge, 1 - edge)
        if push.max(initial=0.0) < 0.05:
            break
    return found
