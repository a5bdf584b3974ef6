"""Properties of PageRank and HITS of all graphs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.graph.random_graphs import Links, graphs, make_graph
from tests.unit.graph.ranking import twin_weights

from gossamer.graph.ranking.hits import hits
from gossamer.graph.ranking.pagerank import pagerank


@st.composite
def preferred(draw: st.DrawFn) -> tuple[int, Links, list[float]]:
    """Draw a graph and a preference for some of its pages."""
    nodes, links = draw(graphs(8))
    weights = draw(
        st.lists(st.floats(0, 1), min_size=nodes, max_size=nodes).filter(lambda all_: max(all_) > 1e-3)
    )
    return nodes, links, weights


@settings(max_examples=150)
@given(preferred(), st.floats(0, 0.97))
def test_pagerank_is_the_fixpoint_of_its_definition(
    case: tuple[int, Links, list[float]], damping: float
) -> None:
    nodes, links, weights = case
    found = pagerank(make_graph(nodes, links), weights, damping, epsilon=1e-12)
    assert found.converged
    assert found.scores.sum() == pytest.approx(1)
    assert (found.scores >= 0).all()
    again = twin_weights.pagerank(nodes, links, weights, damping)
    assert np.abs(found.scores - again).sum() <= 1e-12 / (1 - damping) + 1e-11


@settings(max_examples=150)
@given(graphs())
def test_pagerank_does_not_depend_on_the_numbering(case: tuple[int, Links]) -> None:
    nodes, links = case
    reverse = {(nodes - 1 - source, nodes - 1 - target) for source, target in links}
    one = pagerank(make_graph(nodes, links), epsilon=1e-13).scores
    other = pagerank(make_graph(nodes, reverse), epsilon=1e-13).scores
    assert np.abs(one - other[::-1]).sum() < 1e-11


@settings(max_examples=150)
@given(graphs())
def test_hubs_are_the_authorities_of_the_reversed_graph(case: tuple[int, Links]) -> None:
    graph = make_graph(*case)
    start = np.ones(graph.nodes)
    there = hits(graph, start, start, 0.05, variant="seed", most_rounds=100)
    back = hits(graph.reversed(), start, start, 0.05, variant="seed", most_rounds=100)
    assert there.hubs == pytest.approx(back.authorities, abs=1e-9)
    assert there.authorities == pytest.approx(back.hubs, abs=1e-9)


@settings(max_examples=150)
@given(graphs())
def test_pages_without_links_are_no_hubs_and_pages_without_links_to_them_no_authorities(
    case: tuple[int, Links],
) -> None:
    graph = make_graph(*case)
    found = hits(graph, most_rounds=100)
    assert not found.hubs[graph.out_degrees() == 0].any()
    assert not found.authorities[graph.in_degrees() == 0].any()
    assert (found.hubs >= 0).all()
    assert (found.authorities >= 0).all()
