"""Depth first: follow one thread to its end (seed 000)."""

from gossamer.records import Link


def depth(link: Link, depth: int) -> float:  # noqa: ARG001 - an order sees the link, this one looks at depth
    """The deeper the sooner; children of one page in page order.

    When a page is visited nothing deeper than it is left waiting, so what then lies one level below are its own
    children: equal priorities in order of arrival give the same walk as a last-in-first-out queue.
    """
    return float(depth)
