"""Bipartite cores equal those of the slow twin, have the promised density, and include planted ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.graph.groups.dense_graphs import core_rules
from tests.unit.graph.groups.twin_dense import Core, threshold, twin_cores
from tests.unit.graph.random_graphs import MANY, Links, graphs, make_graph

from gossamer.errors import BadInput
from gossamer.graph.groups.bipartite_cores import Cores, cores
from gossamer.graph.groups.density import CORE_PRESETS, CoreRules, Thresholds


def to_sets(found: Cores) -> list[Core]:
    return [(frozenset(fans.tolist()), frozenset(centres.tolist())) for fans, centres in found]


def between(fans: range, centres: range) -> Links:
    return {(fan, centre) for fan in fans for centre in centres}


def density(core: Core, links: Links) -> float:
    return sum(a in core[0] and b in core[1] for a, b in links) / (len(core[0]) * len(core[1]))


@pytest.mark.slow
@given(graphs(10), core_rules, st.sampled_from([3, 6, None]))
@settings(max_examples=MANY)
def test_cores_equal_those_of_the_slow_twin_without_repeats(
    graph: tuple[int, Links], rules: CoreRules, famous: int | None
) -> None:
    found = to_sets(cores(make_graph(*graph), rules, famous=famous))
    assert len(found) == len(set(found))
    assert set(found) == twin_cores(graph[1], rules, famous)


@pytest.mark.slow
@given(graphs(8), core_rules)
@settings(max_examples=MANY // 2)
def test_the_variant_seed_equals_the_slow_twin(graph: tuple[int, Links], rules: CoreRules) -> None:
    found = to_sets(cores(make_graph(*graph), rules, famous=None, variant="seed"))
    assert len(found) == len(set(found))
    assert set(found) == twin_cores(graph[1], rules, variant="seed")


@given(graphs(), core_rules)
def test_cores_have_at_least_the_threshold_density(graph: tuple[int, Links], rules: CoreRules) -> None:
    found = cores(make_graph(*graph), rules)
    for core, links, share in zip(to_sets(found), found.links, found.densities, strict=True):
        assert share == pytest.approx(density(core, graph[1]))
        assert links == sum(a in core[0] and b in core[1] for a, b in graph[1])
        assert share >= threshold(rules.thresholds, (len(core[0]) + len(core[1])) / 2) - 1e-12
        assert share >= rules.thresholds.t_min - 1e-12
        assert len(core[0]) >= rules.fans
        assert len(core[1]) >= rules.centres


@given(graphs(), core_rules, st.floats(0.1, 1))
def test_merged_cores_stay_dense_and_nothing_is_lost(
    graph: tuple[int, Links], rules: CoreRules, similar: float
) -> None:
    whole = make_graph(*graph)
    single, found = to_sets(cores(whole, rules)), to_sets(cores(whole, rules, similar))
    assert all(any(one[0] <= both[0] and one[1] <= both[1] for both in found) for one in single)
    assert all(density(both, graph[1]) >= rules.thresholds.t_min - 1e-12 for both in found)
    assert len(found) <= len(single)


def test_planted_cores_are_found_among_other_links() -> None:
    dice = np.random.default_rng(2)
    noise = {(int(a), int(b)) for a, b in dice.integers(0, 3000, (20_000, 2)) if a != b}
    planted = [(range(start, start + 4), range(start + 10, start + 13)) for start in range(0, 800, 40)]
    links = noise.union(*(between(*core) for core in planted))
    found = to_sets(cores(make_graph(3000, links), CORE_PRESETS["3-3-1-1"]))
    for fans, centres in planted:
        assert any(set(fans) <= core[0] and set(centres) <= core[1] for core in found)


def test_a_fan_with_one_shared_centre_does_not_exclude_fans_that_share_more() -> None:
    links = between(range(1, 5), range(10, 13)) | {
        (0, 10),
        (0, 20),
        (0, 21),
        (9, 20),
        (9, 21),
        (8, 20),
        (8, 21),
    }
    found = to_sets(cores(make_graph(30, links), CORE_PRESETS["3-3-1-1"]))
    assert found == [(frozenset(range(1, 5)), frozenset(range(10, 13)))]


def test_a_page_may_be_fan_and_centre() -> None:
    links = {(a, b) for a in range(6) for b in range(6) if a != b}
    found = cores(make_graph(6, links), CoreRules(3, 3, Thresholds(0.5, 0.8)))
    assert any(set(fans.tolist()) & set(centres.tolist()) for fans, centres in found)


def test_famous_pages_are_excluded_as_centres_and_counted() -> None:
    links = between(range(10), range(10, 13))
    rules = CORE_PRESETS["3-3-1-1"]
    assert len(cores(make_graph(13, links), rules)) == 1
    found = cores(make_graph(13, links), rules, famous=9)
    assert len(found) == 0
    assert found.famous == 3


def test_cores_with_more_links_come_first() -> None:
    links = between(range(3), range(3, 6)) | between(range(6, 10), range(10, 14))
    found = cores(make_graph(14, links), CORE_PRESETS["3-3-1-1"])
    assert found.links.tolist() == [16, 9]
    assert found.densities.tolist() == [1, 1]


def test_a_graph_without_links_has_no_cores_and_a_core_needs_members() -> None:
    assert len(cores(make_graph(4, set()), CORE_PRESETS["3-3-1-1"])) == 0
    with pytest.raises(BadInput, match="at least one fan and one centre"):
        CoreRules(0, 3, Thresholds(1, 1))


def test_presets_are_those_of_table_3_12() -> None:
    rows = {(r.fans, r.centres, r.thresholds.t_min, r.thresholds.t_max) for r in CORE_PRESETS.values()}
    assert rows == {(3, 3, 1, 1), (6, 6, 0.2, 0.5), (6, 6, 0.5, 0.8), (8, 8, 0.3, 0.6), (8, 8, 0.7, 1)}
    assert {rules.thresholds.decay for rules in CORE_PRESETS.values()} == {0.9}
