"""Clusters and cliques equal those of the slow twin, have the promised density, and include planted ones."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.graph.groups.dense_graphs import cluster_rules
from tests.unit.graph.groups.twin_dense import density, grow_from, threshold, twin_cliques, twin_clusters
from tests.unit.graph.random_graphs import MANY, Links, graphs, make_graph

from gossamer.errors import BadInput
from gossamer.graph.groups.cliques import cliques
from gossamer.graph.groups.clusters import Clusters, clusters
from gossamer.graph.groups.density import CLUSTER_PRESETS, ClusterRules, Thresholds


def to_sets(found: Clusters) -> list[frozenset[int]]:
    return [frozenset(members.tolist()) for members in found]


def complete(members: range) -> Links:
    return {(a, b) for a in members for b in members if a != b}


@pytest.mark.slow
@given(graphs(10), cluster_rules)
@settings(max_examples=MANY)
def test_clusters_equal_those_of_the_slow_twin_without_repeats(
    graph: tuple[int, Links], rules: ClusterRules
) -> None:
    found = to_sets(clusters(make_graph(*graph), rules))
    assert len(found) == len(set(found))
    assert set(found) == twin_clusters(*graph, rules)


@pytest.mark.slow
@given(graphs(), st.integers(2, 5))
@settings(max_examples=MANY)
def test_cliques_equal_those_of_the_slow_twin_without_repeats(graph: tuple[int, Links], size: int) -> None:
    found = to_sets(cliques(make_graph(*graph), size))
    assert len(found) == len(set(found))
    assert set(found) == twin_cliques(*graph, size)


@given(graphs(), cluster_rules)
def test_clusters_have_at_least_the_threshold_density(graph: tuple[int, Links], rules: ClusterRules) -> None:
    found = clusters(make_graph(*graph), rules)
    for members, links, share in zip(to_sets(found), found.links, found.densities, strict=True):
        assert share == pytest.approx(density(members, graph[1]))
        assert links == sum(a in members and b in members for a, b in graph[1])
        assert share >= threshold(rules.thresholds, len(members)) - 1e-12
        assert share >= rules.thresholds.t_min - 1e-12
        assert len(members) >= rules.size


@given(graphs(), cluster_rules)
def test_every_round_of_growth_keeps_the_density(graph: tuple[int, Links], rules: ClusterRules) -> None:
    nodes, links = graph
    for node in range(nodes):
        grown = grow_from(node, links, rules.thresholds)
        assert density(grown, links) >= rules.thresholds.t_min - 1e-12


@given(graphs(), cluster_rules)
def test_reversing_all_links_gives_the_same_clusters(graph: tuple[int, Links], rules: ClusterRules) -> None:
    forward = make_graph(*graph)
    assert to_sets(clusters(forward, rules)) == to_sets(clusters(forward.reversed(), rules))


@given(graphs(), st.integers(2, 5))
def test_cliques_are_complete_and_cannot_be_enlarged(graph: tuple[int, Links], size: int) -> None:
    nodes, links = graph
    mutual = {(a, b) for a, b in links if (b, a) in links}
    for members in to_sets(cliques(make_graph(nodes, links), size)):
        assert len(members) >= size
        assert all(pair in mutual for pair in combinations(sorted(members), 2))
        outside = set(range(nodes)) - members
        assert not any(all((v, m) in mutual for m in members) for v in outside)


@given(graphs(), cluster_rules, st.floats(0.1, 1))
def test_merged_clusters_stay_dense_and_nothing_is_lost(
    graph: tuple[int, Links], rules: ClusterRules, similar: float
) -> None:
    whole = make_graph(*graph)
    t_min = rules.thresholds.t_min
    single, found = to_sets(clusters(whole, rules)), to_sets(clusters(whole, rules, similar))
    assert all(any(one <= union for union in found) for one in single)
    assert all(density(union, graph[1]) >= t_min - 1e-12 for union in found)
    for one, other in combinations(found, 2):
        alike = len(one & other) / min(len(one), len(other)) >= similar
        assert not (alike and density(one | other, graph[1]) >= t_min + 1e-12)


def test_similar_clusters_are_merged_only_if_their_union_is_dense() -> None:
    """Two sets of four that share three, like those of figure 3.23: 18 of 20 links, without 3 to 4 and back."""
    whole = make_graph(5, complete(range(5)) - {(3, 4), (4, 3)})
    strict, loose = (ClusterRules(4, Thresholds(t, 1, decay=1)) for t in (0.95, 0.9))
    apart = [frozenset({0, 1, 2, 3}), frozenset({0, 1, 2, 4})]
    assert to_sets(clusters(whole, strict)) == to_sets(clusters(whole, strict, similar=0.75)) == apart
    assert to_sets(clusters(whole, loose)) == to_sets(clusters(whole, loose, similar=0.8)) == apart
    assert to_sets(clusters(whole, loose, similar=0.75)) == [frozenset(range(5))]


def test_an_isolated_triangle_is_a_clique_of_three() -> None:
    links = complete(range(3)) | {(3, 0), (2, 4)}
    assert to_sets(cliques(make_graph(5, links), 3)) == [frozenset(range(3))]


def test_clusters_are_sorted_by_size_then_density() -> None:
    links = complete(range(4)) | complete(range(4, 10)) | (complete(range(10, 16)) - {(10, 11)})
    found = clusters(make_graph(16, links), ClusterRules(4, Thresholds(0.7, 1)))
    assert [sorted(members) for members in to_sets(found)] == [
        list(range(4, 10)),
        list(range(10, 16)),
        list(range(4)),
    ]
    assert found.sizes.tolist() == [6, 6, 4]
    assert found.densities.tolist() == pytest.approx([1, 29 / 30, 1])


def test_planted_clusters_are_found_in_a_sparse_random_graph() -> None:
    dice = np.random.default_rng(1)
    noise = {(int(a), int(b)) for a, b in dice.integers(0, 3000, (15_000, 2)) if a != b}
    planted = [range(start, start + 8) for start in range(0, 400, 40)]
    links = noise.union(*(complete(members) for members in planted))
    found = to_sets(clusters(make_graph(3000, links), CLUSTER_PRESETS["6-0.5-0.8"]))
    assert all(any(set(members) <= cluster for cluster in found) for members in planted)
    assert set(to_sets(cliques(make_graph(3000, links), 6))) == {frozenset(members) for members in planted}


def test_progress_is_reported_and_a_graph_without_links_has_no_clusters() -> None:
    told: list[float] = []
    found = clusters(make_graph(3, complete(range(3))), CLUSTER_PRESETS["3-1-1"], progress=told.append)
    assert len(found) == 1
    assert told == [0.0]
    assert len(clusters(make_graph(5, set()), CLUSTER_PRESETS["3-1-1"])) == 0


@pytest.mark.parametrize(
    ("t_min", "t_max", "decay"),
    [(0.8, 0.5, 0.9), (-0.1, 1, 0.9), (0.5, 1.1, 0.9), (0.1, 1, 2), (0, 1, 0.9), (np.nan, 1, 0.9)],
)
def test_invalid_thresholds_are_refused(t_min: float, t_max: float, decay: float) -> None:
    with pytest.raises(BadInput):
        Thresholds(t_min, t_max, decay)


@pytest.mark.parametrize("similar", [0, -1, 1.5, float("nan")])
def test_an_invalid_similarity_is_refused(similar: float) -> None:
    with pytest.raises(BadInput, match="similar"):
        clusters(make_graph(3, complete(range(3))), CLUSTER_PRESETS["3-1-1"], similar)


def test_a_cluster_size_of_one_is_refused() -> None:
    with pytest.raises(BadInput, match="two members"):
        ClusterRules(1, Thresholds(1, 1))


def test_presets_are_those_of_table_3_12() -> None:
    rows = {(r.size, r.thresholds.t_min, r.thresholds.t_max) for r in CLUSTER_PRESETS.values()}
    assert rows == {(3, 1, 1), (4, 0.7, 1), (6, 0.2, 0.5), (6, 0.5, 0.8), (8, 0.3, 0.6)}
    assert {rules.thresholds.decay for rules in CLUSTER_PRESETS.values()} == {0.9}
