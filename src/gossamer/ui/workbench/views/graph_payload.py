"""A picture as bytes: a JSON head, then arrays that a browser uses as they are.

Layout: the length of the head (4 bytes), the head, blanks up to a multiple of 8; then the arrays that the head lists, each with
its type and where it begins. All numbers are little-endian. A node takes about 20 bytes and a link 8.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.ui.workbench.views.graph_view import GraphView
from gossamer.ui.workbench.views.node_columns import NodeColumn
from gossamer.ui.workbench.views.palette import make_table

_CELLS = 65_535
_MOST_NAMED = 40
"""The categories that a legend may name."""
_ALIGN = 8
MOST_CHARACTERS = 120
"""Longer titles are cut."""


def encode_view(view: GraphView, labels: Mapping[int, str]) -> bytes:
    """Return a picture as bytes, with the labels of some nodes."""
    low, high = _find_bounds(view)
    side = max(float((high - low).max()), 1e-9)
    cells = np.rint((view.places - low) / side * _CELLS).astype("<u2")
    arrays: dict[str, NDArray[Any]] = {
        "places": cells.reshape(-1),
        "sources": view.sources.astype("<u4"),
        "targets": view.targets.astype("<u4"),
        **{f"column {name}": column.encode() for name, column in view.columns.items()},
    }
    head = {
        "stamp": view.stamp,
        "nodes": view.nodes,
        "links": len(view.sources),
        "all_links": view.graph.links,
        "low": low.tolist(),
        "side": side,
        "columns": {name: describe_column(column) for name, column in view.columns.items()},
        "labels": {str(node): label[:MOST_CHARACTERS] for node, label in labels.items()},
    }
    return _pack(head, arrays)


def describe_column(column: NodeColumn) -> dict[str, Any]:
    """Return what a legend says about a column."""
    described: dict[str, Any] = {"label": column.label, "colours": make_table(column.is_category)}
    if column.is_category:
        codes = column.values[~np.isnan(column.values)].astype(np.int64)
        counts = np.bincount(codes, minlength=len(column.names))
        names = [name[:MOST_CHARACTERS] for name in column.names[:_MOST_NAMED]]
        return described | {"names": names, "counts": counts[:_MOST_NAMED].tolist(), "all": len(column.names)}
    least, most = column.bounds()
    return described | {"least": least, "most": most}


def encode_growth(view: GraphView, nodes: int, links: int, labels: Mapping[int, str]) -> dict[str, Any]:
    """Return what a picture has more than the first nodes and links of it, for a JSON answer."""
    columns = {name: column.encode()[nodes:].tolist() for name, column in view.columns.items()}
    return {
        "stamp": view.stamp,
        "nodes": view.nodes,
        "links": len(view.sources),
        "x": view.places[nodes:, 0].round(4).tolist(),
        "y": view.places[nodes:, 1].round(4).tolist(),
        "sources": view.sources[links:].tolist(),
        "targets": view.targets[links:].tolist(),
        "columns": columns,
        "labels": {str(node): label[:MOST_CHARACTERS] for node, label in labels.items()},
    }


def _find_bounds(view: GraphView) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not view.nodes:
        return np.zeros(2), np.ones(2)
    return view.places.min(axis=0), view.places.max(axis=0)


def _pack(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Put the head before the arrays; offsets count from the first array."""
    listed, pieces, at = [], [], 0
    for name, array in arrays.items():
        raw = array.tobytes()
        listed.append({"name": name, "type": array.dtype.str[1:], "at": at, "count": len(array)})
        pieces.append(raw + bytes(-len(raw) % _ALIGN))
        at += len(pieces[-1])
    first = msgspec.json.encode({**head, "arrays": listed})
    first += b" " * (-(4 + len(first)) % _ALIGN)
    return len(first).to_bytes(4, "little") + first + b"".join(pieces)
