"""Plot of a graph's adjacency matrix, sorted by community, so that communities appear as blocks."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph
from gossamer.plots.canvas import Figure, make_figure, make_printable, use_house_style

MOST_FIELDS = 400
"""Rows and columns of the plot; in larger graphs, a field covers several nodes."""
_LEAST_SHARE = 0.025
"""Communities with a smaller share of the nodes get no label, since labels would overlap."""
_LABEL_CHARS = 28
_LIGHTEST = 30.0
"""The colour scale starts this factor below the smallest share, since its first colour, light yellow, is invisible on
white."""


@use_house_style
def draw_adjacency(
    graph: Graph,
    communities: NDArray[np.integer],
    names: Mapping[int, str],
    title: str = "Links by community",
) -> Figure:
    """Draw a field for each pair of nodes, dark where there are links; the largest community comes first."""
    order, ends = sort_by_community(communities)
    density = _compute_density(graph, order)
    made, (axes,) = make_figure(9.5, 6.6, title=title)
    made.set_layout_engine("compressed")
    drawn_image = axes.imshow(
        np.ma.masked_equal(density, 0),
        cmap="cividis_r",
        norm="log",
        vmin=_find_smallest(density) / _LIGHTEST,
        vmax=float(density.max(initial=0.0)) or 1.0,
        interpolation="nearest",
        extent=(0, graph.nodes, graph.nodes, 0),
    )
    axes.set(xlabel="node that is linked to", ylabel="")
    shown = _LEAST_SHARE * graph.nodes
    starts = [0, *ends]
    blocks = [(a, b) for a, b in pairwise(starts) if b - a >= shown]
    for start, end in blocks:
        axes.plot(
            [start, end, end, start, start], [start, start, end, end, start], color="#D55E00", linewidth=0.8
        )
    labels = [
        make_printable(names.get(int(communities[order[start]]), ""), _LABEL_CHARS) for start, _ in blocks
    ]
    sizes = [f"{label} ({end - start:,})".strip() for label, (start, end) in zip(labels, blocks, strict=True)]
    axes.set_yticks([(start + end) / 2 for start, end in blocks], sizes, fontsize=8)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    if graph.nodes > len(density):
        _label_colours(made.colorbar(drawn_image, ax=axes, shrink=0.5, aspect=30))
    return made


def _label_colours(bar: Any) -> None:
    """Label the colour bar, for plots in which a field covers several pairs of nodes."""
    bar.set_label("share of the possible links in a field")
    bar.ax.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g}%")
    bar.ax.yaxis.set_minor_formatter(lambda *_: "")


def sort_by_community(communities: NDArray[np.integer]) -> tuple[NDArray[np.int64], list[int]]:
    """Return the nodes sorted by community, the largest first, and the end of each community."""
    different, number_of = np.unique(communities, return_inverse=True)
    sizes = np.bincount(number_of, minlength=len(different))
    place = np.empty(len(different), np.int64)
    by_size = np.argsort(-sizes, kind="stable")
    place[by_size] = np.arange(len(different))
    order = np.argsort(place[number_of], kind="stable")
    return order, np.cumsum(sizes[by_size]).tolist()


def _find_smallest(density: NDArray[np.float64]) -> float:
    return float(density[density > 0].min(initial=1.0))


def _compute_density(graph: Graph, order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of possible links that exist in each field."""
    fields = min(graph.nodes, MOST_FIELDS)
    field_of = np.empty(graph.nodes, np.int64)
    field_of[order] = np.arange(graph.nodes) * fields // max(graph.nodes, 1)
    width = np.bincount(field_of, minlength=fields)
    found = np.zeros(fields * fields, np.int64)
    np.add.at(found, field_of[graph.link_sources()] * fields + field_of[graph.targets], 1)
    return np.asarray(found.reshape(fields, fields) / np.outer(width, width))
