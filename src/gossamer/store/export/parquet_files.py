"""Write Parquet files; needs the extra `parquet`."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from gossamer.errors import MissingExtra
from gossamer.store.batch import Store
from gossamer.store.export.table_columns import ColumnType, ExportTable, Keep, TableRow

_ROWS_AT_ONCE = 20_000


def write_parquet(table: ExportTable, store: Store, path: Path, keep: Keep) -> int:
    """Write a table of a web; return its number of rows."""
    return write_rows(table.types, table.read_rows(store, keep), path)


def write_rows(columns: Mapping[str, ColumnType], rows: Iterable[TableRow], path: Path) -> int:
    """Write rows in groups; return their number."""
    try:
        import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
        from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise MissingExtra("parquet", "pyarrow") from None
    types: dict[ColumnType, Any] = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
        "time": pyarrow.timestamp("ms", tz="UTC"),
        "fingerprint": pyarrow.int64(),
        "texts": pyarrow.list_(pyarrow.string()),
        "numbers": pyarrow.list_(pyarrow.float64()),
        "times": pyarrow.list_(pyarrow.timestamp("ms", tz="UTC")),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    left = iter(rows)
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while some := list(islice(left, _ROWS_AT_ONCE)):
            arrays = [
                pyarrow.array(map(_VALUE.get(kind, _keep_value), values), types[kind])
                for kind, values in zip(columns.values(), zip(*some, strict=True), strict=True)
            ]
            writer.write_batch(pyarrow.RecordBatch.from_arrays(arrays, schema=schema))
            count += len(some)
    return count


def _keep_value(value: Any) -> Any:
    return value


def _to_milliseconds(unix_s: float | None) -> int | None:
    return None if unix_s is None else round(unix_s * 1000)


def _to_all_milliseconds(times: Iterable[float] | None) -> list[int | None] | None:
    return None if times is None else [_to_milliseconds(one) for one in times]


_VALUE: dict[ColumnType, Callable[[Any], Any]] = {"time": _to_milliseconds, "times": _to_all_milliseconds}
