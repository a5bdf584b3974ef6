"""Bipartite cores: fans that link to the same centres, grown greedily (Schmitz 2001, section 3.4.3)."""

from collections.abc import Iterator
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.graph import Graph, Nodes
from gossamer.graph.groups.clusters import REPORT_EVERY, Progress
from gossamer.graph.groups.density import CoreRules
from gossamer.graph.groups.growth import prune_nodes
from gossamer.graph.groups.growth.grow_cores import CoreGrower
from gossamer.graph.groups.merge_sets import LinkCounter, Members, merge_similar_sets, to_nodes
from gossamer.graph.groups.node_sets import NodeSets, pack_sets

FAMOUS = 300
"""A page with more in-links is famous: a shared link to it says little about its fans. Kumar et al. 1999 used 50."""
Variant = Literal["standard", "seed"]
Links = NDArray[np.int64]
Found = tuple[NodeSets, NodeSets, Links]


class Cores(msgspec.Struct, frozen=True, eq=False):
    """Cores, those with the most links first. A page may be in several, and both fan and centre of one."""

    fans: NodeSets
    centres: NodeSets
    links: Links
    """Number of links from fans to centres of each core."""
    tried: int
    """Number of links between possible fans and possible centres left after pruning."""
    famous: int
    """Number of pages excluded as centres because too many pages link to them."""

    def __len__(self) -> int:
        return len(self.links)

    def __getitem__(self, number: int) -> tuple[Nodes, Nodes]:
        return self.fans[number], self.centres[number]

    def __iter__(self) -> Iterator[tuple[Nodes, Nodes]]:
        return zip(self.fans, self.centres, strict=True)

    @property
    def densities(self) -> NDArray[np.float64]:
        """Links from fans to centres as a share of the possible links."""
        shares: NDArray[np.float64] = self.links / (self.fans.sizes * self.centres.sizes)
        return shares


def cores(
    graph: Graph,
    rules: CoreRules,
    similar: float | None = None,
    famous: int | None = FAMOUS,
    progress: Progress | None = None,
    variant: Variant = "standard",
) -> Cores:
    """Find sets of fans and centres in which most fans link to most centres.

    A core grows in rounds from every link whose ends are not a fan and a centre of cores found before. In each round,
    pages join alternately as fans and as centres if they are linked with a share t of the other side; t falls as the
    core grows. Candidates linked with the most members and other candidates join first: otherwise the first fan that
    happens to share one centre would keep out all fans that share many. Candidates linked with fewer than t_min · the
    smallest wanted size are not tried. A core has at least the density t_min (section 3.4.4). Before growing, roles are
    pruned to a fixpoint: fans that link to fewer possible centres, and centres with fewer possible fans, than t_min ·
    that size. Pages with more than `famous` in-links cannot be centres; None is no limit. `variant="seed"` grows from
    every link and tries every candidate, as in section 3.4.3, which does not say which candidate joins first: it finds
    many more cores, most of them alike. With `similar`, cores that share this much of the smaller one are merged as
    long as their union has the density t_min. Cost: O(pairs of links with one target + links of the members of all
    cores grown), linear if degrees and cores do not grow with the graph. Source: Schmitz 2001; Kumar et al. 1999.
    """
    if variant not in get_args(Variant):
        raise BadInput(f"there is no variant {variant!r} of cores: {' or '.join(get_args(Variant))}")
    least = rules.thresholds.t_min * rules.centres, rules.thresholds.t_min * rules.fans
    known = np.zeros(graph.nodes, np.bool_) if famous is None else graph.in_degrees() > famous
    arrays = graph.starts, graph.targets, graph.in_starts, graph.sources
    can_be_fan, can_be_centre = prune_nodes.prune_by_role(*arrays, (~known).view(np.uint8), *least)
    fans, fan_numbers = _sort_by_degree(can_be_fan, graph.out_degrees())
    centres, centre_numbers = _sort_by_degree(can_be_centre, graph.in_degrees())
    to_centres = prune_nodes.select_links(graph.starts, graph.targets, fans, centre_numbers)
    to_fans = prune_nodes.select_links(graph.in_starts, graph.sources, centres, fan_numbers)
    table = rules.thresholds.table(2 * graph.nodes, 0.5)
    tries_all = variant == "seed"
    least_tried = (0.0, 0.0) if tries_all else least
    grower = CoreGrower(
        to_centres,
        to_fans,
        fans=(fans, fan_numbers),
        centres=(centres, centre_numbers),
        thresholds=table,
        least=least_tried,
        from_all=tries_all,
    )
    _grow(grower, fan_numbers[can_be_fan], rules, progress)
    found = _to_sets(grower)
    if similar is not None:
        found = _merge_similar(graph, found, similar, rules.thresholds.t_min)
    return _sort_cores(found, len(to_centres[1]), int(np.count_nonzero(known)))


def _sort_by_degree(role: NDArray[np.bool_], degrees: NDArray[np.int64]) -> tuple[Nodes, Nodes]:
    """Return the nodes of a role, those with most links first, and the place of each; -1 for nodes without the role.

    The counters used most often are then close together in memory, and stay in the cache.
    """
    nodes = np.flatnonzero(role).astype(np.int32)
    nodes = nodes[np.argsort(-degrees[nodes], kind="stable")]
    places = np.full(len(role), -1, np.int32)
    places[nodes] = np.arange(len(nodes), dtype=np.int32)
    return nodes, places


def _grow(grower: CoreGrower, fans: Nodes, rules: CoreRules, progress: Progress | None) -> None:
    """Grow cores from the links of each possible fan."""
    for number, fan in enumerate(fans.tolist()):
        if progress is not None and number % REPORT_EVERY == 0:
            progress(number / len(fans))
        grower.grow_from(fan, rules.fans, rules.centres)


def _to_sets(grower: CoreGrower) -> Found:
    fans, centres, links = grower.to_arrays()
    return NodeSets(*fans), NodeSets(*centres), links


def _merge_similar(graph: Graph, found: Found, similar: float, t_min: float) -> Found:
    """Merge similar cores whose union is dense enough; a fan v is encoded as 2v, a centre v as 2v + 1."""
    counter = LinkCounter(graph)

    def split_roles(members: Members) -> tuple[Nodes, Nodes, int]:
        fans = to_nodes(member >> 1 for member in members if not member & 1)
        centres = to_nodes(member >> 1 for member in members if member & 1)
        return fans, centres, counter.count_between(fans, centres)

    def is_dense(members: Members) -> bool:
        fans, centres, links = split_roles(members)
        return links >= t_min * len(fans) * len(centres)

    sets = (
        frozenset([2 * fan for fan in fans.tolist()] + [2 * centre + 1 for centre in centres.tolist()])
        for fans, centres in zip(*found[:2], strict=True)
    )
    unions = [split_roles(members) for members in merge_similar_sets(sets, similar, is_dense)]
    links = np.array([links for _, _, links in unions], np.int64)
    return pack_sets([fans for fans, _, _ in unions]), pack_sets([centres for _, centres, _ in unions]), links


def _sort_cores(found: Found, tried: int, famous: int) -> Cores:
    """Sort cores by links, the most first; of equal ones, by the smallest fan, then by the smallest centre."""
    fans, centres, links = found
    order = np.lexsort((centres.smallest, fans.smallest, -links))
    return Cores(fans.reorder(order), centres.reorder(order), links[order], tried, famous)
