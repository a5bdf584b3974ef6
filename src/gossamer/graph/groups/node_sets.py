"""Sets of nodes concatenated in one array, so that millions of sets need little more memory than their members."""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Nodes, Starts


class NodeSets(msgspec.Struct, frozen=True, eq=False):
    """Sets of nodes: the members of set i are members[starts[i]:starts[i + 1]], ascending."""

    starts: Starts
    members: Nodes

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: int) -> Nodes:
        return self.members[self.starts[number] : self.starts[number + 1]]

    def __iter__(self) -> Iterator[Nodes]:
        return (self[number] for number in range(len(self)))

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.starts)

    @property
    def smallest(self) -> Nodes:
        """The smallest member of each set; no set is empty."""
        return self.members[self.starts[:-1]]

    def reorder(self, order: NDArray[np.int64]) -> "NodeSets":
        """Return the sets in another order."""
        sizes = self.sizes[order]
        starts = np.zeros(len(order) + 1, np.int64)
        np.cumsum(sizes, out=starts[1:])
        places = np.repeat(self.starts[order] - starts[:-1], sizes)
        places += np.arange(len(places))
        return NodeSets(starts, self.members[places])


def pack_sets(sets: list[Nodes]) -> NodeSets:
    """Concatenate sets."""
    starts = np.zeros(len(sets) + 1, np.int64)
    np.cumsum([len(members) for members in sets], out=starts[1:])
    return NodeSets(starts, np.concatenate(sets or [np.empty(0, np.int32)]))
