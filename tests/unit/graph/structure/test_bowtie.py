"""The bow-tie: equal to the eight steps followed one by one, and to the lab's truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from tests.unit.graph.random_graphs import Links, graphs, made, many
from tests.unit.graph.structure import twin_walks

from gossamer.graph.graph import from_edges
from gossamer.graph.structure.bowtie import Bowtie, Region, bowtie
from gossamer.lab.options import BowTie as Shares
from gossamer.lab.options import Shape
from gossamer.lab.world.world import World


def as_sets(found: Bowtie) -> dict[str, set[int]]:
    """The regions by name; the counts are checked on the way."""
    sets = {region.name: set(np.flatnonzero(found.regions == region).tolist()) for region in Region}
    assert {name: len(nodes) for name, nodes in sets.items()} == {
        region.name: count for region, count in found.counts.items()
    }
    return sets


def test_every_region_of_a_small_bowtie() -> None:
    core = {(0, 1), (1, 2), (2, 0)}
    ways = {(3, 0), (2, 4), (3, 5), (5, 6), (6, 4), (3, 7), (8, 4), (9, 7)}
    found = bowtie(made(11, core | ways))
    assert as_sets(found) == {
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
@settings(max_examples=2_000)
def test_bowties_equal_the_eight_steps(drawn: tuple[int, Links]) -> None:
    assert as_sets(bowtie(made(*drawn))) == twin_walks.bowtie(*drawn)


def test_bowties_of_sparse_graphs_equal_the_eight_steps() -> None:
    for nodes, links in many(500, seed=10):
        assert as_sets(bowtie(made(nodes, links))) == twin_walks.bowtie(nodes, links), (nodes, links)


def test_a_graph_of_nothing_has_empty_regions() -> None:
    found = bowtie(made(0, set()))
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
def test_every_page_of_the_lab_is_in_its_region(shares: Shares) -> None:
    truth = World(hosts=15, pages=1_000, shape=Shape(bowtie=shares)).graph()
    graph = from_edges(np.array(truth.sources), np.array(truth.targets), len(truth.urls))
    found = [LAB_REGION[Region(region)] for region in bowtie(graph).regions.tolist()]
    assert found == list(truth.regions)
