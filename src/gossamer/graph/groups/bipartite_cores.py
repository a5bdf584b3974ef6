"""Fans that link to the same centres: bipartite cores, grown greedily (seed 002, section 3.4.3)."""

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
"""More pages link to a famous page: what they have in common is not that. Kumar et al. (1999) drew the line at 50."""
Variant = Literal["standard", "seed"]
Links = NDArray[np.int64]
Found = tuple[NodeSets, NodeSets, Links]


class Cores(msgspec.Struct, frozen=True, eq=False):
    """Cores, those with the most links first. A page may be in several, and be fan and centre of one."""

    fans: NodeSets
    centres: NodeSets
    links: Links
    """Links from fans to centres of each."""
    tried: int
    """Links between possible fans and possible centres that pruning left."""
    famous: int
    """Pages that were not taken as centres because so many link to them."""

    def __len__(self) -> int:
        return len(self.links)

    def __getitem__(self, number: int) -> tuple[Nodes, Nodes]:
        return self.fans[number], self.centres[number]

    def __iter__(self) -> Iterator[tuple[Nodes, Nodes]]:
        return zip(self.fans, self.centres, strict=True)

    @property
    def densities(self) -> NDArray[np.float64]:
        """Links from fans to centres as a share of those that there could be."""
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
    """Find sets of fans and centres such that most of the fans link to most of the centres.

    A core grows from every link, unless its ends are a fan and a centre of cores told before, in rounds: in each, pages
    join by turns as fan and as centre that are linked with a share t of the other side, where t falls as the core grows.
    Those join first that are linked with most members and candidates: without such foresight, the first fan that happens
    to share one centre would keep all those out that share many. Candidates that are linked with fewer than t_min · the
    smallest core asked for are not tried. A core is as dense as t_min at least (section 3.4.4). Before, roles are cut off
    to a fixpoint: of a fan who links to fewer possible centres, or a centre with fewer possible fans, than t_min · that
    size. Pages that more than `famous` link to are no centres; None is no limit. `variant="seed"` grows from every link
    and tries every candidate, as section 3.4.3 has it, which leaves open who joins first: many more cores, most of them
    alike. With `similar`, cores that share so much of the smaller are put together as long as they stay as dense as t_min.
    Cost: O(pairs of links with one target + links of the members of all cores grown), linear where degrees and cores do
    not grow with the graph. Source: also Kumar et al. 1999.
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
        to_centres, to_fans, (fans, fan_numbers), (centres, centre_numbers), table, least_tried, tries_all
    )
    _grow(grower, fan_numbers[can_be_fan], rules, progress)
    found = _to_sets(grower)
    if similar is not None:
        found = _merge_similar(graph, found, similar, rules.thresholds.t_min)
    return _sort_cores(found, len(to_centres[1]), int(np.count_nonzero(known)))


def _sort_by_degree(role: NDArray[np.bool_], degrees: NDArray[np.int64]) -> tuple[Nodes, Nodes]:
    """Return the nodes of a role, those with most links first, and the place of each, -1 for those without the role.

    What is counted most often lies side by side, and so in the fastest memory.
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
    """Put similar cores together where these stay dense enough; a fan is known by 2v, a centre by 2v + 1."""
    counter = LinkCounter(graph)

    def core(members: Members) -> tuple[Nodes, Nodes, int]:
        fans = to_nodes(member >> 1 for member in members if not member & 1)
        centres = to_nodes(member >> 1 for member in members if member & 1)
        return fans, centres, counter.count_between(fans, centres)

    def is_dense(members: Members) -> bool:
        fans, centres, links = core(members)
        return links >= t_min * len(fans) * len(centres)

    sets = (
        frozenset([2 * fan for fan in fans.tolist()] + [2 * centre + 1 for centre in centres.tolist()])
        for fans, centres in zip(*found[:2], strict=True)
    )
    unions = [core(members) for members in merge_similar_sets(sets, similar, is_dense)]
    links = np.array([links for _, _, links in unions], np.int64)
    return pack_sets([fans for fans, _, _ in unions]), pack_sets([centres for _, centres, _ in unions]), links


def _sort_cores(found: Found, tried: int, famous: int) -> Cores:
    """Put cores in order: of those with as many links, the one with the smallest fan, then centre, comes first."""
    fans, centres, links = found
    order = np.lexsort((centres.smallest, fans.smallest, -links))
    return Cores(fans.reorder(order), centres.reorder(order), links[order], tried, famous)
