"""Plot of clusters and cores: each group in its own panel, with its members and the links among them."""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, Nodes
from gossamer.plots.canvas import GREY, PALETTE, Axes, Figure, make_figure, shorten_name, use_house_style

MOST_GROUPS = 20
"""Only the first groups are drawn."""
_COLUMNS = 4
_MOST_LINKS = 600
"""If a group has more links, an evenly spread sample is drawn."""
_LABEL_CHARS = 26


class PlotGroup(msgspec.Struct, frozen=True, eq=False):
    """A group to draw: the members of a cluster in a ring, or the fans and centres of a core on two sides."""

    label: str
    """Name of the group; shortened to one line."""
    figures: str
    """A short line of numbers below the panel."""
    members: Nodes
    """All members of a cluster, or the fans of a core."""
    centres: Nodes | None = None


@use_house_style
def draw_groups(graph: Graph, groups: Sequence[PlotGroup], title: str) -> Figure:
    """Draw groups with their numbers, the first at the top."""
    shown = groups[:MOST_GROUPS]
    rows = max(1, -(-len(shown) // _COLUMNS))
    made, panels = make_figure(9.5, 0.6 + 2.75 * rows, rows, _COLUMNS, title)
    for axes in panels:
        axes.axis("off")
    for number, (axes, group) in enumerate(zip(panels, shown, strict=False)):
        colour = PALETTE[number % (len(PALETTE) - 1)]  # the last, yellow, is too light for dots
        if group.centres is None:
            _draw_ring(axes, graph, group.members, colour)
        else:
            _draw_sides(axes, graph, group.members, group.centres, colour)
        label = f"{number + 1}. {shorten_name(group.label, _LABEL_CHARS)}"
        axes.set_title(label, fontsize=8.5, fontweight="bold", loc="center")
        axes.text(0.5, -0.02, group.figures, ha="center", va="top", fontsize=8, transform=axes.transAxes)
        axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
    if not shown:
        panels[0].text(0, 0.5, "none found", fontsize=10)
    return made


def _draw_ring(axes: Axes, graph: Graph, members: Nodes, colour: str) -> None:
    turn = np.linspace(0, 2 * np.pi, len(members), endpoint=False) + np.pi / 2
    places = np.column_stack([np.cos(turn), np.sin(turn)])
    _draw_links(axes, _find_links(graph, members, members), places, places, colour)
    _draw_dots(axes, places, colour)


def _draw_sides(axes: Axes, graph: Graph, fans_of: Nodes, centres_of: Nodes, colour: str) -> None:
    fans, centres = _make_column(len(fans_of), -0.8), _make_column(len(centres_of), 0.8)
    _draw_links(axes, _find_links(graph, fans_of, centres_of), fans, centres, colour)
    _draw_dots(axes, fans, colour, "o")
    _draw_dots(axes, centres, colour, "s")
    for x, side in ((-0.8, "fans"), (0.8, "centres")):
        axes.text(x, 1.08, side, ha="center", va="bottom", fontsize=7, color=GREY)


def _find_links(graph: Graph, sources: Nodes, targets: Nodes) -> NDArray[np.int64]:
    """Return the links from one set to the other, as positions in the two ascending sets."""
    pairs = []
    for at, source in enumerate(sources.tolist()):
        ends = graph.targets[graph.starts[source] : graph.starts[source + 1]]
        among = np.searchsorted(targets, ends)
        found = among[targets[np.minimum(among, len(targets) - 1)] == ends]
        pairs.append(np.column_stack([np.full(len(found), at), found]))
    return np.concatenate(pairs)


def _draw_links(
    axes: Axes,
    links: NDArray[np.int64],
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    colour: str,
) -> None:
    if len(links) > _MOST_LINKS:
        links = links[np.linspace(0, len(links) - 1, _MOST_LINKS).round().astype(np.int64)]
    apart = np.full(len(links), np.nan)
    xs, ys = (
        np.column_stack([starts[links[:, 0], at], ends[links[:, 1], at], apart]).ravel() for at in (0, 1)
    )
    faint = float(np.clip(6 / np.sqrt(len(links) + 1), 0.25, 0.6))
    axes.plot(xs, ys, color=colour, alpha=faint, linewidth=0.6, zorder=1)


def _draw_dots(axes: Axes, places: NDArray[np.float64], colour: str, marker: str = "o") -> None:
    size = float(np.clip(400 / len(places), 4, 36))
    xs, ys = places.T
    axes.scatter(xs, ys, s=size, color=colour, edgecolors="white", linewidths=0.5, marker=marker, zorder=2)


def _make_column(number: int, x: float) -> NDArray[np.float64]:
    heights = np.linspace(1, -1, number) if number > 1 else np.zeros(1)
    return np.column_stack([np.full(number, x), heights])
