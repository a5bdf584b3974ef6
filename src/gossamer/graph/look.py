"""How the nodes of a graph look in other programs: where they stand, how large they are, which colour they have."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.bowtie import Region
from gossamer.graph.graph import Graph

# The colours of the pictures: Okabe and Ito, "Color Universal Design", 2008.
_COLOUR_OF = {
    Region.SCC: (0, 114, 178),
    Region.IN: (86, 180, 233),
    Region.OUT: (230, 159, 0),
    Region.TUBES: (0, 158, 115),
    Region.INTENDRILS: (204, 121, 167),
    Region.OUTTENDRILS: (213, 94, 0),
    Region.DISC: (153, 153, 153),
}
_SIZES = (4.0, 40.0)
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
_ROOM = 6.0
"""How far apart the nodes of a group stand."""


class Look(msgspec.Struct, frozen=True, eq=False):
    """How each node looks."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    sizes: NDArray[np.float64]
    colours: NDArray[np.uint8]
    """Red, green and blue."""


def look(graph: Graph, scores: NDArray[np.float64], regions: NDArray[np.uint8]) -> Look:
    """Let good nodes be large and each region be a disc of its own colour, the core in the middle.

    In a disc, nodes stand as the seeds of a sunflower do, the best in the middle; the discs of the other regions stand
    around the core, IN to its left and OUT to its right. Cost: O(n log n), where forces between nodes would cost hours.
    """
    x, y = (np.zeros(graph.nodes) for _ in range(2))
    radius = {region: _ROOM * np.sqrt(np.count_nonzero(regions == region) + 1.0) for region in Region}
    for region, angle in zip(Region, (0.0, np.pi, 0.0, -np.pi / 2, 2.2, 0.9, -0.8), strict=True):
        inside = np.flatnonzero(regions == region)
        inside = inside[np.argsort(-scores[inside], kind="stable")]
        away = 0.0 if region is Region.SCC else 1.4 * (radius[Region.SCC] + radius[region])
        turn, out = np.arange(len(inside)) * _GOLDEN_ANGLE, _ROOM * np.sqrt(np.arange(len(inside)))
        x[inside] = away * np.cos(angle) + out * np.cos(turn)
        y[inside] = away * np.sin(angle) + out * np.sin(turn)
    colours = np.array([_COLOUR_OF[region] for region in Region], np.uint8)[regions]
    return Look(x, y, _sizes(scores), colours)


def _sizes(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Let areas grow with scores, between the smallest and the largest that can be seen well."""
    least, most = _SIZES
    return np.asarray(least + (most - least) * np.sqrt(scores / max(float(scores.max(initial=0)), 1e-300)))
