"""Breadth-first and depth-first order: priorities from the depth of a link alone."""

from gossamer.records import Link


def breadth_first(link: Link, depth: int) -> float:  # noqa: ARG001 - an order gets the link; this one uses the depth
    """Return a higher priority for a smaller depth; links of one depth go in order of arrival.

    Sources: Web Search slides; Schmitz 2001.
    """
    return -float(depth)


def depth_first(link: Link, depth: int) -> float:  # noqa: ARG001 - an order gets the link; this one uses the depth
    """Return a higher priority for a larger depth; the links of one page go in page order.

    When a page is visited no deeper link waits, so the links one level below it are its own. Equal priorities in order
    of arrival therefore give the same walk as a last-in-first-out queue. Source: Web Search slides.
    """
    return float(depth)
