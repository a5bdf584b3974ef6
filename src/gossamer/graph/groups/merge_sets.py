"""Merging of similar sets whose union stays dense, which Schmitz 2001, section 3.4.6, leaves open."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from gossamer.errors import BadInput
from gossamer.graph.graph import Graph, Nodes

Members = frozenset[int]


def merge_similar_sets(
    sets: Iterable[Members], similar: float, is_dense: Callable[[Members], bool]
) -> list[Members]:
    """Merge sets that share at least `similar` of the smaller one, as long as the union is dense.

    Sets are taken by size, the largest first, and each is merged with the most similar set until none is left that it
    can be merged with, so no two sets of the result can be merged. Only sets that share members are compared.
    """
    if not 0 < similar <= 1:
        raise BadInput(f"similar must be above 0 and at most 1, not {similar:g}")
    kept: dict[int, Members] = {}
    holders: dict[int, set[int]] = defaultdict(set)
    for number, members in enumerate(sorted(sets, key=lambda members: (-len(members), sorted(members)))):
        union = members
        while (partner := _find_partner(union, kept, holders, similar, is_dense)) is not None:
            for member in kept[partner]:
                holders[member].discard(partner)
            union |= kept.pop(partner)
        kept[number] = union
        for member in union:
            holders[member].add(number)
    return list(kept.values())


def _find_partner(
    members: Members,
    kept: dict[int, Members],
    holders: dict[int, set[int]],
    similar: float,
    is_dense: Callable[[Members], bool],
) -> int | None:
    """Return the most similar set that can be merged with these members, or None."""
    common = Counter(number for member in members for number in holders[member])
    likeness = {number: shared / min(len(members), len(kept[number])) for number, shared in common.items()}
    for number in sorted(likeness, key=lambda number: (-likeness[number], number)):
        if likeness[number] < similar:
            return None
        if is_dense(members | kept[number]):
            return number
    return None


class LinkCounter:
    """Counts links between sets of nodes, reusing one array of flags."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._marked = np.zeros(graph.nodes, np.bool_)

    def count_between(self, sources: Nodes, targets: Nodes) -> int:
        """Return the number of links from some nodes to others."""
        starts, ends = self._graph.starts[sources].tolist(), self._graph.starts[sources + 1].tolist()
        self._marked[targets] = True
        slices = (self._graph.targets[start:end] for start, end in zip(starts, ends, strict=True))
        links = sum(int(np.count_nonzero(self._marked[found])) for found in slices)
        self._marked[targets] = False
        return links


def to_nodes(members: Iterable[int]) -> Nodes:
    """Return the members as an ascending array."""
    return np.array(sorted(members), np.int32)
