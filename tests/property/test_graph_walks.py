"""What holds of components and bow-ties of every graph."""

import numpy as np
from hypothesis import given, settings
from tests.unit.graph.random_graphs import Links, graphs, made

from gossamer.graph.structure.bowtie import Region, bowtie
from gossamer.graph.structure.components import strong_components, weak_components

MIRRORED = {
    Region.IN: Region.OUT,
    Region.OUT: Region.IN,
    Region.INTENDRILS: Region.OUTTENDRILS,
    Region.OUTTENDRILS: Region.INTENDRILS,
}
FORBIDDEN = {
    (Region.SCC, Region.IN),
    (Region.OUT, Region.SCC),
    (Region.OUT, Region.IN),
    (Region.IN, Region.DISC),
    (Region.DISC, Region.OUT),
    (Region.INTENDRILS, Region.OUT),
    (Region.IN, Region.OUTTENDRILS),
    (Region.TUBES, Region.SCC),
    (Region.SCC, Region.TUBES),
}
"""Links from one region to another that would contradict what the regions are."""


@settings(max_examples=150)
@given(graphs())
def test_turning_all_links_round_turns_the_bowtie_round(drawn: tuple[int, Links]) -> None:
    graph = made(*drawn)
    there, back = bowtie(graph), bowtie(graph.reversed())
    turned = [MIRRORED.get(Region(region), Region(region)) for region in there.regions.tolist()]
    assert back.regions.tolist() == turned


@settings(max_examples=150)
@given(graphs())
def test_no_link_contradicts_the_regions(drawn: tuple[int, Links]) -> None:
    nodes, links = drawn
    regions = [Region(region) for region in bowtie(made(nodes, links)).regions.tolist()]
    assert not {(regions[source], regions[target]) for source, target in links} & FORBIDDEN


@settings(max_examples=150)
@given(graphs())
def test_components_of_components_have_no_circles(drawn: tuple[int, Links]) -> None:
    nodes, links = drawn
    labels = strong_components(made(nodes, links)).labels
    between = {(int(labels[a]), int(labels[b])) for a, b in links if labels[a] != labels[b]}
    outer = strong_components(made(int(labels.max()) + 1, between))
    assert (outer.sizes == 1).all()


@settings(max_examples=150)
@given(graphs())
def test_weak_components_are_unions_of_strong_ones(drawn: tuple[int, Links]) -> None:
    graph = made(*drawn)
    strong, weak = strong_components(graph).labels, weak_components(graph).labels
    for component in range(int(strong.max()) + 1):
        assert len(np.unique(weak[strong == component])) == 1
    assert all(weak[source] == weak[target] for source, target in drawn[1])
