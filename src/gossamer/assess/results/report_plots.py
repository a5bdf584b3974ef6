"""The plots of a crawl report: depths, relevance, precision and harvest (Schmitz 2001, figures 3.5, 3.6, 3.10)."""

from typing import Any

import numpy as np

from gossamer.assess.results.crawl_report import CrawlReport, OrderPages, OrderPrecision
from gossamer.graph.structure.statistics import RELEVANCE_STEPS
from gossamer.plots.canvas import (
    GREY,
    PALETTE,
    Axes,
    Figure,
    format_log_axis,
    make_figure,
    make_printable,
    use_house_style,
)

# Without yellow: its lines are invisible on white paper.
_COLOURS = PALETTE[:6]
_NAME_CHARS = 30
_EDGES: Any = {"edgecolor": "white", "linewidth": 0.6}


@use_house_style
def draw_report(report: CrawlReport, title: str = "What the crawl brought") -> Figure:
    """Draw the four parts of a report; a part without data says so."""
    made, panels = make_figure(11.0, 7.6, 2, 2, title)
    _draw_depths(panels[0], report)
    _draw_relevance(panels[1], report)
    _draw_precision(panels[2], report)
    _draw_harvest(panels[3], report)
    return made


def _assign_colours(report: CrawlReport) -> dict[str, str]:
    """Return one colour for each order, the same in all parts."""
    return {crawl.name: _COLOURS[at % len(_COLOURS)] for at, crawl in enumerate(report.crawls)}


def _is_rated(crawl: OrderPages) -> bool:
    return any(crawl.histogram)


def _draw_depths(axes: Axes, report: CrawlReport) -> None:
    axes.set(title="Pages by depth", xlabel="links away from a start page", ylabel="pages", yscale="log")
    for crawl in report.crawls:
        colour, name = _assign_colours(report)[crawl.name], _shorten_name(crawl)
        depths = [row.depth for row in crawl.depths]
        axes.plot(depths, [row.pages for row in crawl.depths], "o-", color=colour, label=name, markersize=4)
        relevant = [row.relevant or np.nan for row in crawl.depths]
        if _is_rated(crawl):
            label = f"{name}, relevance ≥ {report.threshold:g}"
            axes.plot(depths, relevant, "s--", color=colour, label=label, markersize=3.5, linewidth=1.2)
    axes.locator_params(axis="x", integer=True)
    most = max(row.pages for crawl in report.crawls for row in crawl.depths)
    axes.set_ylim(0.7, 6 * most)  # room for the names
    format_log_axis(axes.yaxis)
    _finish(axes)


def _draw_relevance(axes: Axes, report: CrawlReport) -> None:
    """Draw the histogram, on a logarithmic scale since nearly all pages are at the ends."""
    rated = [crawl for crawl in report.crawls if _is_rated(crawl)]
    axes.set(title="Relevance", xlabel="relevance by the classifier", ylabel="pages")
    if not rated:
        _draw_message(axes, "no page has a relevance")
        return
    width = 1 / RELEVANCE_STEPS / len(rated)
    for at, crawl in enumerate(rated):
        starts = np.arange(RELEVANCE_STEPS) / RELEVANCE_STEPS + at * width
        colour = _assign_colours(report)[crawl.name]
        axes.bar(
            starts, crawl.histogram, width, align="edge", color=colour, label=_shorten_name(crawl), **_EDGES
        )
    axes.set(yscale="log", xlim=(0, 1))
    axes.set_ylim(0.7, 2 * max(max(crawl.histogram) for crawl in rated))
    format_log_axis(axes.yaxis)
    _finish(axes)


def _draw_precision(axes: Axes, report: CrawlReport) -> None:
    axes.set(title="Precision by depth, as judged", xlabel="links away from a start page")
    if not report.assessed:
        _draw_message(axes, "no page was judged:\ngossamer assess --by depth")
        return
    axes.set(ylabel="precision, with 95 % interval", ylim=(0, 1.02))
    for at, one in enumerate(report.assessed):
        colour = _assign_colours(report).get(one.name, GREY)
        _draw_curve(axes, one, colour, (at - (len(report.assessed) - 1) / 2) * 0.14, report.threshold)
    axes.locator_params(axis="x", integer=True)
    deepest = max(int(row.values[0]) for one in report.assessed for row in one.all)
    axes.set_xlim(-0.5, deepest + 0.5)
    _finish(axes)


def _draw_curve(axes: Axes, assessed: OrderPrecision, colour: str, shift: float, threshold: float) -> None:
    """Draw precision with its intervals; the curves of one depth are side by side."""
    kinds = (("o-", _shorten_name(assessed), assessed.all, 0.0),)
    rated = (("s--", f"{_shorten_name(assessed)}, relevance ≥ {threshold:g}", assessed.relevant, 0.06),)
    for style, name, rows, beside in kinds + (rated if any(row.judged for row in assessed.relevant) else ()):
        known = [row for row in rows if row.precision is not None]
        shares = np.array([row.precision or 0.0 for row in known])
        ends = [
            np.maximum(0, shares - [row.low for row in known]),
            np.maximum(0, [row.high for row in known] - shares),
        ]
        places = np.array([int(row.values[0]) for row in known]) + shift + beside
        axes.errorbar(
            places, shares, ends, fmt=style, color=colour, label=name, capsize=2, markersize=4, linewidth=1.2
        )


def _draw_harvest(axes: Axes, report: CrawlReport) -> None:
    rated = [crawl for crawl in report.crawls if _is_rated(crawl) and crawl.harvest]
    axes.set(title="Harvest", xlabel="pages fetched")
    if not rated:
        _draw_message(axes, "no page has a relevance")
        return
    axes.set(ylabel=f"share with relevance ≥ {report.threshold:g} so far")
    for crawl in rated:
        pages = [point.pages for point in crawl.harvest]
        shares = [point.harvest for point in crawl.harvest]
        axes.plot(
            pages,
            shares,
            color=_assign_colours(report)[crawl.name],
            label=_shorten_name(crawl),
            linewidth=1.6,
        )
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlim(0, None)
    axes.set_ylim(0, 1.15 * max(0.05, *(point.harvest for crawl in rated for point in crawl.harvest)))
    _finish(axes)


def _finish(axes: Axes) -> None:
    axes.grid(True)
    axes.legend(fontsize=8, framealpha=0.8, edgecolor="none")


def _shorten_name(one: OrderPages | OrderPrecision) -> str:
    return make_printable(one.name, _NAME_CHARS)


def _draw_message(axes: Axes, text: str) -> None:
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, color=GREY)
    axes.set_xticks([])
    axes.set_yticks([])
