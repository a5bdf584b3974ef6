"""Write the fields of pages as one table, CSV or Parquet, by the name of the file."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gossamer.errors import BadInput
from gossamer.store.export.csv_files import escape_formula, format_time
from gossamer.store.export.export_web import create_atomically
from gossamer.store.export.parquet_files import write_rows
from gossamer.store.export.table_columns import ColumnType, TableRow

_BETWEEN = " | "
"""Stands between the values of one cell in CSV."""
_LIST_OF: dict[ColumnType, ColumnType] = {"texts": "text", "numbers": "number", "times": "time"}


def write_field_table(columns: Mapping[str, ColumnType], rows: Iterable[TableRow], out: Path) -> int:
    """Write rows to a new file that ends in .csv or .parquet; return their number. None is an empty cell."""
    if out.suffix not in (".csv", ".parquet"):
        raise BadInput(f"{out}: the name of a table of fields ends in .csv or .parquet")
    with create_atomically(out, folder=False) as new:
        if out.suffix == ".parquet":
            return write_rows(columns, rows, new)
        return _write_csv(columns, rows, new)


def _write_csv(columns: Mapping[str, ColumnType], rows: Iterable[TableRow], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in rows:
            writer.writerow(
                [_format_cell(value, kind) for value, kind in zip(row, columns.values(), strict=True)]
            )
            count += 1
    return count


def _format_cell(value: Any, kind: ColumnType) -> object:
    if value is None:
        return ""
    if kind in _LIST_OF:
        return escape_formula(_BETWEEN.join(str(_format_cell(one, _LIST_OF[kind])) for one in value))
    if kind == "time":
        return format_time(value)
    return escape_formula(value) if isinstance(value, str) else value
