"""The bow-tie: the core of a web, the pages that lead to it, the pages it leads to, and the rest."""

from enum import IntEnum

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Graph
from gossamer.graph.structure import reachability
from gossamer.graph.structure.components import BACKWARD, BOTH, FORWARD, mark_around_largest


class Region(IntEnum):
    """The regions, in the order of the tables in Schmitz 2001."""

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
        """Number of pages in all tendrils including tubes, as counted by Broder et al. 2000."""
        return sum(self.counts[part] for part in (Region.TUBES, Region.INTENDRILS, Region.OUTTENDRILS))


FROM_IN, TO_OUT = 4, 8
"""Marks of nodes reachable from IN, and of nodes that reach OUT, without passing the core."""
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
    """Sort every page into SCC, IN, OUT, TUBES, tendrils or DISC, by the eight steps of Schmitz 2001.

    1. SCC is the largest strongly connected component; of equal ones, the one with the smallest page.
    2. OUT is reachable from SCC, without SCC itself. 3. IN reaches SCC, without SCC itself.
    4. INTENDRILS are reachable from IN without passing SCC, without IN and OUT.
    5. OUTTENDRILS reach OUT in the same way. 6. Pages in both sets are TUBES.
    7. Pages on a path from TUBES to OUT, or from IN to TUBES, belong to TUBES: steps 4 and 5 have both found them, so
       nothing is left to do. 8. All other pages are DISC, even if they link to a tendril.
    Cost: O(nodes + links) time, 26 bytes a node. Source: Schmitz 2001, section 3.3.2; Broder et al. 2000.
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
