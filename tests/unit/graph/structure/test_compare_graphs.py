"""Comparisons summarise each graph, and the whole web as published."""

import pytest

from gossamer.graph.graph import from_edges
from gossamer.graph.structure.compare_graphs import REGIONS, WHOLE_WEB, compare


def test_each_summary_describes_its_graph() -> None:
    bow = from_edges([0, 1, 2, 3, 1, 0], [1, 0, 0, 4, 5, 6], 8)
    ring = from_edges([0, 1, 2], [1, 2, 0], 3)
    first, second = compare({"bow": lambda: bow, "ring": lambda: ring})
    assert (first.name, first.nodes, first.links) == ("bow", 8, 6)
    assert list(first.regions) == list(REGIONS)
    assert first.regions["SCC"] == 2
    assert first.share("IN") == 1 / 8
    assert sum(first.regions[name] or 0 for name in REGIONS if name != "TENDRILS") == 8
    assert (second.regions["SCC"], second.share("SCC")) == (3, 1.0)
    assert (second.density, second.reciprocity) == (0.5, 0.0)


def test_the_whole_web_has_the_published_figures() -> None:
    counted = [count for count in WHOLE_WEB.regions.values() if count is not None]
    assert sum(counted) == WHOLE_WEB.nodes
    assert WHOLE_WEB.share("SCC") == pytest.approx(0.2774, abs=5e-5)
    assert WHOLE_WEB.share("TUBES") is None
