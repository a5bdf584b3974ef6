"""Statistics of a graph: degrees, density, reciprocity, components, depths and relevance."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph import adjacency
from gossamer.graph.edges import LinkCounts
from gossamer.graph.graph import Graph, LoadedGraph
from gossamer.graph.structure.components import Components, strong_components, weak_components

LARGEST_LISTED = 5
RELEVANCE_STEPS = 20
"""As in Schmitz 2001, figure 3.6 and table 3.2."""


class Degrees(msgspec.Struct, frozen=True):
    """Numbers of links per node in one direction."""

    mean: float
    median: float
    most: int
    none: int
    """Number of nodes without a link in this direction."""


class ComponentSizes(msgspec.Struct, frozen=True):
    """Number and sizes of the components of a graph."""

    count: int
    largest: list[int]
    """Sizes of the largest components."""


class Stats(msgspec.Struct, frozen=True):
    """Statistics of one graph."""

    nodes: int
    links: int
    density: float
    reciprocity: float
    """Share of links that have a link back."""
    isolated: int
    """Nodes without any link."""
    in_degrees: Degrees
    out_degrees: Degrees
    strong: ComponentSizes
    weak: ComponentSizes
    depths: dict[int, int] | None = None
    """Number of fetched pages at each depth, if a web knows it (Schmitz 2001, table 3.1)."""
    rim: int = 0
    """Nodes that were not fetched."""
    counts: LinkCounts | None = None
    relevance: list[int] | None = None
    """Number of pages by relevance, in equal steps from 0 to 1, if a classifier rated them (Schmitz 2001, table 3.2)."""


def compute_stats(loaded: LoadedGraph) -> Stats:
    """Compute the statistics of a graph. Cost: O(nodes + links)."""
    graph = loaded.graph
    in_degrees, out_degrees = graph.in_degrees(), graph.out_degrees()
    found = Stats(
        nodes=graph.nodes,
        links=graph.links,
        density=density(graph),
        reciprocity=reciprocity(graph),
        isolated=int(np.count_nonzero(in_degrees + out_degrees == 0)),
        in_degrees=_summarise_degrees(in_degrees),
        out_degrees=_summarise_degrees(out_degrees),
        strong=_summarise_components(strong_components(graph)),
        weak=_summarise_components(weak_components(graph)),
    )
    if loaded.facts is None:
        return found
    depths, pages = np.unique(loaded.facts.depths, return_counts=True)
    profile = dict(zip(depths.tolist(), pages.tolist(), strict=True))
    relevance = count_by_relevance(loaded.facts.relevance)
    return msgspec.structs.replace(
        found,
        rim=profile.pop(-1, 0),
        depths=profile,
        counts=loaded.facts.counts,
        relevance=relevance.tolist() if relevance.any() else None,
    )


def count_by_relevance(relevance: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count pages by relevance in equal steps from 0 to 1, the last including 1; pages without relevance are left out."""
    known = relevance[~np.isnan(relevance)]
    # 0.3 belongs to the step that begins at 0.3, but the computed bound, 6/20 = 0.30000000000000004, is above it.
    step = np.floor(known * RELEVANCE_STEPS + 1e-9).astype(np.int64)
    return np.bincount(step.clip(0, RELEVANCE_STEPS - 1), minlength=RELEVANCE_STEPS)


def density(graph: Graph) -> float:
    """Return the share of possible links that exist; 1 for a single node (Schmitz 2001, section 3.4)."""
    possible = graph.nodes * (graph.nodes - 1)
    return graph.links / possible if possible else 1.0


def reciprocity(graph: Graph) -> float:
    """Return the share of links that have a link back; 0 if there are no links."""
    both = adjacency.count_mutual_links(graph.starts, graph.targets, graph.in_starts, graph.sources)
    return both / graph.links if graph.links else 0.0


def _summarise_degrees(degrees: NDArray[np.int64]) -> Degrees:
    if not len(degrees):
        return Degrees(0.0, 0.0, 0, 0)
    none = int(np.count_nonzero(degrees == 0))
    return Degrees(float(degrees.mean()), float(np.median(degrees)), int(degrees.max()), none)


def _summarise_components(found: Components) -> ComponentSizes:
    return ComponentSizes(len(found.sizes), np.sort(found.sizes)[::-1][:LARGEST_LISTED].tolist())
