"""Plot of the bow-tie, to scale: areas are proportional to numbers of nodes."""

from collections.abc import Mapping
from math import pi, sqrt
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.structure.bowtie import Region
from gossamer.plots.canvas import GREY, INK, PALETTE, Axes, Figure, make_figure, use_house_style

COLOURS = {
    Region.SCC: PALETTE[0],
    Region.IN: PALETTE[4],
    Region.OUT: PALETTE[1],
    Region.TUBES: PALETTE[2],
    Region.INTENDRILS: PALETTE[3],
    Region.OUTTENDRILS: PALETTE[5],
    Region.DISC: GREY,
}
_WIDTH_IN = 8.0
_GAP, _LINE = 0.08, 0.085
_LEAST_HALF, _LEAST_ASIDE = 0.12, 0.6
"""Space for labels, even of regions that are almost empty."""
_WING_SLANT = 0.45
"""The length of a wing's inner side as a share of its outer side."""
_TUBE_SHAPE = 8.0
"""Ratio of width to height of the tubes."""
_BEHIND = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1}
"""Labels have a white background, so that arrows do not cross them out."""

Point = tuple[float, float]
Corners = NDArray[np.float64]


class _Shape(msgspec.Struct, frozen=True):
    """The shape of one region: a polygon, and the position of its label."""

    region: Region
    corners: Corners
    label: Point
    """The middle of the label's upper edge."""


@use_house_style
def draw_bowtie(counts: Mapping[Region, int], title: str = "Bow-tie") -> Figure:
    """Draw the regions with areas proportional to their shares of the nodes."""
    whole = sum(counts.values())
    shares = {region: counts[region] / whole if whole else 0.0 for region in Region}
    shapes = _place_regions(shares)
    points = np.concatenate([shape.corners for shape in shapes.values()])
    labels = np.array([shape.label for shape in shapes.values()])
    left = min(points[:, 0].min(), labels[:, 0].min() - 2.5 * _GAP) - _GAP
    right = max(points[:, 0].max(), labels[:, 0].max() + 2.5 * _GAP) + _GAP
    low = min(points[:, 1].min(), labels[:, 1].min() - 2 * _LINE) - _GAP
    high = max(points[:, 1].max(), labels[:, 1].max()) + _GAP / 2
    made, (axes,) = make_figure(_WIDTH_IN, 0.4 + _WIDTH_IN * (high - low) / (right - left), title=title)
    axes.set(xlim=(left, right), ylim=(low, high), aspect="equal")
    axes.axis("off")
    _draw_arrows(axes, shapes, shares)
    for shape in shapes.values():
        colour = COLOURS[shape.region]
        if counts[shape.region]:
            axes.fill(*shape.corners.T, facecolor=colour, edgecolor=INK, linewidth=0.8, zorder=2)
        _draw_label(axes, shape, counts[shape.region], shares[shape.region])
    return made


def _place_regions(shares: Mapping[Region, float]) -> dict[Region, _Shape]:
    """Place the regions: tendrils above, wings and core in the middle, tubes and the disconnected below."""
    radius = sqrt(shares[Region.SCC] / pi)
    wings = {side: sqrt(2 * shares[side] / (1 + _WING_SLANT)) for side in (Region.IN, Region.OUT)}
    half = max(radius, *(height / 2 for height in wings.values()), _LEAST_HALF)
    shapes = [_Shape(Region.SCC, _make_circle(0, 0, radius), (0, -max(radius, _LEAST_HALF) - _GAP / 2))]
    for side, hanging, sign in ((Region.IN, Region.INTENDRILS, -1), (Region.OUT, Region.OUTTENDRILS, 1)):
        height, edge = wings[side], sqrt(shares[hanging])
        aside = sign * max(radius + 2 * _GAP + height / 2, radius + 2 * _GAP + edge / 2, _LEAST_ASIDE)
        shapes.append(_Shape(side, _make_wing(aside, sign, height), (aside, -height / 2 - _GAP / 2)))
        at = half + _GAP + edge / 2
        shapes.append(_Shape(hanging, _make_box(aside, at, edge, edge), (aside, at + edge / 2 + 2.2 * _LINE)))
    below = -half - 2 * _LINE - 2 * _GAP
    thick, small = sqrt(shares[Region.TUBES] / _TUBE_SHAPE), sqrt(shares[Region.DISC] / pi)
    tubes = _make_box(0, below - thick / 2, _TUBE_SHAPE * thick, thick)
    shapes.append(_Shape(Region.TUBES, tubes, (0, below - thick - _GAP / 2)))
    at = max(_TUBE_SHAPE * thick / 2 + small + 3 * _GAP, _LEAST_ASIDE)
    disc = _make_circle(at, below - max(small, thick / 2), small)
    shapes.append(_Shape(Region.DISC, disc, (at, disc[:, 1].min() - _GAP / 2)))
    return {shape.region: shape for shape in shapes}


def _draw_arrows(axes: Axes, shapes: Mapping[Region, _Shape], shares: Mapping[Region, float]) -> None:
    """Draw arrows in the direction of links, between regions that are not empty."""
    core, tubes = (shapes[region].corners for region in (Region.SCC, Region.TUBES))
    for side, hanging, sign in ((Region.IN, Region.INTENDRILS, -1), (Region.OUT, Region.OUTTENDRILS, 1)):
        wing, box = shapes[side].corners, shapes[hanging].corners
        middle, inner = wing[:, 0].mean(), min(abs(wing[3, 0]) / 2, tubes[:, 0].max())
        ways: list[tuple[Region, Point, Point]] = [
            (Region.SCC, (wing[0, 0], 0.0), (sign * core[:, 0].max(), 0.0)),
            (hanging, (middle, wing[:2, 1].mean()), (middle, box[:, 1].min())),
            (Region.TUBES, (wing[3, 0], wing[3, 1]), (sign * inner, tubes[:, 1].max())),
        ]
        for other, at, to in ways:
            if shares[side] and shares[other]:
                _draw_arrow(axes, *((at, to) if side is Region.IN else (to, at)))


def _draw_arrow(axes: Axes, start: Point, end: Point) -> None:
    style = {"arrowstyle": "-|>", "color": "#666666", "linewidth": 1.3, "shrinkA": 2, "shrinkB": 2}
    axes.annotate("", end, start, arrowprops=style, zorder=1)


def _draw_label(axes: Axes, shape: _Shape, number: int, share: float) -> None:
    x, y = shape.label
    style: dict[str, Any] = {"ha": "center", "va": "top", "color": INK if number else GREY, "zorder": 3}
    axes.text(x, y, shape.region.name, fontsize=11, fontweight="bold", bbox=_BEHIND, **style)
    axes.text(x, y - 0.75 * _LINE, f"{number:,} · {share:.1%}", fontsize=10, bbox=_BEHIND, **style)


def _make_circle(x: float, y: float, radius: float) -> Corners:
    turn = np.linspace(0, 2 * pi, 120, endpoint=False)
    return np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)])


def _make_wing(middle: float, sign: int, height: float) -> Corners:
    """Return a wing that is as wide as it is high, with its narrow side at the core."""
    near, far, inner = middle - sign * height / 2, middle + sign * height / 2, _WING_SLANT * height
    return np.array([(near, inner / 2), (far, height / 2), (far, -height / 2), (near, -inner / 2)])


def _make_box(x: float, y: float, width: float, height: float) -> Corners:
    across, up = width / 2, height / 2
    return np.array([(x - across, y - up), (x + across, y - up), (x + across, y + up), (x - across, y + up)])
