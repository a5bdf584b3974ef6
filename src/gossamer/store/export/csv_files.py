"""CSV after RFC 4180, in UTF-8, and safe to open in a spreadsheet."""

import csv
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gossamer.store.batch import Store
from gossamer.store.export.table_columns import ColumnType, ExportTable, Keep

# What spreadsheets take for the beginning of a formula. A page's title is not to run on somebody's machine.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(table: ExportTable, store: Store, path: Path, keep: Keep) -> int:
    """Write a table with a line of column names; return how many rows it has."""
    cells = [_CELL[column.type] for column in table.columns.values()]
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.columns)
        for row in table.read_rows(store, keep):
            writer.writerow([cell(value) for cell, value in zip(cells, row, strict=True)])
            count += 1
    return count


def escape_formula(value: str) -> str:
    """Return text from the web as a cell that is no formula."""
    value = value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return f"'{value}" if value.startswith(_FORMULA) else value


def _format_time(unix_s: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(unix_s))


def _format_fingerprint(value: int) -> str:
    # As a number a spreadsheet would round it to 15 digits; with a letter in front it stays what it is.
    return f"x{value & (1 << 64) - 1:016x}"


_CELL: dict[ColumnType, Callable[[Any], object]] = {
    "text": escape_formula,
    "integer": int,
    "number": float,
    "boolean": int,
    "time": _format_time,
    "fingerprint": _format_fingerprint,
}
