"""What a graph is like, in numbers: links by kind, degrees, density, depths, components, reciprocity."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph import adjacency
from gossamer.graph.edges import LinkCounts
from gossamer.graph.graph import Graph, LoadedGraph
from gossamer.graph.structure.components import Components, strong_components, weak_components

LARGEST_LISTED = 5
RELEVANCE_STEPS = 20
"""As in figure 3.6 and table 3.2 of seed 002."""


class Degrees(msgspec.Struct, frozen=True):
    """How many links the nodes have in one direction."""

    mean: float
    median: float
    most: int
    none: int
    """So many nodes have no link in this direction."""


class ComponentSizes(msgspec.Struct, frozen=True):
    """The components of a graph."""

    count: int
    largest: list[int]
    """The sizes of the largest few."""


class Stats(msgspec.Struct, frozen=True):
    """What a graph is like."""

    nodes: int
    links: int
    density: float
    reciprocity: float
    """The share of links that are answered by one back."""
    isolated: int
    """Nodes without any link."""
    in_degrees: Degrees
    out_degrees: Degrees
    strong: ComponentSizes
    weak: ComponentSizes
    depths: dict[int, int] | None = None
    """How many fetched pages there are at each depth, where a web knows it (seed 002, table 3.1)."""
    rim: int = 0
    """Nodes that were not fetched."""
    counts: LinkCounts | None = None
    relevance: list[int] | None = None
    """How many pages a classifier found how relevant, in steps from 0 to 1, where one did (seed 002, table 3.2)."""


def compute_stats(loaded: LoadedGraph) -> Stats:
    """Count what can be counted in one walk or two. Cost: O(nodes + links)."""
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
    """Count pages by their relevance in steps from 0 to 1, the last with its end; those without a mark are left out."""
    known = relevance[~np.isnan(relevance)]
    # 0.3 begins the step that is called so: its sixth of twenty parts, 0.30000000000000004, would be above it.
    step = np.floor(known * RELEVANCE_STEPS + 1e-9).astype(np.int64)
    return np.bincount(step.clip(0, RELEVANCE_STEPS - 1), minlength=RELEVANCE_STEPS)


def density(graph: Graph) -> float:
    """Return the share of all possible links that are there; a single node has density 1 (seed 002, section 3.4)."""
    possible = graph.nodes * (graph.nodes - 1)
    return graph.links / possible if possible else 1.0


def reciprocity(graph: Graph) -> float:
    """Return the share of links that are answered by one back; 0 if there are no links."""
    both = adjacency.count_mutual_links(graph.starts, graph.targets, graph.in_starts, graph.sources)
    return both / graph.links if graph.links else 0.0


def _summarise_degrees(degrees: NDArray[np.int64]) -> Degrees:
    if not len(degrees):
        return Degrees(0.0, 0.0, 0, 0)
    none = int(np.count_nonzero(degrees == 0))
    return Degrees(float(degrees.mean()), float(np.median(degrees)), int(degrees.max()), none)


def _summarise_components(found: Components) -> ComponentSizes:
    return ComponentSizes(len(found.sizes), np.sort(found.sizes)[::-1][:LARGEST_LISTED].tolist())
