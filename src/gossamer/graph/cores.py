"""Fans that link to the same centres: bipartite cores, grown greedily (seed 002, section 3.4.3)."""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph import pruning
from gossamer.graph.clusters import TOLD_EVERY, Progress, packed
from gossamer.graph.density import CoreRules
from gossamer.graph.graph import Graph, Nodes
from gossamer.graph.growing_cores import CoreGrower
from gossamer.graph.merging import LinkCounter, Members, as_nodes, put_together

FAMOUS = 300
"""More pages link to a famous page: what they have in common is not that. Kumar et al. (1999) drew the line at 50."""
Found = tuple[Nodes, Nodes, int]


class Cores(msgspec.Struct, frozen=True, eq=False):
    """Cores, those with the most links first. A page may be in several, and be fan and centre of one."""

    fan_starts: NDArray[np.int64]
    """Core i has the fans fans[fan_starts[i]:fan_starts[i + 1]], which ascend."""
    fans: Nodes
    centre_starts: NDArray[np.int64]
    centres: Nodes
    links: NDArray[np.int64]
    """Links from fans to centres of each."""
    tried: int
    """Links between possible fans and possible centres that pruning left."""
    famous: int
    """Pages that were not taken as centres because so many link to them."""

    def __len__(self) -> int:
        return len(self.links)

    def __getitem__(self, number: int) -> tuple[Nodes, Nodes]:
        fans = self.fans[self.fan_starts[number] : self.fan_starts[number + 1]]
        return fans, self.centres[self.centre_starts[number] : self.centre_starts[number + 1]]

    def __iter__(self) -> Iterator[tuple[Nodes, Nodes]]:
        return (self[number] for number in range(len(self)))

    @property
    def densities(self) -> NDArray[np.float64]:
        """Links from fans to centres as a share of those that there could be."""
        shares: NDArray[np.float64] = self.links / (np.diff(self.fan_starts) * np.diff(self.centre_starts))
        return shares


def cores(
    graph: Graph,
    rules: CoreRules,
    similar: float | None = None,
    famous: int = FAMOUS,
    progress: Progress | None = None,
) -> Cores:
    """Find sets of fans and centres such that most of the fans link to most of the centres.

    A core grows from every link, unless its ends are a fan and a centre of cores told before, in rounds: in each, pages join by turns as fan and as
    centre that are linked with a share t of the other side, where t falls as the core grows. Those join first that
    are linked with most members and candidates: without such foresight, the first fan that happens to share one
    centre would keep all those out that share many. Candidates that are linked with fewer than t_min · the smallest
    core asked for are not tried. A core is as dense as t_min at least (section 3.4.4). Before, roles are cut off to a
    fixpoint: of a fan who links to fewer possible centres, or a centre with fewer possible fans, than t_min · that
    size. With `similar`, cores that share so much of the smaller are put together as long as they stay as dense as
    t_min. Cost: O(links · famous) at worst, linear on sparse graphs. Source: also Kumar et al. 1999.
    """
    share = rules.thresholds.t_min
    unknown = graph.in_degrees() <= famous
    arrays = graph.starts, graph.targets, graph.in_starts, graph.sources
    least = share * rules.centres, share * rules.fans
    can_be_fan, can_be_centre = pruning.by_roles(*arrays, unknown.view(np.uint8), *least)
    flags = can_be_fan.view(np.uint8), can_be_centre.view(np.uint8)
    to_centres = pruning.joined(graph.starts, graph.targets, *flags)
    to_fans = pruning.joined(graph.in_starts, graph.sources, *reversed(flags))
    table = rules.thresholds.table(2 * graph.nodes, 0.5)
    grower = CoreGrower(*to_centres, *to_fans, table, *least)
    found = list(_grown(grower, np.flatnonzero(can_be_fan), rules, progress))
    if similar is not None:
        found = _merged(graph, found, similar, share)
    return _sorted(found, len(to_centres[1]), int(np.count_nonzero(~unknown)))


def _grown(
    grower: CoreGrower, fans: NDArray[np.int64], rules: CoreRules, progress: Progress | None
) -> Iterator[Found]:
    """Grow cores from the links of each possible fan; yield those that are new and large enough."""
    for number, fan in enumerate(fans.tolist()):
        if progress is not None and number % TOLD_EVERY == 0:
            progress(number / len(fans))
        yield from grower.grow_from(fan, rules.fans, rules.centres)


def _merged(graph: Graph, found: list[Found], similar: float, t_min: float) -> list[Found]:
    """Put similar cores together where these stay dense enough; a fan is known by 2v, a centre by 2v + 1."""
    counter = LinkCounter(graph)

    def core(members: Members) -> Found:
        fans = as_nodes(member >> 1 for member in members if not member & 1)
        centres = as_nodes(member >> 1 for member in members if member & 1)
        return fans, centres, counter.between(fans, centres)

    def is_dense(members: Members) -> bool:
        fans, centres, links = core(members)
        return links >= t_min * len(fans) * len(centres)

    sets = (
        frozenset([2 * fan for fan in fans.tolist()] + [2 * centre + 1 for centre in centres.tolist()])
        for fans, centres, _ in found
    )
    return [core(members) for members in put_together(sets, similar, is_dense)]


def _sorted(found: list[Found], tried: int, famous: int) -> Cores:
    """Put cores in order and in one array for each role."""
    found.sort(key=lambda core: (-core[2], core[0].tolist(), core[1].tolist()))
    fans, centres = (packed(side) for side in ([core[0] for core in found], [core[1] for core in found]))
    return Cores(*fans, *centres, np.array([core[2] for core in found], np.int64), tried, famous)
