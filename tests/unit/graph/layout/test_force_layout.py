"""The force layout: the same seed gives the same places, linked nodes are near each other, and a grown graph stays."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, from_edges
from gossamer.graph.layout.force_layout import grow_layout, lay_out


def _make_cliques(count: int, size: int) -> Graph:
    """Return cliques that are linked in a ring."""
    ends = [
        (clique * size + one, clique * size + other)
        for clique in range(count)
        for one in range(size)
        for other in range(size)
        if one != other
    ]
    ends += [(clique * size, (clique + 1) % count * size) for clique in range(count)]
    return from_edges([one for one, _ in ends], [other for _, other in ends], count * size)


def _measure_links(graph: Graph, places: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths: NDArray[np.float64] = np.hypot(*(places[graph.link_sources()] - places[graph.targets]).T)
    return lengths


def _nearest(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of each node to the nearest other."""
    away = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    np.fill_diagonal(away, np.inf)
    nearest: NDArray[np.float64] = away.min(axis=1)
    return nearest


def test_the_same_seed_gives_the_same_places_and_another_seed_others() -> None:
    graph = _make_cliques(12, 6)
    assert np.array_equal(lay_out(graph, 7), lay_out(graph, 7))
    assert not np.allclose(lay_out(graph, 7), lay_out(graph, 8))


def test_members_of_a_clique_are_closer_to_each_other_than_to_the_other_cliques() -> None:
    graph = _make_cliques(12, 6)
    places = lay_out(graph, 1)
    middles = places.reshape(12, 6, 2).mean(axis=1)
    inside = np.hypot(*(places.reshape(12, 6, 2) - middles[:, None]).transpose(2, 0, 1)).mean()
    assert inside < 0.4 * np.median(_nearest(middles))


def test_no_two_nodes_share_a_place() -> None:
    star = from_edges(np.zeros(300, np.int64), np.arange(1, 301), 301)
    for graph in (star, _make_cliques(5, 8), from_edges([], [], 40)):
        places = lay_out(graph, 3)
        spread = np.ptp(places, axis=0).max()
        assert _nearest(places).min() > 1e-4 * spread


def test_an_empty_graph_and_a_single_node_have_places_too() -> None:
    assert lay_out(from_edges([], [], 0)).shape == (0, 2)
    assert lay_out(from_edges([], [], 1)).tolist() == [[0.0, 0.0]]
    pair = lay_out(from_edges([0], [1], 2))
    assert np.isfinite(pair).all()
    assert np.hypot(*(pair[0] - pair[1])) > 0


def test_parts_without_links_between_them_are_apart_and_not_lost() -> None:
    graph = from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], 9)  # two triangles, three single nodes
    places = lay_out(graph, 2)
    assert np.isfinite(places).all()
    between = np.hypot(*(places[:3].mean(axis=0) - places[3:6].mean(axis=0)))
    assert between > 1.5 * _measure_links(graph, places).mean()
    outside = np.hypot(*(places[6:] - places[:6].mean(axis=0)).T)
    assert outside.min() > np.hypot(*(places[:6] - places[:6].mean(axis=0)).T).max()


@pytest.mark.parametrize("size", [3, 40])
def test_a_chain_is_laid_out_in_its_order(size: int) -> None:
    places = lay_out(from_edges(np.arange(size - 1), np.arange(1, size), size), 1)
    ends = np.hypot(*(places[0] - places[-1]))
    assert ends > 3 * np.hypot(*np.diff(places, axis=0).T).mean() or size == 3
    assert np.isfinite(places).all()


def test_known_nodes_stay_and_new_ones_come_near_their_neighbours() -> None:
    before = _make_cliques(12, 6)
    places = lay_out(before, 1)
    sources = np.concatenate([before.link_sources(), [72, 73, 74]])
    targets = np.concatenate([before.targets, [30, 72, 75]])
    grown = from_edges(sources, targets, 76)  # 72 at node 30, 73 at 72, and a pair of its own
    known = np.arange(76) < 72
    found = grow_layout(grown, np.concatenate([places, np.zeros((4, 2))]), known, 1)
    assert np.array_equal(found[:72], places)
    away = np.hypot(*(places - found[72]).T)
    assert int(away.argmin()) // 6 == 30 // 6
    assert np.isfinite(found).all()
    assert _nearest(found).min() > 0


def test_progress_rises_from_none_to_nearly_all() -> None:
    seen: list[float] = []
    lay_out(_make_cliques(12, 6), 1, seen.append)
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert 0.8 < seen[-1] <= 1


def test_many_nodes_without_links_do_not_make_the_others_small() -> None:
    linked = _make_cliques(30, 5)
    graph = from_edges(linked.link_sources(), linked.targets, linked.nodes + 5_000)
    places = lay_out(graph, 1)
    middle = np.median(places[: linked.nodes], axis=0)
    away = np.hypot(*(places - middle).T)
    assert away[: linked.nodes].max() > 0.6 * away.max()
    assert away[linked.nodes :].min() > away[: linked.nodes].max()
    assert _nearest(places).min() > 0
