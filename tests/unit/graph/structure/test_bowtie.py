"""The bow-tie equals the eight steps done one by one, and the regions planned by the lab."""

import numpy as np
import pytest
from hypothesis import given, settings
from tests.unit.graph.random_graphs import MANY, Links, draw_graphs, graphs, make_graph
from tests.unit.graph.structure import twin_walks

from gossamer.graph.graph import from_edges
from gossamer.graph.structure.bowtie import Bowtie, Region, bowtie
from gossamer.lab.options import BowTie as Shares
from gossamer.lab.options import Shape
from gossamer.lab.world.world import World


def to_sets(found: Bowtie) -> dict[str, set[int]]:
    """Return the regions by name, and check their counts."""
    sets = {region.name: set(np.flatnonzero(found.regions == region).tolist()) for region in Region}
    assert {name: len(nodes) for name, nodes in sets.items()} == {
        region.name: count for region, count in found.counts.items()
    }
    return sets


def test_every_region_of_a_small_bowtie() -> None:
    core = {(0, 1), (1, 2), (2, 0)}
    ways = {(3, 0), (2, 4), (3, 5), (5, 6), (6, 4), (3, 7), (8, 4), (9, 7)}
    found = bowtie(make_graph(11, core | ways))
    assert to_sets(found) == {
        "SCC": {0, 1, 2},
        "IN": {3},
        "OUT": {4},
        "TUBES": {5, 6},
        "INTENDRILS": {7},
        "OUTTENDRILS": {8},
        "DISC": {9, 10},
    }
    assert found.tendrils == 4


@pytest.mark.slow
@given(graphs())
@settings(max_examples=MANY)
def test_bowties_equal_the_eight_steps(case: tuple[int, Links]) -> None:
    assert to_sets(bowtie(make_graph(*case))) == twin_walks.bowtie(*case)


def test_bowties_of_sparse_graphs_equal_the_eight_steps() -> None:
    for nodes, links in draw_graphs(500, seed=10):
        assert to_sets(bowtie(make_graph(nodes, links))) == twin_walks.bowtie(nodes, links), (nodes, links)


def test_an_empty_graph_has_empty_regions() -> None:
    found = bowtie(make_graph(0, set()))
    assert found.regions.size == 0
    assert not any(found.counts.values())


LAB_REGION = {
    Region.SCC: "core",
    Region.IN: "in",
    Region.OUT: "out",
    Region.TUBES: "tubes",
    Region.INTENDRILS: "tendrils",
    Region.OUTTENDRILS: "tendrils",
    Region.DISC: "disconnected",
}


@pytest.mark.parametrize(
    "shares",
    [Shares(), Shares(core=0.05, in_=0.4, out=0.4, tendrils=0.05, tubes=0.05, disconnected=0.05)],
)
def test_pages_of_the_lab_are_in_their_planned_regions(shares: Shares) -> None:
    truth = World(hosts=15, pages=1_000, shape=Shape(bowtie=shares)).graph()
    graph = from_edges(np.array(truth.sources), np.array(truth.targets), len(truth.urls))
    found = [LAB_REGION[Region(region)] for region in bowtie(graph).regions.tolist()]
    assert found == list(truth.regions)
