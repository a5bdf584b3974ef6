"""Plot of compared orders: recall and harvest against pages fetched, with the range of the walks."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gossamer.plots.canvas import GREY, INK, PALETTE, Axes, Figure, make_figure, use_house_style

Rows = NDArray[np.float64]
"""Recall after each page, a row for each walk."""

_POINTS = 400
# Confidence intervals of two or three walks are wide, so the range from the lowest to the highest walk is shown.
_SHADE = 0.18
_PLAIN = {"breadth": GREY, "oracle": INK}


@use_house_style
def draw_harvest(recalls: Mapping[str, Rows], wanted: float, title: str) -> Figure:
    """Draw recall on the left and harvest on the right, one line for each order, shaded from lowest to highest walk."""
    made, (left, right) = make_figure(11.0, 4.8, columns=2, title=title)
    colours = _choose_colours(list(recalls))
    for order, rows in recalls.items():
        pages = np.unique(np.linspace(1, rows.shape[1], min(_POINTS, rows.shape[1])).astype(int))
        recall = rows[:, pages - 1]
        _draw_line(left, pages, 100 * recall, order, colours[order])
        _draw_line(right, pages, 100 * recall * wanted / pages, order, colours[order])
    left.set(xlabel="pages fetched", ylabel="% of the wanted pages", title="Recall", ylim=(0, 102))
    right.set(xlabel="pages fetched", ylabel="% of the fetched pages", title="Harvest", ylim=(0, None))
    for axes in (left, right):
        axes.grid(True)
        axes.set_xlim(0, None)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    made.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=8, frameon=False)
    return made


def _choose_colours(orders: list[str]) -> dict[str, str]:
    others = [order for order in orders if order not in _PLAIN]
    return _PLAIN | {order: PALETTE[at % len(PALETTE)] for at, order in enumerate(others)}


def _draw_line(axes: Axes, pages: NDArray[np.int64], rows: Rows, order: str, colour: str) -> None:
    style = "--" if order in _PLAIN else "-"
    axes.plot(pages, rows.mean(0), color=colour, linewidth=1.8, linestyle=style, label=order)
    if len(rows) > 1:
        axes.fill_between(pages, rows.min(0), rows.max(0), color=colour, alpha=_SHADE, linewidth=0)
