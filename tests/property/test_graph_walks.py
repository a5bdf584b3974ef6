"""Properties of components and bow-ties of all graphs."""

import numpy as np
from hypothesis import given, settings
from tests.unit.graph.random_graphs import Links, graphs, make_graph

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
"""Pairs of regions between which links would contradict the definition of the regions."""


@settings(max_examples=150)
@given(graphs())
def test_reversing_all_links_reverses_the_bowtie(case: tuple[int, Links]) -> None:
    graph = make_graph(*case)
    there, back = bowtie(graph), bowtie(graph.reversed())
    reverse = [MIRRORED.get(Region(region), Region(region)) for region in there.regions.tolist()]
    assert back.regions.tolist() == reverse


@settings(max_examples=150)
@given(graphs())
def test_no_link_contradicts_the_regions(case: tuple[int, Links]) -> None:
    nodes, links = case
    regions = [Region(region) for region in bowtie(make_graph(nodes, links)).regions.tolist()]
    assert not {(regions[source], regions[target]) for source, target in links} & FORBIDDEN


@settings(max_examples=150)
@given(graphs())
def test_the_graph_of_components_has_no_cycles(case: tuple[int, Links]) -> None:
    nodes, links = case
    labels = strong_components(make_graph(nodes, links)).labels
    between = {(int(labels[a]), int(labels[b])) for a, b in links if labels[a] != labels[b]}
    outer = strong_components(make_graph(int(labels.max()) + 1, between))
    assert (outer.sizes == 1).all()


@settings(max_examples=150)
@given(graphs())
def test_weak_components_are_unions_of_strong_ones(case: tuple[int, Links]) -> None:
    graph = make_graph(*case)
    strong, weak = strong_components(graph).labels, weak_components(graph).labels
    for component in range(int(strong.max()) + 1):
        assert len(np.unique(weak[strong == component])) == 1
    assert all(weak[source] == weak[target] for source, target in case[1])
