"""Breadth first: pages near the start pages before pages far away (seeds 000 and 002)."""

from gossamer.records import Link


def breadth(link: Link, depth: int) -> float:  # noqa: ARG001 - an order sees the link, this one looks at depth
    """The nearer the sooner; a first-in-first-out queue within one depth."""
    return -float(depth)
