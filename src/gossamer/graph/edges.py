"""Links as they were read, before choices are made and a graph is built of them."""

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput, BadUrl
from gossamer.graph.names import Names
from gossamer.net import url as urls


class Hosts(msgspec.Struct, frozen=True, eq=False):
    """On which host each node stands."""

    of: NDArray[np.int32]
    names: list[str]


class LinkCounts(msgspec.Struct, frozen=True):
    """How many links stand on pages, before repeats are left out, by kind and by type (seed 002, table 3.4)."""

    all: int
    spanning_hosts: int
    spanning_sites: int
    types: dict[str, int]


class Facts(msgspec.Struct, frozen=True, eq=False):
    """What a web knows of its pages beyond their links."""

    depths: NDArray[np.int32]
    """How many links away from a start page; -1 for what was not fetched."""
    relevance: NDArray[np.float64]
    """What a classifier said; NaN where none did."""
    counts: LinkCounts


class Edges(msgspec.Struct, frozen=True, eq=False):
    """Links between nodes 0, 1, 2 …: link j leads from sources[j] to targets[j]; repeats and loops may be among them."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    names: Names
    hosts: Callable[[], Hosts]
    """Asked only when a choice needs it."""
    facts: Facts | None = None
    unknown: int = 0
    """Links that were left out because they lead to something that is no node."""


def hosts_by_name(names: Names) -> Hosts:
    """Find the hosts of nodes that are called by URLs."""
    numbers: dict[str, int] = {}
    of = np.empty(len(names), np.int32)
    for node, name in enumerate(names.of(np.arange(len(names)))):
        try:
            of[node] = numbers.setdefault(urls.host(name), len(numbers))
        except (BadUrl, ValueError):
            raise BadInput(
                f"hosts and sites can be told only of nodes called by URLs; this one is called {name[:200]!r}"
            ) from None
    return Hosts(of, list(numbers))
