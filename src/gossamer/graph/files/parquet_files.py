"""Parquet files: read nodes and edges, write tables of results. Needs the extra `graph`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput, MissingExtra
from gossamer.graph.node_names import IdNames, NameList, Names, name_nodes

_ENDS = (("source", "from", "from_id"), ("target", "to", "to_id"))
_ID = ("id", "node")
_NAME = ("url", "name", "label")


def read_edges(path: Path) -> tuple[NDArray[np.int64], NDArray[np.int64], Names | None]:
    """Return sources and targets: as ids, or as node numbers with their names if the columns hold text."""
    table = _read_table(path)
    if table.num_columns < 2:
        raise BadInput(f"{path} has fewer than two columns; edges need a source and a target")
    ends = [_find_column(path, table, names, at) for at, names in enumerate(_ENDS)]
    kinds = {_is_text(end) for end in ends}
    if len(kinds) == 2:
        raise BadInput(f"{path} has sources and targets of different types; both must be numbers or text")
    if kinds == {False}:
        sources, targets = (_read_ids(path, end) for end in ends)
        return sources, targets, None
    arrow, _ = _import_arrow()
    both = arrow.chunked_array([*ends[0].chunks, *ends[1].chunks]).dictionary_encode().unify_dictionaries()
    numbers = np.concatenate([chunk.indices.to_numpy() for chunk in both.chunks] or [np.empty(0)])
    texts = both.chunk(0).dictionary.to_pylist() if both.num_chunks else []
    sources, targets = (half.astype(np.int64) for half in np.split(numbers, 2))
    return sources, targets, name_nodes(NameList(texts), len(texts))


def read_nodes(path: Path) -> tuple[NDArray[np.int64], Names]:
    """Return the ids of nodes and their names, from a column url, name or label, or else the ids as names."""
    table = _read_table(path)
    ids = _read_ids(path, _find_column(path, table, _ID, 0))
    called = next((name for name in _NAME if name in table.column_names), None)
    if called is None:
        return ids, name_nodes(IdNames(ids), len(ids))
    texts = ["" if text is None else str(text) for text in table.column(called).to_pylist()]
    return ids, name_nodes(NameList(texts), len(ids))


def write_parquet(path: Path, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
    """Write a table to a Parquet file."""
    arrow, parquet = _import_arrow()
    parquet.write_table(arrow.table(dict(columns)), path, compression="zstd")


def require_arrow() -> None:
    """Raise `MissingExtra` if pyarrow is not installed, before any work starts."""
    _import_arrow()


def _import_arrow() -> tuple[Any, Any]:
    try:
        import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
        from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise MissingExtra("graph", "pyarrow") from None
    return pyarrow, parquet


def _read_table(path: Path) -> Any:
    arrow, parquet = _import_arrow()
    try:
        return parquet.read_table(path)
    except (arrow.ArrowException, OSError) as error:
        raise BadInput(f"cannot read {path} as Parquet: {str(error).splitlines()[0]}") from None


def _find_column(path: Path, table: Any, names: Sequence[str], at: int) -> Any:
    """Return the column with one of these names, or else the column at this position."""
    found = next((name for name in table.column_names if name.lower() in names), table.column_names[at])
    column = table.column(found)
    if column.null_count:
        row = int(np.argmax(column.is_null().to_numpy())) + 1
        raise BadInput(f"{path}, row {row}: the column {found!r} has no value")
    return column


def _is_text(column: Any) -> bool:
    return str(column.type) in ("string", "large_string", "string_view")


def _read_ids(path: Path, column: Any) -> NDArray[np.int64]:
    arrow, _ = _import_arrow()
    if not arrow.types.is_integer(column.type):
        raise BadInput(f"{path} has ids of the type {column.type}; ids must be whole numbers")
    try:
        return np.ascontiguousarray(column.cast(arrow.int64()).to_numpy())
    except arrow.ArrowInvalid:
        raise BadInput(f"{path} has ids that do not fit into a signed 64-bit integer") from None
