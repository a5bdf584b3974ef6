"""The bow-tie: which pages lead into the core of a web, which lead out of it, and which pass it by."""

from enum import IntEnum

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph
from gossamer.graph.structure import reachability
from gossamer.graph.structure.components import BACKWARD, BOTH, FORWARD, mark_around_largest


class Region(IntEnum):
    """The regions in the order of the seed's tables."""

    SCC = 0
    IN = 1
    OUT = 2
    TUBES = 3
    INTENDRILS = 4
    OUTTENDRILS = 5
    DISC = 6


class Bowtie(msgspec.Struct, frozen=True, eq=False):
    """The region of every page."""

    regions: NDArray[np.uint8]
    """A `Region` for each node."""
    counts: dict[Region, int]

    @property
    def tendrils(self) -> int:
        """All tendrils together, as Broder et al. count them: the tubes are among them."""
        return sum(self.counts[part] for part in (Region.TUBES, Region.INTENDRILS, Region.OUTTENDRILS))


FROM_IN, TO_OUT = 4, 8
"""Marks of the nodes that are reached from IN, and of those that reach OUT, without the core."""
REGION_OF = {
    BOTH: Region.SCC,
    BACKWARD: Region.IN,
    FORWARD: Region.OUT,
    FROM_IN | TO_OUT: Region.TUBES,
    FROM_IN: Region.INTENDRILS,
    TO_OUT: Region.OUTTENDRILS,
    0: Region.DISC,
}


def bowtie(graph: Graph) -> Bowtie:
    """Sort every page into core, in, out, tubes, tendrils or disconnected, by the seed's eight steps.

    1. SCC is the largest strongly connected component; ties go to the one with the smallest page.
    2. OUT is what is reached from SCC beside it; 3. IN is what reaches SCC beside it.
    4. INTENDRILS are what is reached from IN without passing SCC, beside IN and OUT themselves;
    5. OUTTENDRILS, in the same way, what reaches OUT. 6. What is in both are TUBES.
    7. What lies on a way from TUBES to OUT, or from IN to TUBES, belongs to TUBES: it was found in steps 4 and 5 both, so
       nothing is left to do here. 8. All others are DISC, even if they hang on a tendril by a link that leads there.
    Cost: O(nodes + links) time, 26 bytes a node. Source: seed 002, section 3.3.2; Broder et al. 2000.
    """
    if not graph.nodes:
        return Bowtie(np.empty(0, np.uint8), dict.fromkeys(Region, 0))
    marks = mark_around_largest(graph)
    in_nodes, out_nodes = (np.flatnonzero(marks == mark).astype(np.int32) for mark in (BACKWARD, FORWARD))
    reachability.mark_reachable(graph.starts, graph.targets, in_nodes, marks, FROM_IN, BOTH)
    reachability.mark_reachable(graph.in_starts, graph.sources, out_nodes, marks, TO_OUT, BOTH)
    table = np.zeros(16, np.uint8)
    for mark, region in REGION_OF.items():
        table[mark] = region
    regions = table[marks]
    sizes = np.bincount(regions, minlength=len(Region)).tolist()
    return Bowtie(regions, {region: sizes[region] for region in Region})
