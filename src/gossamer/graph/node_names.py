"""Names of the nodes of a graph, looked up only for the rows that are shown."""

from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


class NameSource(Protocol):
    """A source of names. A node keeps its row in every part of the graph."""

    def names(self, rows: Rows) -> list[str]: ...
    def titles(self, rows: Rows) -> list[str]: ...


class Names(msgspec.Struct, frozen=True, eq=False):
    """The names of a graph's nodes: node v is row `rows[v]` of the source."""

    rows: Rows
    source: NameSource

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, node: int) -> str:
        return self.of([node])[0]

    def of(self, nodes: Sequence[int] | NDArray[np.integer]) -> list[str]:
        """Return the names of some nodes; one call for many nodes is much cheaper than many calls."""
        return self.source.names(self.rows[np.asarray(nodes, np.int64)])

    def titles(self, nodes: Sequence[int] | NDArray[np.integer]) -> list[str]:
        """Return the titles of some nodes; empty where there is none."""
        return self.source.titles(self.rows[np.asarray(nodes, np.int64)])

    def part(self, nodes: NDArray[np.integer]) -> "Names":
        """Return the names of a part of the graph."""
        return Names(self.rows[nodes], self.source)


class IdNames(msgspec.Struct, frozen=True, eq=False):
    """Names of nodes that have only ids."""

    ids: NDArray[np.int64]

    def names(self, rows: Rows) -> list[str]:
        return [str(number) for number in self.ids[rows].tolist()]

    def titles(self, rows: Rows) -> list[str]:
        return [""] * len(rows)


class PackedNames(msgspec.Struct, frozen=True, eq=False):
    """Names concatenated in UTF-8: the name of row r is text[starts[r]:starts[r + 1]]."""

    starts: NDArray[np.int64]
    text: NDArray[np.uint8]

    def names(self, rows: Rows) -> list[str]:
        ends = zip(self.starts[rows].tolist(), self.starts[rows + 1].tolist(), strict=True)
        return [self.text[start:end].tobytes().decode("utf-8", "replace") for start, end in ends]

    def titles(self, rows: Rows) -> list[str]:
        return [""] * len(rows)


class NameList(msgspec.Struct, frozen=True, eq=False):
    """Names as a list of texts, for small graphs such as those of hosts and sites."""

    texts: Sequence[str]

    def names(self, rows: Rows) -> list[str]:
        return [self.texts[row] for row in rows.tolist()]

    def titles(self, rows: Rows) -> list[str]:
        return [""] * len(rows)


def name_nodes(source: NameSource, nodes: int) -> Names:
    """Name the nodes 0, 1, 2 … by the rows 0, 1, 2 … of a source."""
    return Names(np.arange(nodes, dtype=np.int64), source)


def number_nodes(nodes: int) -> Names:
    """Name the nodes "0", "1", "2" …"""
    return name_nodes(IdNames(np.arange(nodes, dtype=np.int64)), nodes)
