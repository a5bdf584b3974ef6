"""What walks show: recall, intervals, and where an order lies between breadth-first and the oracle."""

import pytest

from gossamer.assess.orders.compare_orders import Walked
from gossamer.assess.orders.order_curves import Race, early_recall, estimate, recall_of, shown

WANTED = frozenset({"a", "b"})


def walk(order: str, fetched: str, failed: int = 0) -> Walked:
    return Walked(order, 0, list(fetched), failed, 0.0)


def race() -> Race:
    walks = {
        "breadth": [walk("breadth", "xyab")],
        "topic": [walk("topic", "xaby", 3)],
        "oracle": [walk("oracle", "abxy")],
    }
    return Race(walks, [WANTED], [16])


def test_recall_grows_with_wanted_pages_and_stays_when_a_walk_ends() -> None:
    assert recall_of(walk("topic", "xab"), WANTED, 5).tolist() == [0.0, 0.5, 1.0, 1.0, 1.0]
    assert recall_of(walk("topic", ""), WANTED, 2).tolist() == [0.0, 0.0]


def test_an_order_is_placed_between_breadth_first_and_the_oracle() -> None:
    assert early_recall(race(), "breadth") == [0.375]
    assert early_recall(race(), "oracle") == [0.875]
    found = shown(race(), "topic")
    assert found.early_recall.mean == 0.625
    assert found.closes is not None
    assert found.closes.mean == pytest.approx(0.5)
    assert (found.failed.mean, found.harvest.mean, found.recall.mean) == (3.0, 0.5, 1.0)


def test_without_both_ends_nothing_is_placed() -> None:
    alone = Race({"topic": [walk("topic", "ab")]}, [WANTED], [8])
    assert shown(alone, "topic").closes is None


def test_an_interval_is_that_of_student() -> None:
    found = estimate([1.0, 2.0, 3.0])
    assert found.mean == 2.0
    assert found.within == pytest.approx(4.30 / 3**0.5, rel=1e-3)
    assert estimate([1.0]).within == 0.0
