"""Similar sets put together: what seed 002, section 3.4.6, left undone because unions may not be dense enough."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from gossamer.errors import BadInput
from gossamer.graph.graph import Graph, Nodes

Members = frozenset[int]


def merge_similar_sets(
    sets: Iterable[Members], similar: float, is_dense: Callable[[Members], bool]
) -> list[Members]:
    """Put sets together that share at least `similar` of the smaller one, as long as the union is dense.

    Large sets come first, and each joins the most similar it may join, again and again; so in the end no two are left
    that could be put together. Sets are compared only with those that share members with them.
    """
    if not 0 < similar <= 1:
        raise BadInput(f"sets are similar from a share above 0 up to 1, not {similar:g}")
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
    """Return the most similar set that may be put together with these members."""
    common = Counter(number for member in members for number in holders[member])
    likeness = {number: shared / min(len(members), len(kept[number])) for number, shared in common.items()}
    for number in sorted(likeness, key=lambda number: (-likeness[number], number)):
        if likeness[number] < similar:
            return None
        if is_dense(members | kept[number]):
            return number
    return None


class LinkCounter:
    """Counts links between sets of nodes; one array of flags serves all questions."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._marked = np.zeros(graph.nodes, np.bool_)

    def count_between(self, sources: Nodes, targets: Nodes) -> int:
        """Return how many links lead from some nodes to some."""
        starts, ends = self._graph.starts[sources].tolist(), self._graph.starts[sources + 1].tolist()
        self._marked[targets] = True
        slices = (self._graph.targets[start:end] for start, end in zip(starts, ends, strict=True))
        links = sum(int(np.count_nonzero(self._marked[found])) for found in slices)
        self._marked[targets] = False
        return links


def to_nodes(members: Iterable[int]) -> Nodes:
    """Return members as an ascending array."""
    return np.array(sorted(members), np.int32)
