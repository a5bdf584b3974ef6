"""Breadth-first and depth-first order, and the order of start pages where a guide weighs the links."""

import pytest

from gossamer.order import START, find_order
from gossamer.records import Link

LINK = Link("http://h.org/")


def test_breadth_first_prefers_links_near_the_start() -> None:
    order = find_order("breadth")
    assert order(LINK, 0) > order(LINK, 1) > order(LINK, 2)


def test_depth_first_prefers_links_far_from_the_start() -> None:
    order = find_order("depth")
    assert order(LINK, 0) < order(LINK, 1) < order(LINK, 2)


@pytest.mark.parametrize("name", ["topic", "topic+0.3*authority"])
def test_start_pages_of_other_orders_have_the_highest_priority(name: str) -> None:
    assert find_order(name)(LINK, 0) == START
