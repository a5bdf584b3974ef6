"""What is worth fetching: each order turns a link and where it was found into a priority."""

from collections.abc import Callable

from gossamer.order.breadth import breadth
from gossamer.order.depth import depth
from gossamer.order.order_expression import mixture_of
from gossamer.records import Link

Order = Callable[[Link, int], float]
"""A link and the depth it would have, into its priority: higher goes first, equal ones in order of arrival."""

ORDERS: dict[str, Order] = {"breadth": breadth, "depth": depth}
START = 1.0
"""The priority of start pages where links are weighed: nothing is more certain."""


def order_named(name: str) -> Order:
    """Return the order of this name; where a guide weighs the links (`guide.py`), that of its start pages."""
    parts = mixture_of(name)
    return ORDERS.get(parts[0].name, _weighed_by_guide)


def _weighed_by_guide(link: Link, depth: int) -> float:  # noqa: ARG001 - start pages are all alike
    return START
