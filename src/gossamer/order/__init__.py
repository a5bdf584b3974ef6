"""What is worth fetching: each order turns a link and where it was found into a priority."""

from collections.abc import Callable

from gossamer.errors import BadInput
from gossamer.order.breadth import breadth
from gossamer.order.depth import depth
from gossamer.records import Link

Order = Callable[[Link, int], float]
"""A link and the depth it would have, into its priority: higher goes first, equal ones in order of arrival."""

ORDERS: dict[str, Order] = {"breadth": breadth, "depth": depth}


def order_named(name: str) -> Order:
    """Return the order of this name."""
    try:
        return ORDERS[name]
    except KeyError:
        raise BadInput(f"there is no order {name!r}; there are {', '.join(sorted(ORDERS))}") from None
