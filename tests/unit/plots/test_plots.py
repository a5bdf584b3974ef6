"""Figures are valid SVG and PNG, to scale, deterministic, and safe from hostile titles."""

from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest

from gossamer.graph.edges import LinkCounts, NodeFacts
from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.structure.bowtie import Region
from gossamer.plots.adjacency_matrix import draw_adjacency, sort_by_community
from gossamer.plots.bowtie import COLOURS, draw_bowtie
from gossamer.plots.canvas import Figure, encode_figure, make_figure, make_printable, shorten_name
from gossamer.plots.distributions import draw_comparison, draw_degrees, draw_rankings, draw_stats
from gossamer.plots.groups import MOST_GROUPS, PlotGroup, draw_groups

HOSTILE = "</text><script>alert(1)</script> $\\frac{1}{0}$ \x00\x1b[31m\u202e 漢字 & ]]>"
COUNTS = dict(zip(Region, (300, 220, 230, 20, 90, 80, 60), strict=True))


def graph() -> Graph:
    dice = np.random.default_rng(1)
    return from_edges(dice.integers(0, 200, 3_000), (dice.zipf(2.0, 3_000) - 1) % 200, 200)


def facts() -> NodeFacts:
    depths = np.arange(200, dtype=np.int32) % 4 - 1
    return NodeFacts(depths, np.linspace(0, 1, 200), LinkCounts(0, 0, 0, {}))


def group(number: int) -> PlotGroup:
    members = np.arange(number, number + 5, dtype=np.int32)
    return PlotGroup(f"{HOSTILE}{number}", "5 pages", members, members + 5 if number % 2 else None)


FIGURES: dict[str, Callable[[], Figure]] = {
    "bowtie": lambda: draw_bowtie(COUNTS, HOSTILE),
    "bowtie of nothing": lambda: draw_bowtie(dict.fromkeys(Region, 0)),
    "stats": lambda: draw_stats(graph(), facts()),
    "stats without links": lambda: draw_stats(from_edges([], [], 3), None),
    "ranking": lambda: draw_rankings({"Hubs": [(HOSTILE, 0.5)], HOSTILE: []}),
    "comparison": lambda: draw_comparison({HOSTILE: {"SCC": 0.5, "TENDRILS": 0.5, "TUBES": None}}),
    "groups": lambda: draw_groups(graph(), [group(number) for number in range(MOST_GROUPS + 1)], HOSTILE),
    "no groups": lambda: draw_groups(graph(), [], "Clusters"),
    "adjacency": lambda: draw_adjacency(graph(), np.arange(200) % 3, {0: HOSTILE}),
    "adjacency without links": lambda: draw_adjacency(from_edges([], [], 3), np.zeros(3, np.int64), {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_valid_and_safe(name: str) -> None:
    svg = encode_figure(FIGURES[name](), "svg")
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}  # noqa: S314 - our own
    assert "script" not in tags
    assert b"\x1b" not in svg
    assert svg == encode_figure(FIGURES[name](), "svg")
    assert encode_figure(FIGURES[name](), "png").startswith(b"\x89PNG")


def test_the_bow_tie_is_to_scale() -> None:
    (axes,) = draw_bowtie(COUNTS).axes
    areas = {}
    for patch in axes.patches:
        corners = np.asarray(patch.get_path().vertices)[:-1]
        x, y = corners.T
        areas[patch.get_facecolor()] = abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2
    assert len(areas) == len(COLOURS)
    sizes = sorted(areas.values())
    assert sizes == pytest.approx(sorted(number / 1000 for number in COUNTS.values()), rel=0.01)
    said = {text.get_text() for text in axes.texts}
    assert {"SCC", "300 · 30.0%", "OUTTENDRILS", "80 · 8.0%"} <= said


def test_degrees_are_drawn_with_their_exponent() -> None:
    _, (axes,) = make_figure(4, 4)
    law = draw_degrees(axes, np.random.default_rng(2).zipf(2.5, 5_000), "in")
    assert law is not None
    legend = axes.get_legend()
    assert legend is not None
    assert f"exponent {law.exponent:.2f}" in legend.get_texts()[0].get_text()


def test_large_communities_come_first() -> None:
    order, ends = sort_by_community(np.array([7, 3, 3, 9, 3, 9]))
    assert order.tolist() == [1, 2, 4, 3, 5, 0]
    assert ends == [3, 5, 6]


def test_texts_are_cut_to_one_printable_line() -> None:
    assert make_printable("a\x00b\n\u202ec", 10) == "a b c"
    assert make_printable("abcdef", 4) == "abc…"
    assert shorten_name("http://a.example/long/path/index.html", 17) == "a.exampl…dex.html"
    assert len(shorten_name("x" * 99, 20)) == 20
