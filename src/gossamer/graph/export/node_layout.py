"""Positions, sizes and colours of nodes, for programs that draw graphs."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph
from gossamer.graph.structure.bowtie import Region

# The colours of the plots: Okabe and Ito, "Color Universal Design", 2008.
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
_ROOM = 1.2
"""Factor by which a region is wider than its nodes side by side, so that they do not touch."""


class NodeLayout(msgspec.Struct, frozen=True, eq=False):
    """Position, size and colour of each node."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    sizes: NDArray[np.float64]
    colours: NDArray[np.uint8]
    """Red, green and blue."""


def lay_out_nodes(graph: Graph, scores: NDArray[np.float64], regions: NDArray[np.uint8]) -> NodeLayout:
    """Place each region in a disc of its own colour, the core in the middle; nodes with high scores are large.

    In a disc, nodes are arranged like the seeds of a sunflower, the best in the middle, each with room for its size. The
    discs of the other regions surround the core, IN to its left and OUT to its right. Cost: O(n log n); a
    force-directed layout would take hours.
    """
    x, y = (np.zeros(graph.nodes) for _ in range(2))
    sizes = _scale_sizes(scores)
    core = 0.0
    for region, angle in zip(Region, (0.0, np.pi, 0.0, -np.pi / 2, 2.2, 0.9, -0.8), strict=True):
        inside = np.flatnonzero(regions == region)
        inside = inside[np.argsort(-scores[inside], kind="stable")]
        turn, out = np.arange(len(inside)) * _GOLDEN_ANGLE, _compute_radii(sizes[inside])
        radius = float(out.max(initial=0.0)) + _SIZES[1]
        away = 0.0 if region is Region.SCC else 1.2 * (core + radius)
        x[inside] = away * np.cos(angle) + out * np.cos(turn)
        y[inside] = away * np.sin(angle) + out * np.sin(turn)
        core = core or radius
    colours = np.array([_COLOUR_OF[region] for region in Region], np.uint8)[regions]
    return NodeLayout(x, y, sizes, colours)


def _compute_radii(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of each node from the middle of its disc, with room for the nodes before it further inside."""
    areas = sizes * sizes
    radii = np.asarray(_ROOM * np.sqrt(np.cumsum(areas) - areas / 2))
    radii[:1] = 0.0
    return radii


def _scale_sizes(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sizes whose areas grow with the scores, between the smallest and the largest readable size."""
    least, most = _SIZES
    return np.asarray(least + (most - least) * np.sqrt(scores / max(float(scores.max(initial=0)), 1e-300)))
