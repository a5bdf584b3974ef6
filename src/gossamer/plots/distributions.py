"""Plots of degrees, depths, relevance and rankings, and of several graphs side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.edges import NodeFacts
from gossamer.graph.graph import Graph
from gossamer.graph.structure.bowtie import Region
from gossamer.graph.structure.power_law import PowerLaw, fit_power_law
from gossamer.graph.structure.statistics import RELEVANCE_STEPS, count_by_relevance
from gossamer.plots.bowtie import COLOURS
from gossamer.plots.canvas import (
    GREY,
    INK,
    PALETTE,
    Axes,
    Figure,
    format_log_axis,
    make_figure,
    make_printable,
    shorten_name,
    use_house_style,
)

_MOST_BARS_WITH_NUMBERS = 20
_LABEL_CHARS = 60
_LIGHT = {"OUT", "IN", "INTENDRILS", "DISC", "TENDRILS"}


@use_house_style
def draw_stats(graph: Graph, facts: NodeFacts | None, title: str = "Links and pages") -> Figure:
    """Draw the degrees in both directions and, if known, depths and relevance."""
    depths = facts.depths[facts.depths >= 0] if facts is not None else np.empty(0, np.int32)
    relevance = facts.relevance[~np.isnan(facts.relevance)] if facts is not None else np.empty(0)
    rows = 2 if len(depths) else 1
    made, panels = make_figure(9.5, 0.5 + 3.6 * rows, rows, 2, title)
    draw_degrees(panels[0], graph.in_degrees(), "Links that lead to a node")
    draw_degrees(panels[1], graph.out_degrees(), "Links that lead away from a node", PALETTE[5])
    if len(depths):
        draw_depths(panels[2], depths)
        if len(relevance):
            draw_relevance(panels[3], relevance)
        else:
            panels[3].remove()
            _widen(panels[2])
    return made


def draw_degrees(
    axes: Axes, degrees: NDArray[np.int64], title: str, colour: str = PALETTE[0]
) -> PowerLaw | None:
    """Draw the share of nodes with at least a given number of links, and the power law of the tail."""
    axes.set_title(title)
    positive = degrees[degrees > 0]
    if not len(positive):
        _show_empty(axes, "no links")
        return None
    different, counts = np.unique(positive, return_counts=True)
    at_least = np.cumsum(counts[::-1])[::-1] / len(degrees)
    axes.set(xscale="log", yscale="log", xlabel="links", ylabel="share of nodes with as many or more")
    axes.plot(different, at_least, "o", color=colour, markersize=3.5, markeredgewidth=0)
    law = fit_power_law(positive)
    if law is not None:
        tail = np.unique(np.geomspace(law.x_min, different[-1], 60).round())
        shares = law.at_least(tail) * at_least[np.searchsorted(different, law.x_min)]
        label = (
            f"exponent {law.exponent:.2f} ± {law.error:.2f}\nfrom {law.x_min:,} links on ({law.tail:,} nodes)"
        )
        axes.plot(tail, shares, "--", color=INK, linewidth=1.5, label=label)
        axes.legend(loc="lower left", fontsize=9, frameon=False)
    axes.grid(True)
    format_log_axis(axes.xaxis)
    axes.set_xlim(0.8, max(12.0, 1.3 * float(different[-1])))
    _format_share_axis(axes, float(at_least[-1]))
    return law


def draw_depths(axes: Axes, depths: NDArray[np.int32]) -> None:
    """Draw the number of pages at each depth."""
    pages = np.bincount(depths)
    bars = axes.bar(np.arange(len(pages)), pages, color=PALETTE[2], width=0.8)
    axes.set(title="Links away from a start page", xlabel="depth", ylabel="pages")
    axes.locator_params(axis="x", integer=True)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    if len(pages) <= _MOST_BARS_WITH_NUMBERS:
        rotation = 90 if len(pages) > 9 else 0
        axes.bar_label(bars, [f"{number:,}" for number in pages], fontsize=8, rotation=rotation, padding=2)
        axes.margins(y=0.18 if rotation else 0.1)


def draw_relevance(axes: Axes, relevance: NDArray[np.float64]) -> None:
    """Draw the number of pages by relevance, on a logarithmic axis, since most pages are at both ends."""
    pages = count_by_relevance(relevance)
    starts, width = np.arange(RELEVANCE_STEPS) / RELEVANCE_STEPS, 1 / RELEVANCE_STEPS
    axes.bar(starts, pages, width, align="edge", color=PALETTE[3], edgecolor="white", linewidth=0.6)
    axes.set(title="Relevance", xlabel="what the classifier said", ylabel="pages", yscale="log", xlim=(0, 1))
    axes.set_ylim(0.7, 2 * pages.max())
    format_log_axis(axes.yaxis)


@use_house_style
def draw_rankings(rankings: Mapping[str, Sequence[tuple[str, float]]], unit: str = "score") -> Figure:
    """Draw the best pages of one or more rankings as bars, in some unit."""
    longest = max((len(ranked) for ranked in rankings.values()), default=1)
    made, panels = make_figure(9.5, len(rankings) * (0.9 + 0.26 * max(longest, 3)), len(rankings))
    for at, (axes, (title, ranked)) in enumerate(zip(panels, rankings.items(), strict=True)):
        axes.set_title(make_printable(title, _LABEL_CHARS))
        if not ranked:
            _show_empty(axes, "no page has a score above 0")
            continue
        scores = [score for _, score in ranked]
        places = np.arange(len(ranked))
        axes.barh(places, scores, color=PALETTE[at % len(PALETTE)], height=0.75)
        axes.set_yticks(places, [shorten_name(name, _LABEL_CHARS) for name, _ in ranked], fontsize=8)
        axes.set(ylim=(len(ranked) - 0.4, -0.6), xlabel=unit)
        axes.grid(True, axis="x")
    return made


@use_house_style
def draw_comparison(columns: Mapping[str, Mapping[str, float | None]]) -> Figure:
    """Draw the shares of the regions of several graphs as stacked bars of equal length."""
    made, (axes,) = make_figure(9.5, 1.6 + 0.6 * len(columns), title="Bow-ties side by side")
    for at, shares in enumerate(columns.values()):
        start = 0.0
        for region, share in _select_regions(shares).items():
            axes.barh(at, share, left=start, color=_choose_colour(region), edgecolor="white", height=0.7)
            if share >= 0.06:
                ink = INK if region in _LIGHT else "white"
                axes.text(
                    start + share / 2, at, f"{share:.0%}", ha="center", va="center", color=ink, fontsize=9
                )
            start += share
    axes.set_yticks(np.arange(len(columns)), [make_printable(name, 40) for name in columns])
    axes.set(xlim=(0, 1), ylim=(len(columns) - 0.5, -0.5))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    named = list(dict.fromkeys(region for shares in columns.values() for region in _select_regions(shares)))
    handles: list[Any] = [axes.barh(-9, 0, color=_choose_colour(region), label=region) for region in named]
    made.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
    return made


def _select_regions(shares: Mapping[str, float | None]) -> dict[str, float]:
    """Return the regions that add up to the whole graph; all tendrils together only if their kinds are unknown."""
    known = {region: share for region, share in shares.items() if share is not None}
    return {
        region: share
        for region, share in known.items()
        if region in Region.__members__ or len(known) < len(Region)
    }


def _choose_colour(region: str) -> str:
    return COLOURS[Region[region]] if region in Region.__members__ else PALETTE[6]


def _widen(axes: Axes) -> None:
    """Extend a panel to its whole row."""
    grid, place = axes.get_gridspec(), axes.get_subplotspec()
    if grid is not None and place is not None:
        axes.set_subplotspec(grid[place.rowspan.start, :])


def _format_share_axis(axes: Axes, smallest: float) -> None:
    axes.set_ylim(min(smallest / 2, 0.05), 1.5)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}" if value >= 0.01 else f"{100 * value:g}%")
    axes.yaxis.set_minor_formatter(lambda *_: "")


def _show_empty(axes: Axes, why: str) -> None:
    axes.text(0.5, 0.5, why, ha="center", va="center", transform=axes.transAxes, color=GREY)
    axes.set_axis_off()
