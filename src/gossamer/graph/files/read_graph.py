"""Read a graph from text, Parquet or GraphML files; the format follows from the file's suffix."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.edges import Edges, find_hosts
from gossamer.graph.files.node_ids import IdIndex, Ids, index_ids, renumber
from gossamer.graph.files.text_files import EdgeLines, NodeLines, find_edge_line
from gossamer.graph.node_names import IdNames, Names, name_nodes


def read(edges: Path, nodes: Path | None = None) -> Edges:
    """Read a graph from an edge file and, optionally, a node file with the names of nodes."""
    for path in (edges, nodes):
        if path is not None and not path.is_file():
            raise BadInput(f"there is no file {path}")
    return _READERS.get(edges.suffix.lower(), _read_text)(edges, nodes)


def _read_text(edges: Path, nodes: Path | None) -> Edges:
    sources, targets = EdgeLines(edges).read()
    return _resolve_ids(edges, sources, targets, nodes, lambda at: f"line {find_edge_line(edges, at)}")


def _read_parquet(edges: Path, nodes: Path | None) -> Edges:
    from gossamer.graph.files.parquet_files import read_edges

    sources, targets, names = read_edges(edges)
    if names is None:
        return _resolve_ids(edges, sources, targets, nodes, lambda at: f"row {at + 1}")
    if nodes is not None:
        raise BadInput(f"{edges} names its nodes itself, so it has no ids to look up: leave out --nodes")
    return _make_edges(sources.astype(np.int32), targets.astype(np.int32), names)


def _read_graphml(edges: Path, nodes: Path | None) -> Edges:
    from gossamer.graph.files.read_graphml import read_graphml

    if nodes is not None:
        raise BadInput(f"{edges} contains its nodes: leave out --nodes")
    return _make_edges(*read_graphml(edges))


_READERS: dict[str, Callable[[Path, Path | None], Edges]] = {
    ".parquet": _read_parquet,
    ".pq": _read_parquet,
    ".graphml": _read_graphml,
    ".xml": _read_graphml,
}


def _make_edges(sources: NDArray[np.int32], targets: NDArray[np.int32], names: Names) -> Edges:
    return Edges(sources, targets, names, lambda: find_hosts(names))


def _resolve_ids(
    edges: Path, sources: Ids, targets: Ids, nodes: Path | None, where: Callable[[int], str]
) -> Edges:
    """Translate the ids of edges to nodes: those of the node file, or else all ids in ascending order."""
    if nodes is None:
        ids, from_nodes, to_nodes = renumber(sources, targets)
        return _make_edges(from_nodes, to_nodes, name_nodes(IdNames(ids), len(ids)))
    names, places = _read_nodes(nodes)
    from_nodes, to_nodes = places.find(sources), places.find(targets)
    unknown = (from_nodes < 0) | (to_nodes < 0)
    if unknown.any():
        at = int(np.argmax(unknown))
        missing = int(sources[at] if from_nodes[at] < 0 else targets[at])
        raise BadInput(f"{edges}, {where(at)}: {nodes} has no node {missing}")
    return _make_edges(from_nodes, to_nodes, names)


def _read_nodes(path: Path) -> tuple[Names, IdIndex]:
    """Read a node file; return the names of nodes, and an index of their ids."""
    if _READERS.get(path.suffix.lower()) is _read_parquet:
        from gossamer.graph.files.parquet_files import read_nodes

        ids, names = read_nodes(path)
    else:
        ids, packed = NodeLines(path).read()
        names = name_nodes(packed, len(ids))
    places, again = index_ids(ids)
    if again is not None:
        raise BadInput(f"{path} has two nodes {int(ids[again])}; the second is named {names[again][:200]!r}")
    return names, places
