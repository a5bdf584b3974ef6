"""Link noise: mirrors, misconfigured servers and link farms (Schmitz 2001, section 3.7)."""

from collections.abc import Iterable
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph, Nodes, from_edges
from gossamer.graph.groups.clusters import clusters
from gossamer.graph.groups.density import ClusterRules, Thresholds
from gossamer.graph.groups.merge_sets import LinkCounter

Kind = Literal["mirrors", "server", "farm"]
HOSTS = 5
"""Copies of a page on fewer hosts are normal."""
DENSE = 0.5
"""Copies with at least this share of the possible links among them were not linked by hand."""
FARM = Thresholds(DENSE, 0.8)


class Disturbance(msgspec.Struct, frozen=True, eq=False):
    """A group of pages that distorts a graph."""

    kind: Kind
    """mirrors: one page on many hosts · server: one server that answers for many hosts with pages that link to each
    other · farm: pages that link to each other by invisible links."""
    pages: Nodes
    hosts: int
    links: int
    """Links among these pages."""

    @property
    def density(self) -> float:
        return self.links / max(len(self.pages) * (len(self.pages) - 1), 1)


def find_disturbances(
    graph: Graph,
    hosts: Nodes,
    contents: NDArray[np.int64] | None = None,
    unseen: NDArray[np.bool_] | None = None,
    addresses: NDArray[np.int64] | None = None,
    least_hosts: int = HOSTS,
) -> list[Disturbance]:
    """Find mirrors, misconfigured servers and link farms, those with the most pages first.

    `hosts` is the host of each page; `contents` a fingerprint of its text (0: unknown); `unseen` is true for each link,
    in the order of `graph.targets`, that has no text and no image; `addresses` is the server address of each page (0:
    unknown). Arguments that are None are not used. Copies on many hosts are a misconfigured server if they all came
    from one address or, if addresses are unknown, if most of them link to each other.
    """
    counter = LinkCounter(graph)
    farms = list(_find_farms(graph, hosts, unseen, least_hosts)) if unseen is not None else []
    in_farms = np.zeros(graph.nodes, np.bool_)
    for pages in farms:
        in_farms[pages] = True
    found = [_describe("farm", pages, hosts, counter) for pages in farms]
    for pages in _find_copies(contents, hosts, least_hosts) if contents is not None else ():
        if not in_farms[pages].all():
            mirrors = _describe("mirrors", pages, hosts, counter)
            is_server = _is_one_server(mirrors, addresses)
            found.append(msgspec.structs.replace(mirrors, kind="server") if is_server else mirrors)
    return sorted(found, key=lambda one: (-len(one.pages), one.pages.tolist()))


def remove_disturbances(
    graph: Graph, found: Iterable[Disturbance], kinds: Iterable[Kind] = ("mirrors", "server", "farm")
) -> tuple[Graph, Nodes]:
    """Return the graph without these disturbances, and the nodes that are left; the first page of mirrors stays."""
    left_out, keep = frozenset(kinds), np.ones(graph.nodes, np.bool_)
    for one in found:
        if one.kind in left_out:
            keep[one.pages[1 if one.kind == "mirrors" else 0 :]] = False
    return graph.part(keep)


def _find_copies(contents: NDArray[np.int64], hosts: Nodes, least_hosts: int) -> Iterable[Nodes]:
    """Yield sets of pages with equal contents on enough hosts."""
    known = np.flatnonzero(contents).astype(np.int32)
    by_content = known[np.argsort(contents[known], kind="stable")]
    breaks = np.flatnonzero(np.diff(contents[by_content])) + 1
    for pages in np.split(by_content, breaks):
        if len(pages) >= least_hosts and len(np.unique(hosts[pages])) >= least_hosts:
            yield pages


def _find_farms(graph: Graph, hosts: Nodes, unseen: NDArray[np.bool_], least_hosts: int) -> Iterable[Nodes]:
    """Yield clusters of pages on enough hosts, connected by unseen links between hosts."""
    sources = graph.link_sources()
    tie = unseen & (hosts[sources] != hosts[graph.targets])
    tied = from_edges(sources[tie], graph.targets[tie], graph.nodes)
    for pages in clusters(tied, ClusterRules(max(least_hosts, 2), FARM), similar=DENSE):
        if len(np.unique(hosts[pages])) >= least_hosts:
            yield pages


def _describe(kind: Kind, pages: Nodes, hosts: Nodes, counter: LinkCounter) -> Disturbance:
    return Disturbance(kind, pages, len(np.unique(hosts[pages])), counter.count_between(pages, pages))


def _is_one_server(copies: Disturbance, addresses: NDArray[np.int64] | None) -> bool:
    known = addresses[copies.pages] if addresses is not None else np.zeros(1, np.int64)
    known = known[known != 0]
    return len(np.unique(known)) == 1 if len(known) else copies.density >= DENSE
