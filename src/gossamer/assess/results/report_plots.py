"""Reports as pictures: depths, relevance, precision and harvest (seed 002, figures 3.5, 3.6 and 3.10)."""

from typing import Any

import numpy as np

from gossamer.assess.results.crawl_report import Assessed, Crawl, Report
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

# Yellow lines are not seen on white paper.
_COLOURS = PALETTE[:6]
_NAME_CHARS = 30
_EDGES: Any = {"edgecolor": "white", "linewidth": 0.6}


@use_house_style
def report_figure(report: Report, title: str = "What the crawl brought") -> Figure:
    """Draw the four parts of a report; a part of which nothing is known says so."""
    made, panels = make_figure(11.0, 7.6, 2, 2, title)
    _depths(panels[0], report)
    _relevance(panels[1], report)
    _precision(panels[2], report)
    _harvest(panels[3], report)
    return made


def _colours(report: Report) -> dict[str, str]:
    """Give each order one colour in all parts."""
    return {crawl.name: _COLOURS[at % len(_COLOURS)] for at, crawl in enumerate(report.crawls)}


def _is_rated(crawl: Crawl) -> bool:
    return any(crawl.histogram)


def _depths(axes: Axes, report: Report) -> None:
    axes.set(title="Pages by depth", xlabel="links away from a start page", ylabel="pages", yscale="log")
    for crawl in report.crawls:
        colour, name = _colours(report)[crawl.name], _name(crawl)
        depths = [row.depth for row in crawl.depths]
        axes.plot(depths, [row.pages for row in crawl.depths], "o-", color=colour, label=name, markersize=4)
        relevant = [row.relevant or np.nan for row in crawl.depths]
        if _is_rated(crawl):
            said = f"{name}, relevance ≥ {report.threshold:g}"
            axes.plot(depths, relevant, "s--", color=colour, label=said, markersize=3.5, linewidth=1.2)
    axes.locator_params(axis="x", integer=True)
    most = max(row.pages for crawl in report.crawls for row in crawl.depths)
    axes.set_ylim(0.7, 6 * most)  # room for the names
    format_log_axis(axes.yaxis)
    _finish(axes)


def _relevance(axes: Axes, report: Report) -> None:
    """Draw the histogram; nearly all pages lie at the ends, hence the logarithms."""
    rated = [crawl for crawl in report.crawls if _is_rated(crawl)]
    axes.set(title="Relevance", xlabel="what the classifier said", ylabel="pages")
    if not rated:
        _say(axes, "no page has a relevance")
        return
    width = 1 / RELEVANCE_STEPS / len(rated)
    for at, crawl in enumerate(rated):
        starts = np.arange(RELEVANCE_STEPS) / RELEVANCE_STEPS + at * width
        colour = _colours(report)[crawl.name]
        axes.bar(starts, crawl.histogram, width, align="edge", color=colour, label=_name(crawl), **_EDGES)
    axes.set(yscale="log", xlim=(0, 1))
    axes.set_ylim(0.7, 2 * max(max(crawl.histogram) for crawl in rated))
    format_log_axis(axes.yaxis)
    _finish(axes)


def _precision(axes: Axes, report: Report) -> None:
    axes.set(title="Precision by depth, as judges say", xlabel="links away from a start page")
    if not report.assessed:
        _say(axes, "no page was judged:\ngossamer assess --by depth")
        return
    axes.set(ylabel="precision, with 95 % interval", ylim=(0, 1.02))
    for at, one in enumerate(report.assessed):
        colour = _colours(report).get(one.name, GREY)
        _curve(axes, one, colour, (at - (len(report.assessed) - 1) / 2) * 0.14, report.threshold)
    axes.locator_params(axis="x", integer=True)
    deepest = max(int(row.values[0]) for one in report.assessed for row in one.all)
    axes.set_xlim(-0.5, deepest + 0.5)
    _finish(axes)


def _curve(axes: Axes, assessed: Assessed, colour: str, shift: float, threshold: float) -> None:
    """Draw precision with its intervals; what belongs to one depth stands beside each other."""
    kinds = (("o-", _name(assessed), assessed.all, 0.0),)
    rated = (("s--", f"{_name(assessed)}, relevance ≥ {threshold:g}", assessed.relevant, 0.06),)
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


def _harvest(axes: Axes, report: Report) -> None:
    rated = [crawl for crawl in report.crawls if _is_rated(crawl) and crawl.harvest]
    axes.set(title="Harvest", xlabel="pages fetched")
    if not rated:
        _say(axes, "no page has a relevance")
        return
    axes.set(ylabel=f"share with relevance ≥ {report.threshold:g} so far")
    for crawl in rated:
        pages = [point.pages for point in crawl.harvest]
        shares = [point.harvest for point in crawl.harvest]
        axes.plot(pages, shares, color=_colours(report)[crawl.name], label=_name(crawl), linewidth=1.6)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlim(0, None)
    axes.set_ylim(0, 1.15 * max(0.05, *(point.harvest for crawl in rated for point in crawl.harvest)))
    _finish(axes)


def _finish(axes: Axes) -> None:
    axes.grid(True)
    axes.legend(fontsize=8, framealpha=0.8, edgecolor="none")


def _name(one: Crawl | Assessed) -> str:
    return make_printable(one.name, _NAME_CHARS)


def _say(axes: Axes, why: str) -> None:
    axes.text(0.5, 0.5, why, ha="center", va="center", transform=axes.transAxes, color=GREY)
    axes.set_xticks([])
    axes.set_yticks([])
