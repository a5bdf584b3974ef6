"""Writes the problems of a check as CSV that is safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterable

from gossamer.link_check.problem import Problem
from gossamer.store.export.csv_files import escape_formula

_COLUMNS = ("problem", "severity", "target", "status", "source", "line", "column", "kind", "times", "detail")


def write_csv(problems: Iterable[Problem]) -> str:
    """Return the problems with a line of column names, by RFC 4180."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    for one in problems:
        cells = [getattr(one, name) for name in _COLUMNS]
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in cells])
    return file.getvalue()
