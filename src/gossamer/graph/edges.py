"""Links as they were read, before some are selected and a graph is built."""

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput, BadUrl
from gossamer.graph.node_names import Names
from gossamer.net import url as urls


class Hosts(msgspec.Struct, frozen=True, eq=False):
    """The host of each node."""

    of: NDArray[np.int32]
    names: list[str]

    def part(self, nodes: NDArray[np.int64]) -> "Hosts":
        """Return the hosts of some nodes, without the hosts of the other nodes."""
        there, of = np.unique(self.of[nodes], return_inverse=True)
        return Hosts(of.astype(np.int32), [self.names[host] for host in there.tolist()])


class LinkCounts(msgspec.Struct, frozen=True):
    """Number of links on the pages, repeats included, by kind and by type (Schmitz 2001, table 3.4)."""

    all: int
    spanning_hosts: int
    spanning_sites: int
    types: dict[str, int]


class NodeFacts(msgspec.Struct, frozen=True, eq=False):
    """What a web knows about its pages, apart from their links."""

    depths: NDArray[np.int32]
    """Links from a start page; -1 for pages that were not fetched."""
    relevance: NDArray[np.float64]
    """Probability from a classifier; NaN for pages without one."""
    counts: LinkCounts
    """Counts of all links on the pages of the web, including those outside the graph."""

    def part(self, nodes: NDArray[np.int64]) -> "NodeFacts":
        """Return the facts about some nodes."""
        return NodeFacts(self.depths[nodes], self.relevance[nodes], self.counts)


class Edges(msgspec.Struct, frozen=True, eq=False):
    """Links between nodes 0, 1, 2 …: link j leads from sources[j] to targets[j]; may contain repeats and loops."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    names: Names
    hosts: Callable[[], Hosts]
    """Called only if the selection needs hosts."""
    facts: NodeFacts | None = None
    unknown: int = 0
    """Number of links left out because their target is not a node."""
    disturbing: int = 0
    """Number of nodes left out as link noise."""
    template: int = 0
    """Number of links left out because a template repeats them."""

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
            hosts=lambda: self.hosts().part(kept),
            facts=self.facts.part(kept) if self.facts is not None else None,
            unknown=self.unknown,
            disturbing=self.disturbing + len(keep) - len(kept),
            template=self.template,
        )


def find_hosts(names: Names) -> Hosts:
    """Find the hosts of nodes whose names are URLs."""
    numbers: dict[str, int] = {}
    of = np.empty(len(names), np.int32)
    for node, name in enumerate(names.of(np.arange(len(names)))):
        try:
            of[node] = numbers.setdefault(urls.host(name), len(numbers))
        except (BadUrl, ValueError):
            raise BadInput(
                f"only nodes named by URLs have hosts and sites; this node is named {name[:200]!r}"
            ) from None
    return Hosts(of, list(numbers))
