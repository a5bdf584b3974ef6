"""Several crawls, or several selections of one, side by side (Schmitz 2001, tables 3.6 to 3.11)."""

from collections.abc import Callable, Mapping

import msgspec

from gossamer.graph.graph import Graph
from gossamer.graph.structure.bowtie import Bowtie, Region, bowtie
from gossamer.graph.structure.statistics import density, reciprocity


class GraphSummary(msgspec.Struct, frozen=True):
    """One graph in a comparison."""

    name: str
    nodes: int
    links: int | None
    density: float | None
    reciprocity: float | None
    regions: dict[str, int | None]
    """Number of nodes in each region of the bow-tie, in the order of Schmitz's tables; None if unknown."""

    def share(self, region: str) -> float | None:
        """Return a region's share of the nodes."""
        count = self.regions[region]
        return count / self.nodes if count is not None and self.nodes else None


TENDRILS = "TENDRILS"
"""Tubes and both kinds of tendrils together, as counted by Broder et al. 2000."""
REGIONS = ("SCC", "IN", "OUT", "TUBES", "INTENDRILS", "OUTTENDRILS", TENDRILS, "DISC")
# Broder et al. 2000, as in Schmitz 2001, table 3.5.
_COUNTED_BY_BRODER = {
    "SCC": 56_463_993,
    "IN": 43_343_168,
    "OUT": 43_166_185,
    TENDRILS: 43_797_944,
    "DISC": 16_777_756,
}
WHOLE_WEB = GraphSummary(
    name="whole web (Broder et al. 2000)",
    nodes=203_549_046,
    links=None,
    density=None,
    reciprocity=None,
    regions={region: _COUNTED_BY_BRODER.get(region) for region in REGIONS},
)


def compare(
    graphs: Mapping[str, Callable[[], Graph]], progress: Callable[[float], None] = lambda _: None
) -> list[GraphSummary]:
    """Summarise graphs one after the other, so that only one is in memory at a time."""
    columns = []
    for done, (name, load) in enumerate(graphs.items()):
        progress(done / len(graphs))
        columns.append(_summarise(name, load()))
    return columns


def count_regions(tie: Bowtie) -> dict[str, int]:
    """Count the nodes of each region, and of all tendrils together, in the order of Schmitz's tables."""
    counts = {region.name: tie.counts[region] for region in Region} | {TENDRILS: tie.tendrils}
    return {region: counts[region] for region in REGIONS}


def _summarise(name: str, graph: Graph) -> GraphSummary:
    counts: dict[str, int | None] = {**count_regions(bowtie(graph))}
    return GraphSummary(
        name=name,
        nodes=graph.nodes,
        links=graph.links,
        density=density(graph),
        reciprocity=reciprocity(graph),
        regions=counts,
    )
