"""Which link is worth fetching first? An order turns a link and the page it is on into a priority."""

from collections.abc import Callable

from gossamer.order.order_expression import TERMS, parse_order
from gossamer.order.plain_orders import breadth_first, depth_first
from gossamer.plugins import load_plugin
from gossamer.records import Link

Order = Callable[[Link, int], float]
"""Maps a link and its depth to a priority: higher goes first, equal ones in order of arrival."""

ORDERS: dict[str, Order] = {"breadth": breadth_first, "depth": depth_first}
START = 1.0
"""The priority of start pages where a guide weighs the links: none is higher."""


def find_order(name: str) -> Order:
    """Return the order of this name, built in or a plug-in; for orders with a guide (`link_guide.py`), the order of their start pages."""
    first = parse_order(name)[0].name
    if first in TERMS:
        return _rank_start_page
    return ORDERS.get(first) or load_plugin("orders", first)


def _rank_start_page(link: Link, depth: int) -> float:  # noqa: ARG001 - all start pages have the same priority
    return START
