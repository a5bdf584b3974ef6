"""Communities are found, and are described by their typical words."""

from collections import Counter

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.graph.random_graphs import Links, graphs, make_graph

from gossamer.errors import BadInput
from gossamer.graph.groups.communities import Method, communities


def rings(count: int, size: int) -> Links:
    """Complete groups, each with one link to the next."""
    groups = [range(start, start + size) for start in range(0, count * size, size)]
    inside = {(a, b) for group in groups for a in group for b in group if a != b}
    return inside | {(group[0], (group[0] + size) % (count * size)) for group in groups}


@pytest.mark.parametrize("method", ["leiden", "labels"])
def test_planted_communities_are_found(method: Method) -> None:
    found = communities(make_graph(40, rings(5, 8)), method)
    assert found.sizes.tolist() == [8] * 5
    assert found.labels.tolist() == [node // 8 for node in range(40)]
    assert found.modularity > 0.7


@given(graphs())
def test_every_node_is_in_one_community_and_large_ones_come_first(graph: tuple[int, Links]) -> None:
    found = communities(make_graph(*graph), seed=3)
    assert np.bincount(found.labels).tolist() == found.sizes.tolist()
    assert (np.diff(found.sizes) <= 0).all()
    assert found.labels.tolist() == communities(make_graph(*graph), seed=3).labels.tolist()


@given(graphs(), st.integers(0, 9))
def test_no_neighbouring_label_has_more_links_than_a_nodes_own(graph: tuple[int, Links], seed: int) -> None:
    nodes, links = graph
    labels = communities(make_graph(nodes, links), "labels", seed=seed).labels.tolist()
    for node in range(nodes):
        neighbours = [b for a, b in links if a == node] + [a for a, b in links if b == node]
        met = Counter(labels[neighbour] for neighbour in neighbours)
        assert met[labels[node]] == max(met.values(), default=0)
    assert labels == communities(make_graph(nodes, links), "labels", seed=seed).labels.tolist()


@given(graphs())
def test_labels_stay_in_their_component(graph: tuple[int, Links]) -> None:
    nodes, links = graph
    whole = networkx.Graph(links)
    whole.add_nodes_from(range(nodes))
    labels = communities(make_graph(nodes, links), "labels").labels
    parts = [set(labels[list(part)].tolist()) for part in networkx.connected_components(whole)]
    assert sum(map(len, parts)) == len(set().union(*parts))


@given(graphs())
def test_modularity_is_that_of_networkx(graph: tuple[int, Links]) -> None:
    nodes, links = graph
    found = communities(make_graph(nodes, links), "labels")
    whole = networkx.MultiGraph(list(links))
    whole.add_nodes_from(range(nodes))
    sets = [set(np.flatnonzero(found.labels == number).tolist()) for number in range(len(found.sizes))]
    expected = networkx.community.modularity(whole, sets) if links else 0.0
    assert found.modularity == pytest.approx(expected)


def test_more_rounds_of_leiden_find_no_worse_division() -> None:
    nodes, chosen = 300, np.random.default_rng(5).integers(0, 300, (900, 2)).tolist()
    graph = make_graph(nodes, {(a, b) for a, b in chosen if a != b})
    once, twice, stable = (communities(graph, rounds=rounds).modularity for rounds in (1, 2, 0))
    assert once < twice <= stable
    assert communities(graph).modularity == twice


def test_the_default_method_depends_on_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = make_graph(16, rings(2, 8))
    assert communities(graph).method == "leiden"
    monkeypatch.setattr("gossamer.graph.groups.communities.MOST_FOR_LEIDEN", graph.links - 1)
    assert communities(graph).method == "labels"
    assert communities(graph, "leiden").method == "leiden"


def test_a_resolution_of_zero_is_refused_and_an_empty_graph_has_no_communities() -> None:
    with pytest.raises(BadInput, match="resolution"):
        communities(make_graph(3, {(0, 1)}), resolution=0)
    assert len(communities(make_graph(0, set())).sizes) == 0
