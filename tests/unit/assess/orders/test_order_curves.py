"""Recall of walks, intervals, and the position of an order between breadth-first and the oracle."""

import pytest

from gossamer.assess.orders.compare_orders import Walk
from gossamer.assess.orders.order_curves import (
    OrderComparison,
    compute_early_recall,
    compute_recall,
    estimate_mean,
    summarize_order,
)

WANTED = frozenset({"a", "b"})


def make_walk(order: str, fetched: str, failed: int = 0) -> Walk:
    return Walk(order, 0, list(fetched), failed, 0.0)


def make_comparison() -> OrderComparison:
    walks = {
        "breadth": [make_walk("breadth", "xyab")],
        "topic": [make_walk("topic", "xaby", 3)],
        "oracle": [make_walk("oracle", "abxy")],
    }
    return OrderComparison(walks, [WANTED], [16])


def test_recall_grows_with_wanted_pages_and_is_constant_after_the_walk() -> None:
    assert compute_recall(make_walk("topic", "xab"), WANTED, 5).tolist() == [0.0, 0.5, 1.0, 1.0, 1.0]
    assert compute_recall(make_walk("topic", ""), WANTED, 2).tolist() == [0.0, 0.0]


def test_the_summary_places_an_order_between_breadth_first_and_the_oracle() -> None:
    assert compute_early_recall(make_comparison(), "breadth") == [0.375]
    assert compute_early_recall(make_comparison(), "oracle") == [0.875]
    found = summarize_order(make_comparison(), "topic")
    assert found.early_recall.mean == 0.625
    assert found.closes is not None
    assert found.closes.mean == pytest.approx(0.5)
    assert (found.failed.mean, found.harvest.mean, found.recall.mean) == (3.0, 0.5, 1.0)


def test_without_breadth_first_and_oracle_an_order_has_no_position() -> None:
    alone = OrderComparison({"topic": [make_walk("topic", "ab")]}, [WANTED], [8])
    assert summarize_order(alone, "topic").closes is None


def test_the_interval_uses_students_t() -> None:
    found = estimate_mean([1.0, 2.0, 3.0])
    assert found.mean == 2.0
    assert found.within == pytest.approx(4.30 / 3**0.5, rel=1e-3)
    assert estimate_mean([1.0]).within == 0.0
