"""Links as they were read, before choices are made and a graph is built of them."""

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput, BadUrl
from gossamer.graph.node_names import Names
from gossamer.net import url as urls


class Hosts(msgspec.Struct, frozen=True, eq=False):
    """On which host each node stands."""

    of: NDArray[np.int32]
    names: list[str]

    def part(self, nodes: NDArray[np.int64]) -> "Hosts":
        """Return the hosts of some nodes; those of no other node are left out."""
        there, of = np.unique(self.of[nodes], return_inverse=True)
        return Hosts(of.astype(np.int32), [self.names[host] for host in there.tolist()])


class LinkCounts(msgspec.Struct, frozen=True):
    """How many links stand on pages, before repeats are left out, by kind and by type (seed 002, table 3.4)."""

    all: int
    spanning_hosts: int
    spanning_sites: int
    types: dict[str, int]


class NodeFacts(msgspec.Struct, frozen=True, eq=False):
    """What a web knows of its pages beyond their links."""

    depths: NDArray[np.int32]
    """How many links away from a start page; -1 for what was not fetched."""
    relevance: NDArray[np.float64]
    """What a classifier said; NaN where none did."""
    counts: LinkCounts
    """Of all links that stand on pages of the web, whatever part of them the graph has."""

    def part(self, nodes: NDArray[np.int64]) -> "NodeFacts":
        """Return what is known of some nodes."""
        return NodeFacts(self.depths[nodes], self.relevance[nodes], self.counts)


class Edges(msgspec.Struct, frozen=True, eq=False):
    """Links between nodes 0, 1, 2 …: link j leads from sources[j] to targets[j]; repeats and loops may be among them."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    names: Names
    hosts: Callable[[], Hosts]
    """Asked only when a choice needs it."""
    facts: NodeFacts | None = None
    unknown: int = 0
    """Links that were left out because they lead to something that is no node."""
    disturbing: int = 0
    """Nodes that were left out because they disturb."""

    def part(self, keep: NDArray[np.bool_]) -> "Edges":
        """Return the links among some nodes."""
        kept = np.flatnonzero(keep)
        number_of = np.full(len(keep), -1, np.int32)
        number_of[kept] = np.arange(len(kept), dtype=np.int32)
        sources, targets = number_of[self.sources], number_of[self.targets]
        inside = (sources >= 0) & (targets >= 0)
        return Edges(
            sources[inside],
            targets[inside],
            self.names.part(kept),
            lambda: self.hosts().part(kept),
            self.facts.part(kept) if self.facts is not None else None,
            self.unknown,
            self.disturbing + len(keep) - len(kept),
        )


def find_hosts(names: Names) -> Hosts:
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
