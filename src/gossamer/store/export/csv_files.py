"""Write CSV by RFC 4180, in UTF-8, and safe to open in a spreadsheet."""

import csv
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gossamer.store.batch import Store
from gossamer.store.export.table_columns import ColumnType, ExportTable, Keep

# Spreadsheets read these as the beginning of a formula, some of them also the wide forms of East Asian input, and cut off a
# blank line before it. The title of a page must not run as a formula. Source: OWASP, "CSV Injection".
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def write_csv(table: ExportTable, store: Store, path: Path, keep: Keep) -> int:
    """Write a table with a line of column names; return its number of rows."""
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
    """Return text from the web as a cell that spreadsheets do not read as a formula."""
    value = value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return f"'{value}" if value.startswith(_FORMULA) else value


def format_time(unix_s: float) -> str:
    """Return a time as ISO 8601, in UTC; a year that the calendar of this machine lacks becomes an empty cell."""
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(unix_s))
    except (OverflowError, OSError, ValueError):
        return ""


def _format_fingerprint(value: int) -> str:
    # A spreadsheet would round a number to 15 digits; the letter in front prevents that.
    return f"x{value & (1 << 64) - 1:016x}"


_CELL: dict[ColumnType, Callable[[Any], object]] = {
    "text": escape_formula,
    "integer": int,
    "number": float,
    "boolean": int,
    "time": format_time,
    "fingerprint": _format_fingerprint,
}
